-- Read models are disposable, so their tables are not migrated: whoever changes a table in this folder raises
-- the shape of its read model, and the next start builds it anew from the log before it serves. This file
-- alone is kept between versions; it only grows.
--
-- One text serves SQLite and Postgres. The marks in the other files are filled in by the engine: {g} is the
-- generation (a rebuild makes generation n+1 beside n), {clustered} is WITHOUT ROWID on SQLite and nothing on
-- Postgres, and a statement after {shared} is for Postgres alone, where several processes share the tables.
-- Indexes (CREATE INDEX IF NOT EXISTS) are made when a rebuild has filled the tables. Types are BIGINT, TEXT and
-- BYTEA, which holds the 16 bytes of an id.
--
-- Which generation of each read model readers use, and how far every generation has come in the log.
-- state: 'active' (served), 'building' (a rebuild in progress), 'retired' (about to be dropped).
-- token: fences an older worker; each worker that takes a generation over raises it.
-- holder, expires: which process may write it, and until when without another sign of life, by the database's
-- clock in milliseconds; of a retired one, when it is dropped.
CREATE TABLE IF NOT EXISTS projections (
    name TEXT NOT NULL,
    generation BIGINT NOT NULL,
    shape BIGINT NOT NULL,
    state TEXT NOT NULL,
    checkpoint BIGINT NOT NULL,
    token BIGINT NOT NULL,
    holder TEXT NOT NULL DEFAULT '',
    expires BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (name, generation)
);
