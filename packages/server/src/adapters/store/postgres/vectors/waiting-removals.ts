import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { EmbeddedKind } from '@catalog/core/ports/vector-index';
import type { Queries } from '../../shared/queries.ts';

/** What is gone is in no request to embed again. */
const LEAVE_RUNS = `UPDATE waiting_texts SET run = NULL
  WHERE tenant = $1 AND run IS NOT NULL AND removed
    AND model = ANY (ARRAY(SELECT number FROM embedding_models WHERE external))
    AND kind = $2 AND layer = $3 AND id = ANY ($4::text[])`;
/** Stores outside have yet to be told; everywhere else nothing is left to do. */
const FORGET = `DELETE FROM waiting_texts WHERE tenant = $1
  AND model = ANY (ARRAY(SELECT number FROM embedding_models WHERE NOT external))
  AND kind = $2 AND layer = $3 AND id = ANY ($4::text[])`;

/** What was removed, and is not put again, waits no more. */
export async function forgetWaiting(
  queries: Queries,
  tenant: Tenant,
  kind: EmbeddedKind,
  layer: LayerNumber,
  ids: readonly string[],
): Promise<void> {
  await queries.run(LEAVE_RUNS, tenant, kind, layer, ids);
  await queries.run(FORGET, tenant, kind, layer, ids);
}
