-- The event log of the embedded store. Times are milliseconds since 1970, ids are their 16 bytes.
-- One thread of one process writes here; everybody else reads.

-- The names of streams, so that an event and the index over streams carry a small number.
CREATE TABLE streams (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- Appended in position order; never changed, never deleted.
CREATE TABLE events (
    position    INTEGER PRIMARY KEY,
    stream      INTEGER NOT NULL REFERENCES streams (id),
    version     INTEGER NOT NULL,
    id          BLOB    NOT NULL,
    name        TEXT    NOT NULL,
    payload     TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    actor       BLOB    NOT NULL,
    command     TEXT    NOT NULL,
    command_id  BLOB,
    correlation BLOB    NOT NULL,
    causation   BLOB,
    node        TEXT    NOT NULL,
    build       TEXT    NOT NULL,
    recorded    INTEGER NOT NULL,
    salt        BLOB    NOT NULL,
    hash        BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_by_stream ON events (stream, version);

-- Where the log ends: the last position and the rolling hash up to it. One row, written with each batch.
CREATE TABLE head (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    position INTEGER NOT NULL,
    hash     BLOB    NOT NULL
) STRICT;

INSERT INTO head (one, position, hash) VALUES (1, 0, zeroblob(32));

-- Commands that were done, by the position of the last event that they caused: appended in order of time,
-- so that the old ones are pruned from the front.
CREATE TABLE memos (
    position INTEGER PRIMARY KEY,
    account  BLOB    NOT NULL,
    id       BLOB    NOT NULL,
    input    BLOB    NOT NULL,
    result   TEXT    NOT NULL,
    stream   INTEGER NOT NULL REFERENCES streams (id),
    version  INTEGER NOT NULL,
    recorded INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX memos_by_command ON memos (account, id);

-- What players hold now; nobody is listed with 0.
CREATE TABLE claims_counted (
    counter TEXT    NOT NULL,
    player  BLOB    NOT NULL,
    held    INTEGER NOT NULL CHECK (held > 0),
    PRIMARY KEY (counter, player)
) STRICT, WITHOUT ROWID;

-- What was claimed once and for ever.
CREATE TABLE claims_unique (
    key TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Limits of counters that were set; the others have the program's default.
CREATE TABLE limits (
    counter TEXT    NOT NULL PRIMARY KEY,
    most    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- When each node could last serve.
CREATE TABLE heartbeats (
    node TEXT    NOT NULL PRIMARY KEY,
    at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
