-- Every match with those who took part, from its opening. ended: when, absent while it runs and where it never
-- started. expires: the end of the players' retention. expired: 1 once the log says that it is over. Rows are long,
-- so they do not stand in the tree of the key.
CREATE TABLE replays_g{g} (
    match_id BYTEA NOT NULL PRIMARY KEY,
    expired BIGINT NOT NULL,
    ended BIGINT,
    expires BIGINT,
    body TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS replays_expires_g{g} ON replays_g{g} (expires, match_id)
    WHERE ended IS NOT NULL AND expired = 0;

-- Finished matches by those who took part, until the retention is over.
CREATE TABLE replays_players_g{g} (
    player BYTEA NOT NULL,
    match_id BYTEA NOT NULL,
    ended BIGINT NOT NULL,
    PRIMARY KEY (player, match_id)
) {clustered};
