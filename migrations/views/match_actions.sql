-- The public events of every match in order, up to 8 to a row: chunk 0 holds the public versions 1 to 8, and so
-- on. last: the highest version in the row. body: a list of [time, action]. Rows are long, so they do not stand
-- in the tree of the key.
CREATE TABLE match_actions_g{g} (
    match_id BYTEA NOT NULL,
    chunk BIGINT NOT NULL,
    last BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (match_id, chunk)
);
