-- The accounts of a site with several nodes: people. Everything here may be erased; nothing of it enters the
-- event log, which knows a person only by the player id and the revision number of the nickname. Columns are
-- named as in accounts.db, so that one text of each statement serves both. Times are milliseconds since
-- 1970-01-01T00:00:00Z; ids are 16 bytes, hashes 32; yes is 1, no is 0.

-- One row per player, person or house. `recorded` = 1 once the log has the player's first event.
CREATE TABLE players (
    player   BYTEA  NOT NULL PRIMARY KEY,
    house    BIGINT NOT NULL,
    created  BIGINT NOT NULL,
    recorded BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX players_unrecorded ON players (created) WHERE recorded = 0;

-- A person's way in. `email_key` is the normalised address; `password` a PHC string.
CREATE TABLE accounts (
    player    BYTEA  NOT NULL PRIMARY KEY REFERENCES players (player),
    email     TEXT   NOT NULL,
    email_key TEXT   NOT NULL UNIQUE,
    password  TEXT   NOT NULL,
    locale    TEXT   NOT NULL,
    created   BIGINT NOT NULL
);

-- Every nickname that a player has or had; the current one has no `until`.
CREATE TABLE nicknames (
    player   BYTEA  NOT NULL REFERENCES players (player),
    revision BIGINT NOT NULL,
    display  TEXT   NOT NULL,
    folded   TEXT   NOT NULL,
    since    BIGINT NOT NULL,
    until    BIGINT,
    PRIMARY KEY (player, revision)
);
CREATE UNIQUE INDEX nicknames_folded ON nicknames (folded) WHERE until IS NULL;
CREATE UNIQUE INDEX nicknames_current ON nicknames (player) WHERE until IS NULL;

-- A session's token is stored as its hash only.
CREATE TABLE sessions (
    id        BYTEA  NOT NULL PRIMARY KEY,
    token     BYTEA  NOT NULL UNIQUE,
    player    BYTEA  NOT NULL REFERENCES players (player),
    created   BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    device    TEXT   NOT NULL,
    network   TEXT   NOT NULL
);
CREATE INDEX sessions_player ON sessions (player);
CREATE INDEX sessions_last_seen ON sessions (last_seen);

-- Sessions that ended a short while ago, for the nodes that still have a connection open for them. Numbers are
-- given by one transaction at a time, so that they rise in the order of the commits.
CREATE TABLE session_ends (
    number  BIGINT NOT NULL PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    session BYTEA  NOT NULL,
    at      BIGINT NOT NULL
);
CREATE INDEX session_ends_at ON session_ends (at);

-- Which device marks (hashed) a player has logged in with.
CREATE TABLE devices (
    mark       BYTEA  NOT NULL,
    player     BYTEA  NOT NULL REFERENCES players (player),
    first_seen BIGINT NOT NULL,
    last_seen  BIGINT NOT NULL,
    PRIMARY KEY (mark, player)
);
CREATE INDEX devices_player ON devices (player);

-- The one code in force for an address and purpose.
CREATE TABLE codes (
    address    TEXT   NOT NULL,
    purpose    TEXT   NOT NULL,
    salt       BYTEA  NOT NULL,
    hash       BYTEA  NOT NULL,
    expires    BIGINT NOT NULL,
    tries_left BIGINT NOT NULL,
    PRIMARY KEY (address, purpose)
);
CREATE INDEX codes_expires ON codes (expires);

-- Code mails of the last day: what the caps count.
CREATE TABLE code_sends (
    id      BYTEA  NOT NULL PRIMARY KEY,
    address TEXT   NOT NULL,
    network TEXT   NOT NULL,
    purpose TEXT   NOT NULL,
    at      BIGINT NOT NULL
);
CREATE INDEX code_sends_address ON code_sends (address, at);
CREATE INDEX code_sends_network ON code_sends (network, at);
CREATE INDEX code_sends_at ON code_sends (at);

-- Failed logins per bucket (an address, a network, or an owner's device). `bucket` is a hash.
CREATE TABLE login_failures (
    bucket   BYTEA  NOT NULL PRIMARY KEY,
    failures BIGINT NOT NULL,
    last     BIGINT NOT NULL,
    shut     BIGINT NOT NULL
);
CREATE INDEX login_failures_last ON login_failures (last);

-- The development mailbox: what would have been mailed.
CREATE TABLE mailbox (
    number     BIGINT NOT NULL PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    message_id TEXT   NOT NULL UNIQUE,
    at         BIGINT NOT NULL,
    recipient  TEXT   NOT NULL,
    kind       TEXT   NOT NULL,
    locale     TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    plain      TEXT   NOT NULL,
    html       TEXT   NOT NULL,
    file       TEXT   NOT NULL,
    bytes      BYTEA  NOT NULL
);

-- Secrets of the site that have to outlive the process, by name; each is made once, when first asked for.
CREATE TABLE keys (
    name    TEXT   NOT NULL PRIMARY KEY,
    bytes   BYTEA  NOT NULL,
    created BIGINT NOT NULL
);
