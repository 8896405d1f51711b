import { claimByIndex, claimTexts } from './claim-texts.ts';
import type { Migration } from './migration.ts';
import { keeperFunction } from './tenant-table.ts';

const CLAIM_AFTER = 'claim_waiting_after(text, timestamptz, timestamptz, int, bigint)';

/**
 * Claims that begin where the last one ended. What was claimed leaves an entry behind in the index until
 * the next vacuum, and a claim that began at the first passed over all of them.
 */
export const claims: Migration = {
  number: 14,
  name: 'claims',
  oldest_program: 1,
  sql: `
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
${claimTexts("n.not_before = '-infinity' AND n.stamp > claim_waiting_after.after")}  GET DIAGNOSTICS taken = ROW_COUNT;
  IF taken < most THEN
    RETURN QUERY SELECT * FROM claim_waiting(of_model, now, until, most - taken);
  END IF;
END $$;
${keeperFunction(CLAIM_AFTER)}
${claimByIndex(CLAIM_AFTER)}
`,
};
