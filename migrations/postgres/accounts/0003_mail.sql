-- What is to be mailed: written in the transaction that decided it, taken from here by the sender. A row stands
-- for one mail; its id is the mail's Message-ID. `recipient` is NULL where the mail goes to the address that is
-- verified when it is sent; it is erased with the end. `locale` is the player's when the row was written, for
-- players who have no account any more. `since` is when the mail was to go, `due` when it is looked at next: then,
-- when it is tried again, or when the lease of whoever sends it is over; `tries` counts those that failed. `fence`
-- counts the leases, so that one that was lost decides nothing. Open rows have no `outcome`: sent, dropped,
-- refused or expired.
CREATE TABLE outbox (
    id        BYTEA  NOT NULL PRIMARY KEY,
    player    BYTEA  NOT NULL,
    recipient TEXT,
    locale    TEXT,
    kind      TEXT   NOT NULL,
    body      TEXT   NOT NULL,
    since     BIGINT NOT NULL,
    due       BIGINT NOT NULL,
    expires   BIGINT NOT NULL,
    tries     BIGINT NOT NULL DEFAULT 0,
    fence     BIGINT NOT NULL DEFAULT 0,
    ended     BIGINT,
    outcome   TEXT
);
CREATE INDEX outbox_due ON outbox (due, id) WHERE ended IS NULL;
CREATE INDEX outbox_ended ON outbox (ended) WHERE ended IS NOT NULL;
