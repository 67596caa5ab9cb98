-- What reminders depend on, and notices. Erasable like everything here; no row has anything of a board.

-- One row per person who was ever reminded or set anything. `body` is the person's desk as JSON: settings, running
-- clocks with what was seen and told, and when mails went. `wake` is when it is to be looked at next. `notices` is
-- the number of the latest notice; `reads` counts the times at which some became read.
CREATE TABLE desks (
    player  BLOB    NOT NULL PRIMARY KEY,
    body    TEXT    NOT NULL,
    wake    INTEGER,
    notices INTEGER NOT NULL DEFAULT 0,
    reads   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX desks_wake ON desks (wake) WHERE wake IS NOT NULL;

-- In-app notices. Numbers rise per person, from 1.
CREATE TABLE notices (
    player   BLOB    NOT NULL,
    number   INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    match_id BLOB    NOT NULL,
    seat     TEXT,
    turn     INTEGER,
    deadline INTEGER,
    at       INTEGER NOT NULL,
    read     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (player, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_at ON notices (at);

-- How far the planner of reminders has followed the log. There is one row. `live` = 1 once it has caught up with
-- the history before it, of which nobody is reminded; `wait` is the administrator's wait, in minutes, by which the
-- desks were looked at last; `event` names the last event, so that another log is known as such.
CREATE TABLE planner (
    id       INTEGER NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL,
    live     INTEGER NOT NULL,
    wait     INTEGER NOT NULL,
    event    BLOB
) STRICT;

-- Matches as the planner sees them, up to that position: `body` as JSON, without the board. `wake` is when those
-- who took part are told that the record expires.
CREATE TABLE planned_matches (
    match_id BLOB    NOT NULL PRIMARY KEY,
    body     TEXT    NOT NULL,
    wake     INTEGER
) STRICT;
CREATE INDEX planned_matches_wake ON planned_matches (wake) WHERE wake IS NOT NULL;
