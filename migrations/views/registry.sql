-- Read models are disposable, so their tables are not migrated: whoever changes a table in this folder raises
-- the shape of its read model, and the next start builds it anew from the log before it serves. This file
-- alone is kept between versions; it only grows.
--
-- One text serves SQLite and Postgres. Two marks are filled in by the engine: {g} is the generation (a rebuild
-- makes generation n+1 beside n), {clustered} is WITHOUT ROWID on SQLite and nothing on Postgres. BYTEA holds
-- the 16 bytes of an id.
--
-- Which generation of each read model readers use, and how far every generation has come in the log.
-- state: 'active' (served), 'building' (a rebuild in progress), 'retired' (about to be dropped).
-- token: fences an older worker; each worker that takes a generation over raises it.
CREATE TABLE IF NOT EXISTS projections (
    name TEXT NOT NULL,
    generation BIGINT NOT NULL,
    shape BIGINT NOT NULL,
    state TEXT NOT NULL,
    checkpoint BIGINT NOT NULL,
    token BIGINT NOT NULL,
    PRIMARY KEY (name, generation)
);
