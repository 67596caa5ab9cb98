-- One public document per match. No identity of a hidden piece ever stands here. Rows are long, so they do not
-- stand in the tree of the key.
CREATE TABLE match_views_g{g} (
    match_id BYTEA NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    public_version BIGINT NOT NULL,
    position BIGINT NOT NULL,
    public TEXT NOT NULL,
    people TEXT NOT NULL
);

-- One private overlay per seat: what the person who sits there now knows beyond the public document.
CREATE TABLE match_views_own_g{g} (
    match_id BYTEA NOT NULL,
    seat BIGINT NOT NULL,
    own TEXT NOT NULL,
    PRIMARY KEY (match_id, seat)
);

-- What changed after a position: for the processes that follow another one's worker.
{shared} CREATE INDEX IF NOT EXISTS match_views_position_g{g} ON match_views_g{g} (position);
