-- Every public event of every match, by the match's public version (1, 2, 3 …).
CREATE TABLE match_actions_g{g} (
    match_id BYTEA NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (match_id, version)
) {clustered};
