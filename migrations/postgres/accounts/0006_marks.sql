-- Private marks: what a person noted on others' pieces of a match, by the piece's handle. They are the person's
-- alone, go with the account, and go when the match's retention is over.
CREATE TABLE marks (
    player   BYTEA  NOT NULL REFERENCES players (player),
    match_id BYTEA  NOT NULL,
    handle   TEXT   NOT NULL,
    mark     TEXT   NOT NULL,
    colour   TEXT,
    at       BIGINT NOT NULL,
    PRIMARY KEY (player, match_id, handle)
);
CREATE INDEX marks_match ON marks (match_id, at);
