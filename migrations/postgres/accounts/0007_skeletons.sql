-- What a hasty eye reads of a nickname: no two people have look-alike names at the same time. Of names from before,
-- the program fills it in; it stays empty where a name has no letters, or where two look alike already.
ALTER TABLE nicknames ADD COLUMN skeleton TEXT;
CREATE UNIQUE INDEX nicknames_skeleton ON nicknames (skeleton) WHERE until IS NULL;
