import type { IngestReport } from '@catalog/contract/records/ingest';
import type { ClaimedJob, JobRecord } from '@catalog/core/ports/jobs';
import type { WorkerLog } from '../jobs/ingest-worker.ts';
import type { Registry } from '../registry/registry.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Maximum number of rejections in a log line; the report contains all of them. */
const NAMED_REJECTIONS = 10;

export function observeIngests(registry: Registry, log: Log, metrics: Metrics): WorkerLog {
  return {
    ended(job, outcome, seconds) {
      metrics.observeIngest(outcome, seconds);
      logOutcome(registry, job, seconds, log).catch((error: unknown) => {
        log.error({ job: job.record.job, error }, 'failed to read an ingest report');
      });
    },
    failed(job, cause) {
      log.error(
        { ...(job === undefined ? {} : { layer: job.record.layer_id }), error: cause },
        job === undefined ? 'failed to claim an ingest from the queue' : 'ingest failed',
      );
    },
  };
}

async function logOutcome(
  { store }: Registry,
  { tenant, record: { job } }: ClaimedJob,
  seconds: number,
  log: Log,
): Promise<void> {
  const record = await store.jobs.get(tenant, job);
  if (record === undefined) return;
  const facts = { layer: record.layer_id, job, trigger: record.request.trigger };
  const duration_ms = Math.round(seconds * 1000);
  if (record.state === 'done' && record.report !== null) {
    logReport(record.report, { ...facts, duration_ms }, log);
  } else if (record.error !== null) {
    const { code, message } = record.error;
    log.warn({ ...facts, duration_ms, code, reason: message }, 'ingest failed');
  } else {
    log.info({ ...facts, attempts: record.attempts }, 'ingest returned to the queue');
  }
}

function logReport(report: IngestReport, facts: JobFacts, log: Log): void {
  const { accepted, idempotent, removed, conflicts, lint_failures, rejected } = report;
  const refused = [...conflicts.map(toRefusal), ...lint_failures, ...rejected];
  log.info({ ...facts, accepted, idempotent, removed, rejected: refused.length }, 'ingest done');
  for (const { artifact_id, code, reason } of refused.slice(0, NAMED_REJECTIONS)) {
    log.warn({ layer: facts.layer, artifact: artifact_id, code, reason }, 'artifact rejected');
  }
  const more = refused.length - NAMED_REJECTIONS;
  if (more > 0) {
    log.warn({ layer: facts.layer, more, job: facts.job }, 'more artifacts rejected');
  }
}

interface JobFacts extends Pick<JobRecord, 'job'> {
  layer: string;
  trigger: string;
  duration_ms: number;
}

function toRefusal({ artifact_id, code, version }: IngestReport['conflicts'][number]): {
  artifact_id: string;
  code: string;
  reason: string;
} {
  const reason = `version ${version} is already published with different content; increase the version`;
  return { artifact_id, code, reason };
}
