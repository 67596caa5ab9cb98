-- The one clock that runs in a match, if any. what: 1 turn, 2 takeover wait, 3 release of unready seats.
CREATE TABLE deadlines_g{g} (
    match_id BYTEA NOT NULL PRIMARY KEY,
    due BIGINT NOT NULL,
    what BIGINT NOT NULL,
    turn BIGINT,
    seat BIGINT
) {clustered};

CREATE INDEX deadlines_due_g{g} ON deadlines_g{g} (due, match_id);
