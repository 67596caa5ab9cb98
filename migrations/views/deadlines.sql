-- The one clock that runs in a match; none runs where due is absent. what: 0 nothing, 1 turn, 2 takeover wait,
-- 3 release of unready seats, 4 the players' retention. retention: milliseconds, from the match's rules.
CREATE TABLE deadlines_g{g} (
    match_id BYTEA NOT NULL PRIMARY KEY,
    retention BIGINT NOT NULL,
    due BIGINT,
    what BIGINT NOT NULL,
    turn BIGINT,
    seat BIGINT
) {clustered};

CREATE INDEX IF NOT EXISTS deadlines_due_g{g} ON deadlines_g{g} (due, match_id) WHERE due IS NOT NULL;
