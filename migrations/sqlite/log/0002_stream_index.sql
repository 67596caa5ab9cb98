-- Which events belong to a stream, kept beside the events and written for many of them at once: streams are
-- written to side by side, so an index that follows every event would rewrite a page of its own for each.
-- It lags: events after head.indexed are found by looking through them.
CREATE TABLE stream_index (
    stream   INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;

INSERT INTO stream_index (stream, version, position)
    SELECT stream, version, position FROM events ORDER BY stream, version;

ALTER TABLE head ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;

UPDATE head SET indexed = position;

DROP INDEX events_by_stream;
