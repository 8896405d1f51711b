import { setImmediate as nextTick } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestReport, IngestTrigger } from '@catalog/contract/records/ingest';
import { edgesOf } from '@catalog/core/ingest/to-version-record';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VersionRecord } from '@catalog/core/ports/versions';
import { decideRollback } from '@catalog/core/version/rollback';
import { buildAuditRecord } from '../audit/build-record.ts';
import { breakGlassOnCommit } from '../freeze/require-ingest-unfrozen.ts';
import { buildEvent } from '../events/build-event.ts';
import type { Registry } from '../registry.ts';
import { buildReport } from './build-report.ts';
import { chooseHead, toHead } from './choose-head.ts';
import { historyRewrittenEvents } from './history-rewritten.ts';
import type { PlannedVersion } from './plan-ingest.ts';
import { readStoredText } from './load-stored-artifact.ts';
import type { Removals } from './plan-removals.ts';
import { publishDomains } from './publish-domains.ts';
import { putVersions, serveHeads, serverIdentifier, withdrawHeads } from './put-versions.ts';
import { rememberRejections } from './remember-rejections.ts';
import { retryWaiting } from './retry-waiting.ts';
import { versionKey, type IngestHooks, type IngestRun } from './ingest-run.ts';
import { withdrawPersonal } from './withdraw-personal.ts';

/** Number of versions per transaction, so that other writers wait only briefly. */
const STEP = 1000;

/**
 * Commits an ingest. A push needs one transaction. A first ingest of thousands of versions is committed in steps, so
 * that webhook deliveries get their response in time; only the last step marks the job as done.
 */
export async function commitIngest(
  registry: Registry,
  run: IngestRun,
  hooks: IngestHooks,
  signal: AbortSignal,
): Promise<IngestReport> {
  const { job, layer, plan, reading, removals } = run;
  const serverOf = await findServers(registry, run);
  const checked = { job, layer, reference: reading.reference };
  const total = plan.length + removals.artifacts.length;
  let isFirst = true;
  /** Each transaction requires that this process still holds the job and the tenant lock. */
  const commit = async (work: (writes: StoreWrites, current: LayerRecord) => Promise<void>) => {
    signal.throwIfAborted();
    await registry.store.transaction(async (writes) => {
      const current = await requireHeld(writes, run);
      if (isFirst) await breakGlassOnCommit(registry, writes, checked, run.occasion);
      await work(writes, current);
      signal.throwIfAborted();
    });
    isFirst = false;
  };
  let done = 0;
  for (; plan.length - done > STEP; done += STEP) {
    const step = plan.slice(done, done + STEP);
    await commit((writes) => putStep(registry, writes, run, step, serverOf));
    hooks.report({ phase: 'storing', done, total });
    await nextTick();
  }
  let removedCount = 0;
  for (; removals.artifacts.length - removedCount > STEP; removedCount += STEP) {
    const ids = removals.artifacts.slice(removedCount, removedCount + STEP);
    await commit((writes) => withdraw(writes, run, ids));
    hooks.report({ phase: 'storing', done: done + removedCount, total });
    await nextTick();
  }
  const rest = {
    planned: plan.slice(done),
    removals: { ...removals, artifacts: removals.artifacts.slice(removedCount) },
  };
  const report = buildReport(
    {
      job: job.record.job,
      layer: layer.id,
      reference: reading.reference,
      removed: removals.artifacts.length,
    },
    run.decided,
    reading.advisories,
  );
  await commit((writes, current) =>
    finish(registry, writes, { run, current, rest, serverOf, report }),
  );
  return report;
}

