-- Who may act as administrator. The site's stream in the log says the same, with the instant of each change;
-- this table is what is asked at every request, and where a name is found for the list.
CREATE TABLE admins (
    player  BYTEA  NOT NULL PRIMARY KEY REFERENCES players (player),
    granted BIGINT NOT NULL
);
