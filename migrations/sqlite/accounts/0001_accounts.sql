-- accounts.db: people. Everything here may be erased; nothing of it enters the event log, which knows a
-- person only by the player id and the revision number of the nickname. Times are milliseconds since
-- 1970-01-01T00:00:00Z; ids are 16 bytes, hashes 32.

-- One row per player, person or house. `recorded` = 1 once the log has the player's first event.
CREATE TABLE players (
    player   BLOB    NOT NULL PRIMARY KEY,
    house    INTEGER NOT NULL,
    created  INTEGER NOT NULL,
    recorded INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX players_unrecorded ON players (created) WHERE recorded = 0;

-- A person's way in. `email_key` is the normalised address; `password` a PHC string.
CREATE TABLE accounts (
    player    BLOB    NOT NULL PRIMARY KEY REFERENCES players (player),
    email     TEXT    NOT NULL,
    email_key TEXT    NOT NULL UNIQUE,
    password  TEXT    NOT NULL,
    locale    TEXT    NOT NULL,
    created   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every nickname that a player has or had; the current one has no `until`.
CREATE TABLE nicknames (
    player   BLOB    NOT NULL REFERENCES players (player),
    revision INTEGER NOT NULL,
    display  TEXT    NOT NULL,
    folded   TEXT    NOT NULL,
    since    INTEGER NOT NULL,
    until    INTEGER,
    PRIMARY KEY (player, revision)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX nicknames_folded ON nicknames (folded) WHERE until IS NULL;
CREATE UNIQUE INDEX nicknames_current ON nicknames (player) WHERE until IS NULL;

-- A session's token is stored as its hash only.
CREATE TABLE sessions (
    id        BLOB    NOT NULL PRIMARY KEY,
    token     BLOB    NOT NULL UNIQUE,
    player    BLOB    NOT NULL REFERENCES players (player),
    created   INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    device    TEXT    NOT NULL,
    network   TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_player ON sessions (player);
CREATE INDEX sessions_last_seen ON sessions (last_seen);

-- Which device marks (hashed) a player has logged in with.
CREATE TABLE devices (
    mark       BLOB    NOT NULL,
    player     BLOB    NOT NULL REFERENCES players (player),
    first_seen INTEGER NOT NULL,
    last_seen  INTEGER NOT NULL,
    PRIMARY KEY (mark, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_player ON devices (player);

-- The one code in force for an address and purpose.
CREATE TABLE codes (
    address    TEXT    NOT NULL,
    purpose    TEXT    NOT NULL,
    salt       BLOB    NOT NULL,
    hash       BLOB    NOT NULL,
    expires    INTEGER NOT NULL,
    tries_left INTEGER NOT NULL,
    PRIMARY KEY (address, purpose)
) STRICT, WITHOUT ROWID;
CREATE INDEX codes_expires ON codes (expires);

-- Code mails of the last day: what the caps count.
CREATE TABLE code_sends (
    id      BLOB    NOT NULL PRIMARY KEY,
    address TEXT    NOT NULL,
    network TEXT    NOT NULL,
    purpose TEXT    NOT NULL,
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX code_sends_address ON code_sends (address, at);
CREATE INDEX code_sends_network ON code_sends (network, at);
CREATE INDEX code_sends_at ON code_sends (at);

-- Failed logins per bucket (an address, a network, or an owner's device). `bucket` is a hash.
CREATE TABLE login_failures (
    bucket   BLOB    NOT NULL PRIMARY KEY,
    failures INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    shut     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX login_failures_last ON login_failures (last);

-- The development mailbox: what would have been mailed.
CREATE TABLE mailbox (
    number     INTEGER PRIMARY KEY,
    message_id TEXT    NOT NULL UNIQUE,
    at         INTEGER NOT NULL,
    recipient  TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    locale     TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    plain      TEXT    NOT NULL,
    html       TEXT    NOT NULL,
    file       TEXT    NOT NULL,
    bytes      BLOB    NOT NULL
) STRICT;
