-- What stands in Postgres beside a log that an EventStoreDB server keeps: claims, command ids, commits on their
-- way, the rolling hash, heartbeats. Every table begins with es_, so that they can share a database. Times are
-- milliseconds since 1970.

-- Where the follower of the log has come to. One row.
CREATE TABLE es_head (
    one      INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    position BIGINT  NOT NULL,
    hash     BYTEA   NOT NULL
);

INSERT INTO es_head (one, position, hash) VALUES (1, 0, decode(repeat('00', 32), 'hex'));

-- Commits between reserving and confirming; gone once it is known whether they stand. body: everything that is
-- needed to send the commit again byte for byte, and to confirm or free it.
CREATE TABLE es_reservations (
    id       UUID   NOT NULL PRIMARY KEY,
    reserved BIGINT NOT NULL,
    body     TEXT   NOT NULL
);

-- Commands that were done, or are on their way while they name a reservation.
CREATE TABLE es_memos (
    account     UUID   NOT NULL,
    id          UUID   NOT NULL,
    input       BYTEA  NOT NULL,
    result      TEXT   NOT NULL,
    stream      TEXT   NOT NULL,
    version     BIGINT NOT NULL,
    position    BIGINT NOT NULL,
    recorded    BIGINT NOT NULL,
    reservation UUID,
    PRIMARY KEY (account, id)
);

CREATE INDEX es_memos_recorded ON es_memos (recorded) WHERE reservation IS NULL;

-- What players hold now, reserved commits included.
CREATE TABLE es_counted (
    counter TEXT   NOT NULL,
    player  UUID   NOT NULL,
    held    BIGINT NOT NULL CHECK (held >= 0),
    PRIMARY KEY (counter, player)
);

-- What was claimed once and for ever, reserved commits included.
CREATE TABLE es_unique (
    key TEXT NOT NULL PRIMARY KEY
);

-- Limits of counters that were set, by the position of the commit that set them: the later one counts, in
-- whatever order they are confirmed. The other counters have the program's default.
CREATE TABLE es_limits (
    counter  TEXT   NOT NULL PRIMARY KEY,
    most     BIGINT NOT NULL,
    position BIGINT NOT NULL
);

-- When each node could last serve.
CREATE TABLE es_heartbeats (
    node TEXT   NOT NULL PRIMARY KEY,
    at   BIGINT NOT NULL
);
