-- Private marks: what a person noted on others' pieces of a match, by the piece's handle. They are the person's
-- alone, go with the account, and go when the match's retention is over.
CREATE TABLE marks (
    player   BLOB    NOT NULL REFERENCES players (player),
    match_id BLOB    NOT NULL,
    handle   TEXT    NOT NULL,
    mark     TEXT    NOT NULL,
    colour   TEXT,
    at       INTEGER NOT NULL,
    PRIMARY KEY (player, match_id, handle)
) STRICT, WITHOUT ROWID;
CREATE INDEX marks_match ON marks (match_id, at);
