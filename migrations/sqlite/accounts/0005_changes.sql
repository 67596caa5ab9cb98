-- What people change about their accounts, how accounts go, and who is barred.

-- Changes that were done, by the key that their sender gave them: the same again is not done again. Kept for
-- seven days. `input` is a hash of what was asked; of passwords it holds a costly one.
CREATE TABLE account_commands (
    player BLOB    NOT NULL REFERENCES players (player),
    key    BLOB    NOT NULL,
    input  BLOB    NOT NULL,
    result TEXT    NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (player, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX account_commands_at ON account_commands (at);

-- The one reset link in force for an address; `token` is a hash. An address without an account has a row, too, of
-- a token that nobody knows.
CREATE TABLE resets (
    address TEXT    NOT NULL PRIMARY KEY,
    token   BLOB    NOT NULL UNIQUE,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX resets_expires ON resets (expires);

-- Accounts on their way out, from the wish to the erasure that ends it.
CREATE TABLE deletions (
    player BLOB    NOT NULL PRIMARY KEY REFERENCES players (player),
    asked  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Whom administrators barred. The player's stream says the same, with reason and actor; this is what is asked at
-- each login. `seats_left` = 1 once the player holds no seat any more.
CREATE TABLE suspensions (
    player     BLOB    NOT NULL PRIMARY KEY REFERENCES players (player),
    since      INTEGER NOT NULL,
    seats_left INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Which networks (an IPv4 address or an IPv6 /64) a player has logged in from of late: a hint for administrators.
CREATE TABLE networks (
    network   TEXT    NOT NULL,
    player    BLOB    NOT NULL REFERENCES players (player),
    last_seen INTEGER NOT NULL,
    PRIMARY KEY (network, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX networks_player ON networks (player);
CREATE INDEX networks_last_seen ON networks (last_seen);
