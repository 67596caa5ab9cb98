-- Secrets of the site that have to outlive the process, by name; each is made once, when first asked for.
CREATE TABLE keys (
    name    TEXT    NOT NULL PRIMARY KEY,
    bytes   BLOB    NOT NULL,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
