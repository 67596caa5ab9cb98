-- Who did what when: one row an event, without payloads but for the reason code that an administrator gave. happened: when it counts from; recorded: when the log wrote
-- it. actor: 0 the system, 1 a timer, 2 a player, 3 a house player, 4 an administrator; actor_id where there is one.
-- category and id are the two parts of the stream's name; a stream of another form has the nil id.
CREATE TABLE audit_trail_g{g} (
    position BIGINT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    happened BIGINT NOT NULL,
    recorded BIGINT NOT NULL,
    actor BIGINT NOT NULL,
    actor_id BYTEA,
    command TEXT NOT NULL,
    category TEXT NOT NULL,
    id BYTEA NOT NULL,
    name TEXT NOT NULL,
    reason TEXT
) {clustered};

CREATE INDEX IF NOT EXISTS audit_trail_stream_g{g} ON audit_trail_g{g} (id, position);
CREATE INDEX IF NOT EXISTS audit_trail_person_g{g} ON audit_trail_g{g} (actor_id, position)
    WHERE actor_id IS NOT NULL;
-- The rare actors alone: rows of the others are met soon enough on the way back from the end.
CREATE INDEX IF NOT EXISTS audit_trail_system_g{g} ON audit_trail_g{g} (position) WHERE actor = 0;
CREATE INDEX IF NOT EXISTS audit_trail_admins_g{g} ON audit_trail_g{g} (position) WHERE actor = 4;
CREATE INDEX IF NOT EXISTS audit_trail_recorded_g{g} ON audit_trail_g{g} (recorded, position);
-- What administrators did, and all that concerns the site: a handful among millions.
CREATE INDEX IF NOT EXISTS audit_trail_office_g{g} ON audit_trail_g{g} (position)
    WHERE actor = 4 OR category = 'site';
