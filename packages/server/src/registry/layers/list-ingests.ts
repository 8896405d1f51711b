import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestJobs } from '@catalog/contract/records/ingest';
import { isLayerAdmin } from '@catalog/core/authorize';
import { isReplaced } from '@catalog/core/layer/layer-holder';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { CallContext, Registry } from '../registry.ts';
import { isListed } from './list-layers.ts';
import { toWireIngest } from './to-wire-ingest.ts';

const MAX_INGESTS = 50;

/** Lists ingests, newest first. */
export async function listIngests(
  registry: Registry,
  context: CallContext,
  { id }: { id: string },
): Promise<IngestJobs> {
  const { tenant, caller } = context;
  const layer = id === '' ? undefined : await registry.store.layers.get(tenant, id);
  if (id !== '' && (layer === undefined || isReplaced(layer) || !isListed(caller, layer))) {
    throw new CatalogError('registry.not_found', `Layer not found: \`${id}\`.`, {
      details: { id },
      suggested_action: 'List layers with `GET /v1/layers`.',
    });
  }
  const jobs = await registry.store.jobs.list(tenant, id, MAX_INGESTS);
  return { ingests: (await filterReadable(registry, context, jobs)).map(toWireIngest) };
}

/**
 * Selects the ingests that a caller may read, also of unregistered layers. Only administrators see ingests of a former
 * owner of the id. A token restricted to some artifacts sees none, because reports name artifacts.
 */
export async function filterReadable(
  registry: Registry,
  { tenant, caller }: CallContext,
  jobs: readonly JobRecord[],
): Promise<JobRecord[]> {
  if (caller.kind === 'subject' && caller.grants !== undefined) return [];
  if (isLayerAdmin(caller)) return [...jobs];
  const since = new Map<string, string>();
  for (const id of new Set(jobs.map(({ layer_id }) => layer_id))) {
    const layer = await registry.store.layers.get(tenant, id);
    if (layer !== undefined && isListed(caller, layer)) since.set(id, layer.created_at);
  }
  return jobs.filter(({ layer_id, created_at }) => {
    const from = since.get(layer_id);
    return from !== undefined && created_at >= from;
  });
}
