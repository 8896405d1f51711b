-- Public keys of the issuer, which a process uses that starts while the issuer is unavailable (SPEC-14).
CREATE TABLE issuer_keys (
  issuer TEXT PRIMARY KEY,
  issuers TEXT NOT NULL,
  keys TEXT NOT NULL,
  fetched_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