async function finish(
  registry: Registry,
  writes: StoreWrites,
  end: {
    run: IngestRun;
    current: LayerRecord;
    rest: { planned: readonly PlannedVersion[]; removals: Removals };
    serverOf: ServerOf;
    report: IngestReport;
  },
): Promise<void> {
  const { run, current, rest, serverOf, report } = end;
  const { job, layer, reading, decided } = run;
  const { tenant } = job;
  await putStep(registry, writes, run, rest.planned, serverOf);
  const returned = await serveReturned(writes, run, serverOf);
  await withdraw(writes, run, rest.removals.artifacts);
  const domainsChanged = await publishDomains(writes, run, rest.removals.domains);
  const decidedIds = decidedArtifacts(reading);
  const rejected = await rememberRejections(
    writes,
    tenant,
    layer.number,
    decided.decision,
    (id) => reading.complete || decidedIds.has(id),
  );
  await withdrawPersonal(registry, writes, run, returned);
  await retryWaiting(registry, writes, run, [...returned, ...rejected.news]);
  const isChanged =
    returned.length > 0 ||
    domainsChanged ||
    rejected.changed ||
    report.accepted + report.removed > 0;
  if (isChanged || !isRoutine(run)) await appendEvents(writes, run, report);
  await writes.layers.noteIngest(tenant, layer.number, {
    last_ingested_at: registry.now().toISOString(),
    last_ingested_ref: reading.reference === '' ? null : reading.reference,
    source_state: hasSameSource(current, layer) ? reading.source_state : null,
  });
  // If nothing changed, cached views stay valid.
  if (rejected.changed || domainsChanged) await writes.layers.touch(tenant, layer.number);
  const outcome = { kind: 'done', report } as const;
  const ended = { outcome, now: registry.now().toISOString() };
  if (!(await writes.jobs.finish(tenant, job.record.job, job.fence, ended))) throw lostLease(run);
}

/**
 * Returns false if the source settings changed during the read: the result is outdated and another ingest is queued.
 */
function hasSameSource(current: LayerRecord, read: LayerRecord): boolean {
  return (
    current.ref === read.ref && current.root === read.root && current.local_path === read.local_path
  );
}

async function putStep(
  registry: Registry,
  writes: StoreWrites,
  run: IngestRun,
  planned: readonly PlannedVersion[],
  serverOf: ServerOf,
): Promise<void> {
  if (planned.length === 0) return;
  const { job, layer, decided, occasion } = run;
  const { facts } = decided;
  const signatures = planned.flatMap(({ record }) => run.signatures.get(versionKey(record)) ?? []);
  const put = { layer, facts, planned, signatures, serverOf, occasion };
  await putVersions(writes, job.tenant, put);
  const appeared = planned.flatMap(({ record: { id } }) => (facts.heads.has(id) ? [] : [id]));
  await withdrawPersonal(registry, writes, run, appeared);
  await retryWaiting(registry, writes, run, appeared);
}

/**
 * Serves versions that the source contains again, and returns their ids. A withdrawn artifact also returns if the
 * source has only a new, deprecated version.
 */
async function serveReturned(
  writes: StoreWrites,
  { job, layer, plan, decided, occasion }: IngestRun,
  serverOf: ServerOf,
): Promise<string[]> {
  const returned: string[] = [];
  const { facts, decision } = decided;
  const kept = decision.kept.map(({ entry }) => entry.artifact.id);
  const deprecated = new Set(plan.flatMap(({ record }) => (record.deprecated ? [record.id] : [])));
  for (const id of [...kept, ...deprecated]) {
    const chosen = chooseHead(facts.versions.get(id) ?? []);
    if (chosen === undefined || facts.heads.get(id)?.version === chosen.version) continue;
    if (chosen.deprecated && deprecated.has(id)) continue;
    const record = await writes.versions.get(job.tenant, layer.number, id, chosen.version);
    if (record === undefined) continue;
    if (facts.rollbacks.get(id) === chosen.version) await rollBack(writes, job.tenant, record);
    const artifact = readStoredText(record, layer.id);
    const head = {
      ...toHead(record),
      edges: edgesOf(artifact, record.extends ?? undefined, serverOf),
      server_identifier: serverIdentifier(artifact),
    };
    await serveHeads(writes, job.tenant, layer.number, [head], facts);
    returned.push(id);
    const { version } = record;
    await writes.outbox.append(job.tenant, [
      buildEvent(occasion, 'artifact.restored', { id, version, layer: layer.id }),
    ]);
  }
  return returned;
}

