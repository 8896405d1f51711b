import { keeperFunction } from './tenant-table.ts';

/**
 * Makes a function one that searches. It sees past row security, under which no index of terms is used;
 * is planned for what is asked, and never to read a table from end to end. Its joins say in which order
 * they are made (`LATERAL ... OFFSET 0`), and many keys are one array: the planner may know nothing of a
 * table that was filled a moment ago.
 */
export function searchFunction(signature: string): string {
  return `${keeperFunction(signature)}
ALTER FUNCTION ${signature} SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION ${signature} SET enable_seqscan = off;
ALTER FUNCTION ${signature} SET enable_hashjoin = off;
ALTER FUNCTION ${signature} SET enable_mergejoin = off;
ALTER FUNCTION ${signature} SET jit = off;`;
}

/** A path is in a scope when it is the scope or below it; everything is in the empty one. */
export function inScope(row: string, scope: string): string {
  return `(${scope} = '' OR ${row}.id = ${scope}
        OR (${row}.id > ${scope} || '/' AND ${row}.id < ${scope} || '0'))`;
}

/** A head of a higher layer of the view, searched or not, hides the row. */
export function isHidden(row: string, tenant: string, ranks: string): string {
  return `(${row}.contested AND EXISTS (SELECT 1 FROM heads h WHERE h.tenant = ${tenant}
        AND h.id = ${row}.id AND ${ranks}[h.layer] > ${ranks}[${row}.layer]))`;
}
