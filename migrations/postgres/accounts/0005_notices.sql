-- What reminders depend on, and notices. Erasable like everything here; no row has anything of a board.

-- One row per person who was ever reminded or set anything. `body` is the person's desk as JSON: settings, running
-- clocks with what was seen and told, and when mails went. `wake` is when it is to be looked at next. `notices` is
-- the number of the latest notice; `reads` counts the times at which some became read.
CREATE TABLE desks (
    player  BYTEA  NOT NULL PRIMARY KEY,
    body    TEXT   NOT NULL,
    wake    BIGINT,
    notices BIGINT NOT NULL DEFAULT 0,
    reads   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX desks_wake ON desks (wake) WHERE wake IS NOT NULL;

-- In-app notices. Numbers rise per person, from 1.
CREATE TABLE notices (
    player   BYTEA  NOT NULL,
    number   BIGINT NOT NULL,
    kind     TEXT   NOT NULL,
    match_id BYTEA  NOT NULL,
    seat     TEXT,
    turn     BIGINT,
    deadline BIGINT,
    at       BIGINT NOT NULL,
    read     BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (player, number)
);
CREATE INDEX notices_at ON notices (at);

-- How far the planner of reminders has followed the log. There is one row. `live` = 1 once it has caught up with
-- the history before it, of which nobody is reminded; `wait` is the administrator's wait, in minutes, by which the
-- desks were looked at last; `event` names the last event, so that another log is known as such.
CREATE TABLE planner (
    id       BIGINT NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL,
    live     BIGINT NOT NULL,
    wait     BIGINT NOT NULL,
    event    BYTEA
);

-- Matches as the planner sees them, up to that position: `body` as JSON, without the board. `wake` is when those
-- who took part are told that the record expires.
CREATE TABLE planned_matches (
    match_id BYTEA  NOT NULL PRIMARY KEY,
    body     TEXT   NOT NULL,
    wake     BIGINT
);
CREATE INDEX planned_matches_wake ON planned_matches (wake) WHERE wake IS NOT NULL;
