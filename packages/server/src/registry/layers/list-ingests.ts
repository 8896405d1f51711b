import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestJobs } from '@catalog/contract/records/ingest';
import { isLayerAdmin, mayReadLayer } from '@catalog/core/layer/authorize-layer';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { CallContext, Registry } from '../registry.ts';
import { toWireIngest } from './to-wire-ingest.ts';

/** Ingests shown at once, the newest ones. */
const MOST_INGESTS = 50;

/** Past and running ingests, newest first: of one layer, or of every layer the caller may read. */
export async function listIngests(
  registry: Registry,
  context: CallContext,
  { id }: { id: string },
): Promise<IngestJobs> {
  const { tenant } = context;
  if (id !== '' && !(await isReadable(registry, context, id))) {
    throw new CatalogError('registry.not_found', `There is no such layer: \`${id}\`.`, {
      details: { id },
      suggested_action: 'Read `GET /v1/layers`.',
    });
  }
  const jobs = await registry.store.jobs.list(tenant, id, MOST_INGESTS);
  const shown = id === '' ? await keepReadable(registry, context, jobs) : jobs;
  return { ingests: shown.map(toWireIngest) };
}

/** Whether the caller may know what the ingests of a layer did; also after it was unregistered. */
export async function isReadable(
  registry: Registry,
  { tenant, caller }: CallContext,
  id: string,
): Promise<boolean> {
  const layer = await registry.store.layers.get(tenant, id);
  return layer !== undefined && mayReadLayer(caller, layer);
}

async function keepReadable(
  registry: Registry,
  context: CallContext,
  jobs: JobRecord[],
): Promise<JobRecord[]> {
  if (isLayerAdmin(context.caller)) return jobs;
  const readable = new Set<string>();
  for (const id of new Set(jobs.map(({ layer_id }) => layer_id))) {
    if (await isReadable(registry, context, id)) readable.add(id);
  }
  return jobs.filter(({ layer_id }) => readable.has(layer_id));
}
