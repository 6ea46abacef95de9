-- The addresses from which feeds were fetched before permanent redirects. Lists of feeds may still contain them.
CREATE TABLE former_address (
    source_id bigint NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    address text COLLATE "C" NOT NULL CHECK (address <> '')
);

-- An index cannot contain long texts, so it contains their hashes.
CREATE UNIQUE INDEX former_address_by_source ON former_address (source_id, md5(address));

-- The sources whose subscriptions users have ended. Lists of feeds for other programs leave them out.
CREATE TABLE unsubscribed_source (
    source_id bigint PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE
);
