import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

/** SQL condition: a head of a higher layer hides the document `d` of the layer with rank `v.rank`. */
export const HIDDEN = `EXISTS (SELECT 1 FROM heads h WHERE h.tenant = $1 AND h.id = d.id
  AND array_position($2::int[], h.layer) > v.rank)`;
const COUNT_HIDDEN: Sql<{ contested: number; hidden: number }> = `
  SELECT count(*)::int AS contested, count(*) FILTER (WHERE ${HIDDEN})::int AS hidden
  FROM (SELECT d.id, v.rank FROM unnest($2::int[]) WITH ORDINALITY AS v (layer, rank)
          JOIN search_documents d ON d.tenant = $1 AND d.layer = v.layer AND d.contested
        LIMIT $3) d (id, rank) CROSS JOIN LATERAL (SELECT d.rank) v`;
export const MAX_CONTESTED = 10_000;

/** Counts the documents of each layer that a higher layer may hide, and those that it hides. */
export async function countHidden(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
): Promise<{ contested: number; hidden: number }> {
  const row = await queries.row(COUNT_HIDDEN, tenant, layers, MAX_CONTESTED + 1);
  return row ?? { contested: 0, hidden: 0 };
}
