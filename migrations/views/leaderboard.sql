-- What each player has earned since the beginning. standing: 0 listed, 1 suspended, 2 deleted, 3 of the house. House
-- players have a row for their standing alone. matches: taken part in.
CREATE TABLE leaderboard_g{g} (
    player BYTEA NOT NULL PRIMARY KEY,
    standing BIGINT NOT NULL,
    points BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    losses BIGINT NOT NULL,
    draws BIGINT NOT NULL,
    no_results BIGINT NOT NULL,
    leaves BIGINT NOT NULL,
    timeouts BIGINT NOT NULL,
    takeovers BIGINT NOT NULL
) {clustered};

CREATE INDEX IF NOT EXISTS leaderboard_points_g{g} ON leaderboard_g{g} (points, wins, player)
    WHERE standing = 0 AND matches > 0;
CREATE INDEX IF NOT EXISTS leaderboard_wins_g{g} ON leaderboard_g{g} (wins, points, player)
    WHERE standing = 0 AND matches > 0;

-- The same by day. day: UTC days since 1970-01-01.
CREATE TABLE leaderboard_days_g{g} (
    player BYTEA NOT NULL,
    day BIGINT NOT NULL,
    points BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    losses BIGINT NOT NULL,
    draws BIGINT NOT NULL,
    no_results BIGINT NOT NULL,
    leaves BIGINT NOT NULL,
    timeouts BIGINT NOT NULL,
    takeovers BIGINT NOT NULL,
    PRIMARY KEY (player, day)
) {clustered};

CREATE INDEX IF NOT EXISTS leaderboard_days_day_g{g} ON leaderboard_days_g{g} (day, player);

-- Each player's points and results one by one, by the position of the event. match_id: absent where an administrator
-- adjusted points. facts: when, why, where.
CREATE TABLE leaderboard_entries_g{g} (
    player BYTEA NOT NULL,
    position BIGINT NOT NULL,
    points BIGINT NOT NULL,
    match_id BYTEA,
    facts TEXT NOT NULL,
    PRIMARY KEY (player, position)
) {clustered};
