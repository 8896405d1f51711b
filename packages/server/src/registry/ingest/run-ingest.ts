import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestReport } from '@catalog/contract/records/ingest';
import { requireAuthorized } from '@catalog/core/authorize';
import type { ClaimedJob } from '@catalog/core/ports/jobs';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requireIngestUnfrozen } from '../freeze/require-ingest-unfrozen.ts';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { hostPathAuthority } from '../layers/declared-sources.ts';
import { systemAuditContext } from '../audit-context.ts';
import { signVersions } from '../signing/sign-versions.ts';
import type { Registry } from '../registry.ts';
import { traceTask } from '../trace-task.ts';
import { commitIngest } from './commit-ingest.ts';
import { countCopy } from './count-copy.ts';
import { decideIngest } from './decide-ingest.ts';
import { rejectRewritten } from './history-rewritten.ts';
import { versionKey, type IngestHooks, type IngestRun } from './ingest-run.ts';
import { planIngest, type PlannedVersion } from './plan-ingest.ts';
import { planRemovals } from './plan-removals.ts';
import { acquireTenantLock } from './acquire-tenant-lock.ts';

/**
 * Runs an ingest. A version becomes visible only when it is complete (ADR-0016). After an interruption, the next run
 * resumes; storing a version twice has no effect.
 */
export function runIngest(
  registry: Registry,
  job: ClaimedJob,
  hooks: IngestHooks,
  signal: AbortSignal,
): Promise<IngestReport> {
  const { job: id, request } = job.record;
  const trace_id = id.replaceAll('-', '');
  const span = { name: 'ingest', attributes: { 'catalog.trigger': request.trigger } };
  return traceTask(registry, trace_id, span, () =>
    ingestLayer(registry, job, trace_id, hooks, signal),
  );
}

async function ingestLayer(
  registry: Registry,
  job: ClaimedJob,
  trace_id: string,
  hooks: IngestHooks,
  signal: AbortSignal,
): Promise<IngestReport> {
  const { tenant } = job;
  const layer = await loadLayer(registry, job);
  const host_paths = hostPathAuthority(registry, tenant, layer);
  requireAuthorized({ kind: 'open' }, 'ingest', { stored: layer, host_paths });
  await registry.store.transaction(({ tenants }) => requireAuditVolume(registry, tenants, tenant));
  const auditContext = systemAuditContext(registry, 'ingest', trace_id);
  const run = { job, layer, occasion: auditContext };
  for (let max_storing_ms = MAX_STORING_LOCKED_MS; ; max_storing_ms = Infinity) {
    const attempt = await attemptIngest(registry, run, hooks, max_storing_ms, signal);
    if (attempt.kind === 'committed') return attempt.report;
    await attempt.storing;
    // The next attempt stores the objects again, because `collectObjects` may have removed one.
  }
}

/** Time for which an ingest keeps the tenant lock while it stores objects. */
const MAX_STORING_LOCKED_MS = 2000;

type Attempt =
  | { kind: 'committed'; report: IngestReport }
  /** The object store is slow, so the lock is released and other layers can be decided. */
  | { kind: 'storing'; storing: Promise<void> };

async function attemptIngest(
  registry: Registry,
  { job, layer, occasion: auditContext }: Pick<IngestRun, 'job' | 'layer' | 'occasion'>,
  hooks: IngestHooks,
  max_storing_ms: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const { tenant } = job;
  // A folder is read under the lock, so that layers that start together are decided in order. A network source can be
  // slow and is read without it.
  let tenantLock =
    layer.source_type === 'local' ? await acquireTenantLock(registry, tenant, signal) : undefined;
  try {
    hooks.report({ phase: 'reading', done: 0, total: 0 });
    const reading = await readSource(registry, job, layer, signal);
    await countCopy(registry, { job, layer }, reading);
    tenantLock ??= await acquireTenantLock(registry, tenant, signal);
    const lockedSignal = AbortSignal.any([signal, tenantLock.lost]);
    lockedSignal.throwIfAborted();
    await rejectRewritten(registry, job, layer, reading, auditContext);
    // Also checked in the first commit; checking here saves the work of a blocked ingest.
    const { reference } = reading;
    await requireIngestUnfrozen(registry, registry.store, { job, layer, reference });
    hooks.report({ phase: 'deciding', done: 0, total: reading.snapshot.packages.length });
    const removals = await planRemovals(registry, tenant, layer, reading);
    const decided = await decideIngest(registry, tenant, layer, reading, removals);
    const plan = planIngest(registry, layer, reading.reference, decided);
    const signatures = await signPlanned(registry, job, layer, plan);
    const storing = storeObjects(registry, tenant, plan, signal);
    if (!(await endsWithin(storing, max_storing_ms))) return { kind: 'storing', storing };
    lockedSignal.throwIfAborted();
    const run = {
      job,
      layer,
      reading,
      removals,
      decided,
      plan,
      signatures,
      occasion: auditContext,
    };
    return { kind: 'committed', report: await commitIngest(registry, run, hooks, lockedSignal) };
  } finally {
    await tenantLock?.release();
  }
}

/** Returns true if work ends within the limit. Otherwise the work continues. */
async function endsWithin(work: Promise<void>, limit_ms: number): Promise<boolean> {
  const done = work.then(() => true);
  if (limit_ms === Infinity) return done;
  done.catch(() => undefined);
  const ended = new AbortController();
  const late = delay(limit_ms, false, { signal: ended.signal }).catch(() => false);
  try {
    return await Promise.race([done, late]);
  } finally {
    ended.abort();
  }
}

async function signPlanned(
  registry: Registry,
  { tenant }: ClaimedJob,
  { id: layer_id }: LayerRecord,
  plan: readonly PlannedVersion[],
): Promise<IngestRun['signatures']> {
  if (registry.signer === undefined) return new Map();
  const versions = plan.map(({ record }) => record);
  const signed = await signVersions(registry, registry.signer, tenant, { layer_id, versions });
  return new Map(signed.map((signature) => [versionKey(signature), signature]));
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

/**
 * Stores objects before any record refers to them. After a failure, nothing is committed and the next run tries again
 * (ERR-53).
 */
async function storeObjects(
  { objects }: Registry,
  tenant: Tenant,
  plan: readonly PlannedVersion[],
  signal: AbortSignal,
): Promise<void> {
  for (const { record, objects: large } of plan) {
    for (const { content_hash, bytes } of large) {
      try {
        await objects.put(tenant, content_hash, bytes, signal);
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw new CatalogError(
          'ingest.resource_store_failed',
          `A bundled file of ${record.id} could not be stored, so the ingest was rolled back.`,
          { details: { artifact_id: record.id, version: record.version }, cause },
        );
      }
    }
  }
}
