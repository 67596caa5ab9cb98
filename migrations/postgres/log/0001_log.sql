-- The event log of the shared store. Times are milliseconds since 1970. Several nodes write here, one batch at
-- a time: whoever holds the row of log_head.

-- Appended in position order; never changed, never deleted. The first seven columns and the key are those of
-- postgres-es, whose repository can read this table; ours follow. A stream `match-{uuid}` has the type `match`
-- and the uuid as its id, the stream `site` has its name as both. payload and metadata are kept as the text
-- that they were written as, hence json and never jsonb.
CREATE TABLE events (
    aggregate_type text                         NOT NULL,
    aggregate_id   text                         NOT NULL,
    sequence       bigint CHECK (sequence >= 0) NOT NULL,
    event_type     text                         NOT NULL,
    event_version  text                         NOT NULL,
    payload        json                         NOT NULL,
    metadata       json                         NOT NULL,
    position       bigint                       NOT NULL,
    written_at     bigint                       NOT NULL,
    salt           bytea                        NOT NULL,
    hash           bytea                        NOT NULL,
    PRIMARY KEY (aggregate_type, aggregate_id, sequence)
);

CREATE UNIQUE INDEX events_by_position ON events (position);

-- Where the log ends: the last position and the rolling hash up to it. One row, locked by each batch from its
-- beginning to its end; room on its page for the versions that batches leave behind.
CREATE TABLE log_head (
    one      integer PRIMARY KEY CHECK (one = 1),
    position bigint  NOT NULL,
    hash     bytea   NOT NULL
) WITH (fillfactor = 10);

INSERT INTO log_head (one, position, hash) VALUES (1, 0, decode(repeat('00', 32), 'hex'));

-- Commands that were done, by the position of the last event that they caused: the old ones are pruned from
-- the front.
CREATE TABLE log_memos (
    account  uuid   NOT NULL,
    id       uuid   NOT NULL,
    input    bytea  NOT NULL,
    result   text   NOT NULL,
    stream   text   NOT NULL,
    version  bigint NOT NULL,
    position bigint NOT NULL,
    recorded bigint NOT NULL,
    PRIMARY KEY (account, id)
);

CREATE INDEX log_memos_by_position ON log_memos (position);

-- What players hold now; whoever has given everything back stays listed with 0.
CREATE TABLE log_claims_counted (
    counter text   NOT NULL,
    player  uuid   NOT NULL,
    held    bigint NOT NULL CHECK (held >= 0),
    PRIMARY KEY (counter, player)
);

-- What was claimed once and for ever.
CREATE TABLE log_claims_unique (
    key text PRIMARY KEY
);

-- Limits of counters that were set; the others have the program's default.
CREATE TABLE log_limits (
    counter text   PRIMARY KEY,
    most    bigint NOT NULL
);

-- When each node could last serve.
CREATE TABLE log_heartbeats (
    node text   PRIMARY KEY,
    at   bigint NOT NULL
);
