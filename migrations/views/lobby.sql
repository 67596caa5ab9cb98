-- Every match without its board. free: seats still free; vacant: the seat that a takeover is sought for. Rows are
-- long, so they do not stand in the tree of the key.
CREATE TABLE lobby_tables_g{g} (
    match_id BYTEA NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    position BIGINT NOT NULL,
    free BIGINT NOT NULL,
    vacant BIGINT,
    deadline BIGINT,
    sheet TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS lobby_tables_free_g{g} ON lobby_tables_g{g} (match_id) WHERE free > 0;
CREATE INDEX IF NOT EXISTS lobby_tables_vacant_g{g} ON lobby_tables_g{g} (match_id) WHERE vacant IS NOT NULL;

-- A player's matches. counted: 1 full, 2 takeover, absent when the seat counts against no limit.
CREATE TABLE lobby_places_g{g} (
    player BYTEA NOT NULL,
    match_id BYTEA NOT NULL,
    role BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    counted BIGINT,
    waits BIGINT NOT NULL,
    deadline BIGINT,
    ended BIGINT,
    facts TEXT NOT NULL,
    PRIMARY KEY (player, match_id)
) {clustered};

CREATE INDEX IF NOT EXISTS lobby_places_ended_g{g} ON lobby_places_g{g} (player, ended) WHERE ended IS NOT NULL;

-- The limits of now; no row before an administrator sets them.
CREATE TABLE lobby_limits_g{g} (
    id BIGINT NOT NULL PRIMARY KEY,
    full_limit BIGINT NOT NULL,
    takeover_limit BIGINT NOT NULL
) {clustered};
