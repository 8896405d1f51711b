
CREATE SEQUENCE anonymous_choices;
GRANT USAGE ON SEQUENCE anonymous_choices TO catalog_program, catalog_keeper;

CREATE TABLE session_choices (
  tenant int NOT NULL,
  subject text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  layer int NOT NULL,
  version text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- Rises with every choice of a session without a subject; null for all others.
  anonymous_number bigint,
  PRIMARY KEY (tenant, subject, session_id, id)
);
CREATE INDEX session_choices_expiry ON session_choices (expires_at);
CREATE INDEX session_choices_anonymous ON session_choices (tenant, anonymous_number)
  WHERE anonymous_number IS NOT NULL;

ALTER TABLE session_choices ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_choices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session_choices TO catalog_program
  USING (tenant = current_setting('catalog.tenant')::int)
  WITH CHECK (tenant = current_setting('catalog.tenant')::int);
CREATE POLICY keeper ON session_choices TO catalog_keeper USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON session_choices TO catalog_program, catalog_keeper;


-- For every tenant at once, as prune_sessions, and with it: nobody else removes the rows of the release
-- before.
CREATE FUNCTION prune_session_choices(now timestamptz, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE gone int;
BEGIN
  DELETE FROM session_choices c WHERE c.expires_at <= prune_session_choices.now
    AND c.ctid = ANY (ARRAY(
      SELECT o.ctid FROM session_choices o WHERE o.expires_at <= prune_session_choices.now
      ORDER BY o.expires_at LIMIT most));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone + prune_sessions(prune_session_choices.now, most - gone);
END $$;

ALTER FUNCTION prune_session_choices(timestamptz, int) SECURITY DEFINER;
ALTER FUNCTION prune_session_choices(timestamptz, int) SET search_path = catalog, pg_temp;
ALTER FUNCTION prune_session_choices(timestamptz, int) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION prune_session_choices(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_session_choices(timestamptz, int) TO catalog_program;

