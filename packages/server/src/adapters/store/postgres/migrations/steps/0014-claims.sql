
-- Across tenants, as claim_waiting is. Where too few that never had a pause come after the stamp, the rest
-- is whatever waits: what was given back, what had a pause, and what another one committed late.
CREATE FUNCTION claim_waiting_after(
  of_model text, now timestamptz, until timestamptz, most int, after bigint
) RETURNS TABLE (
    tenant int, layer int, kind text, id text, stamp bigint, attempts int, removed boolean
  ) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE taken int;
BEGIN
  RETURN QUERY
    WITH claimed AS (
      UPDATE waiting_texts w SET not_before = until WHERE w.ctid = ANY (ARRAY(
        SELECT n.ctid FROM waiting_texts n
        WHERE n.model = (SELECT m.number FROM embedding_models m WHERE m.name = of_model)
          AND n.not_before = '-infinity' AND n.stamp > claim_waiting_after.after
        ORDER BY n.not_before, n.stamp LIMIT most FOR UPDATE SKIP LOCKED))
      RETURNING w.tenant, w.layer, w.kind, w.id, w.stamp, w.attempts, w.removed
    )
    SELECT * FROM claimed c ORDER BY c.stamp;
  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken < most THEN
    RETURN QUERY SELECT * FROM claim_waiting(of_model, now, until, most - taken);
  END IF;
END $$;

ALTER FUNCTION claim_waiting_after(text, timestamptz, timestamptz, int, bigint) SECURITY DEFINER;
ALTER FUNCTION claim_waiting_after(text, timestamptz, timestamptz, int, bigint) SET search_path = catalog, pg_temp;
ALTER FUNCTION claim_waiting_after(text, timestamptz, timestamptz, int, bigint) OWNER TO catalog_keeper;
REVOKE ALL ON FUNCTION claim_waiting_after(text, timestamptz, timestamptz, int, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_waiting_after(text, timestamptz, timestamptz, int, bigint) TO catalog_program;

ALTER FUNCTION claim_waiting_after(text, timestamptz, timestamptz, int, bigint) SET enable_seqscan = off;
ALTER FUNCTION claim_waiting_after(text, timestamptz, timestamptz, int, bigint) SET enable_bitmapscan = off;
ALTER FUNCTION claim_waiting_after(text, timestamptz, timestamptz, int, bigint) SET enable_sort = off;
