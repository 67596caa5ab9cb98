-- What a notice calls for was done, or can no longer be done. Such a notice is read, too.
ALTER TABLE notices ADD COLUMN done BIGINT NOT NULL DEFAULT 0;
