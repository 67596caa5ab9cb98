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
