-- Public keys of the issuer, which a process uses that starts while the issuer is unavailable (SPEC-14).
-- They are about all tenants, so there is no policy.
CREATE TABLE issuer_keys (
  issuer text COLLATE "C" PRIMARY KEY,
  issuers json NOT NULL,
  keys json NOT NULL,
  fetched_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON issuer_keys TO catalog_program, catalog_keeper;