/** Makes an earlier version the last ingested one of its id (SPEC-70). */
async function rollBack(
  { versions }: StoreWrites,
  tenant: Tenant,
  { layer, id, version }: VersionRecord,
): Promise<void> {
  const stored = await versions.listVersions(tenant, layer, id);
  const order = await versions.takeIngestOrders(tenant, 1);
  await versions.putStandings(tenant, layer, decideRollback(stored, id, version, order));
}

async function withdraw(
  writes: StoreWrites,
  { job, layer, occasion }: IngestRun,
  ids: readonly string[],
): Promise<void> {
  await withdrawHeads(writes, job.tenant, layer.number, ids);
  await writes.outbox.append(
    job.tenant,
    ids.map((id) => buildEvent(occasion, 'artifact.removed', { id, layer: layer.id })),
  );
}

/** Returns the artifacts that this ingest decided, whose earlier rejections no longer apply. */
function decidedArtifacts({ snapshot, removed }: SourceReading): Set<string> {
  return new Set([
    ...snapshot.packages.map(({ id }) => id),
    ...snapshot.domains.map(({ path }) => `${path}/DOMAIN.md`),
    ...removed.artifacts,
    ...removed.domains.map((path) => `${path}/DOMAIN.md`),
  ]);
}

async function appendEvents(
  writes: StoreWrites,
  run: IngestRun,
  report: IngestReport,
): Promise<void> {
  const { job, layer, reading, occasion } = run;
  const { reference } = reading;
  const rewrite = historyRewrittenEvents(occasion, layer, reading);
  const ingested = buildEvent(occasion, 'layer.ingested', {
    layer: layer.id,
    reference,
    accepted: report.accepted,
    idempotent: report.idempotent,
    removed: report.removed,
    conflicts: report.conflicts.length,
    lint_failures: report.lint_failures.length,
    rejected: report.rejected.length,
  });
  await writes.outbox.append(job.tenant, [...rewrite, ingested]);
  await writes.audit.append(job.tenant, [
    buildAuditRecord(occasion, 'layer.ingested', {
      target: layer.id,
      reference,
      accepted: report.accepted,
      removed: report.removed,
      rejected: run.decided.decision.rejected.length,
    }),
  ]);
}

/** Automatic triggers. Without changes, their ingests emit no event and no audit record. */
const ROUTINE: readonly IngestTrigger[] = ['files', 'poll', 'start'];

function isRoutine({ job, reading }: IngestRun): boolean {
  const { trigger } = job.record.request;
  return reading.rewritten === undefined && ROUTINE.includes(trigger);
}

type ServerOf = (identifier: string) => string | undefined;

async function findServers({ store }: Registry, run: IngestRun): Promise<ServerOf> {
  const { job, plan, decided } = run;
  const wanted = new Set(plan.flatMap(({ server_identifiers }) => server_identifiers));
  if (wanted.size === 0) return () => undefined;
  const { stack } = decided.neighbourhood;
  const stored = await store.versions.findServers(job.tenant, stack, [...wanted]);
  const fresh = new Map<string, string>();
  for (const { accepted } of plan) {
    const identifier = serverIdentifier(accepted.artifact);
    if (identifier !== null) fresh.set(identifier, accepted.artifact.id);
  }
  return (identifier) => fresh.get(identifier) ?? stored.get(identifier);
}

/** Requires that the lease is valid and the settings are those of the read. Otherwise this process must not write. */
export async function requireHeld(
  writes: StoreWrites,
  run: Pick<IngestRun, 'job' | 'layer'>,
): Promise<LayerRecord> {
  const { job, layer } = run;
  const current = await writes.layers.get(job.tenant, layer.id);
  if (!(await writes.jobs.holds(job.tenant, job.record.job, job.fence))) throw lostLease(run);
  const isSame =
    current?.number === layer.number &&
    current.deleted_at === null &&
    current.created_at === layer.created_at;
  if (isSame) return current;
  throw new CatalogError(
    'registry.not_found',
    `Layer ${layer.id} was removed or registered again during the ingest.`,
    { details: { id: layer.id } },
  );
}

function lostLease({ layer }: Pick<IngestRun, 'layer'>): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `The ingest of ${layer.id} took too long, and another process took over.`,
  );
}
