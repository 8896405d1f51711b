import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { EmbeddedKind } from '@catalog/core/ports/vector-index';
import type { Queries } from '../../shared/queries.ts';

const LEAVE_RUNS = `UPDATE waiting_texts SET run = NULL
  WHERE tenant = $1 AND run IS NOT NULL AND removed
    AND model = ANY (ARRAY(SELECT number FROM embedding_models WHERE external))
    AND kind = $2 AND layer = $3 AND id = ANY ($4::text[])`;
/** Removes texts of a model, except those whose removal an external engine has not confirmed. */
const FORGET = `DELETE FROM waiting_texts WHERE tenant = $1
  AND model = ANY (ARRAY(SELECT number FROM embedding_models WHERE NOT external))
  AND kind = $2 AND layer = $3 AND id = ANY ($4::text[])`;

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
