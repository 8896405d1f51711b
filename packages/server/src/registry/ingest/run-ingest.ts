import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestReport } from '@catalog/contract/records/ingest';
import { requireAuthorized } from '@catalog/core/authorize';
import type { ClaimedJob } from '@catalog/core/ports/jobs';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { hostPathAuthority } from '../layers/declared-sources.ts';
import { occasionOfRegistry } from '../occasion.ts';
import type { Registry } from '../registry.ts';
import { commitIngest } from './commit-ingest.ts';
import { countCopy } from './count-copy.ts';
import { decideIngest } from './decide-ingest.ts';
import { refuseRewritten } from './history-rewritten.ts';
import type { IngestHooks } from './ingest-run.ts';
import { planIngest } from './plan-ingest.ts';
import { planRemovals } from './plan-removals.ts';
import { storeObjects } from './store-objects.ts';
import { takeTurn } from './take-turn.ts';

/**
 * One ingest of one layer, from its source to what is served: read, decide, store, commit. Nothing of
 * a version is visible before all of it is (ADR-0016); a run that ends early is taken up again by
 * the next, which finds what is there already idempotent.
 */
export async function runIngest(
  registry: Registry,
  job: ClaimedJob,
  hooks: IngestHooks,
  signal: AbortSignal,
): Promise<IngestReport> {
  const { tenant, record } = job;
  const layer = await loadLayer(registry, job);
  const host_paths = hostPathAuthority(registry, tenant, layer);
  requireAuthorized({ kind: 'open' }, 'ingest', { stored: layer, host_paths });
  await registry.store.transaction(({ tenants }) => requireAuditVolume(registry, tenants, tenant));
  const occasion = occasionOfRegistry(registry, 'ingest', record.job.replaceAll('-', ''));
  // A folder is read in turn, so that layers that start together are decided in their order. What
  // comes over a network may take its time, and holds up nobody.
  let turn = layer.source_type === 'local' ? await takeTurn(registry, tenant, signal) : undefined;
  try {
    hooks.report({ phase: 'reading', done: 0, total: 0 });
    const reading = await readSource(registry, job, layer, signal);
    await countCopy(registry, { job, layer }, reading);
    turn ??= await takeTurn(registry, tenant, signal);
    const inTurn = AbortSignal.any([signal, turn.lost]);
    inTurn.throwIfAborted();
    await refuseRewritten(registry, job, layer, reading, occasion);
    hooks.report({ phase: 'deciding', done: 0, total: reading.snapshot.packages.length });
    const removals = await planRemovals(registry, tenant, layer, reading);
    const decided = await decideIngest(registry, tenant, layer, reading, removals);
    const plan = planIngest(registry, layer, reading.reference, decided);
    await storeObjects(registry, tenant, plan, inTurn);
    const run = { job, layer, reading, removals, decided, plan, occasion };
    return await commitIngest(registry, run, hooks, inTurn);
  } finally {
    await turn?.release();
  }
}

async function loadLayer(registry: Registry, { tenant, record }: ClaimedJob): Promise<LayerRecord> {
  const layer = await registry.store.layers.get(tenant, record.layer_id);
  if (layer !== undefined && layer.deleted_at === null) return layer;
  throw new CatalogError('registry.not_found', `Layer ${record.layer_id} no longer exists.`, {
    details: { id: record.layer_id },
  });
}

async function readSource(
  registry: Registry,
  { tenant, record }: ClaimedJob,
  layer: LayerRecord,
  signal: AbortSignal,
): Promise<SourceReading> {
  const rejected = await registry.store.versions.listRejections(tenant, [layer.number]);
  const retry = new Set([
    ...record.request.retry,
    ...rejected.map(({ artifact_id }) => artifact_id),
  ]);
  const full = record.request.full || layer.source_state === null;
  const source = registry.sources[layer.source_type];
  return source.read(tenant, layer, { full, retry: [...retry] }, signal);
}
