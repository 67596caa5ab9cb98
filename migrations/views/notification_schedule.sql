-- The clock that runs in each match and the persons whom it concerns, house players left out. marks: how many rows
-- of the other table belong to it. body: clock, persons by seat, open candidates.
CREATE TABLE notification_schedule_g{g} (
    match_id BYTEA NOT NULL PRIMARY KEY,
    marks BIGINT NOT NULL,
    body TEXT NOT NULL
) {clustered};

-- The instants at which such a clock may concern a person, slot by slot in the order of their times. what: 0 it
-- starts, 1 four hours left, 2 one hour left, 3 it runs out. kind: 0 normal turn, 1 first move after a takeover,
-- 2 takeover wait.
CREATE TABLE notification_schedule_marks_g{g} (
    match_id BYTEA NOT NULL,
    slot BIGINT NOT NULL,
    due BIGINT NOT NULL,
    what BIGINT NOT NULL,
    player BYTEA NOT NULL,
    turn BIGINT NOT NULL,
    kind BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    PRIMARY KEY (match_id, slot)
) {clustered};

CREATE INDEX IF NOT EXISTS notification_schedule_marks_due_g{g}
    ON notification_schedule_marks_g{g} (due, match_id, slot);
CREATE INDEX IF NOT EXISTS notification_schedule_marks_player_g{g}
    ON notification_schedule_marks_g{g} (player, due);
