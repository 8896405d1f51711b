import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { IngestReport } from '@catalog/contract/records/ingest';
import { joinRequests } from '@catalog/core/ingest/join-requests';
import type {
  IngestRequest,
  JobProgress,
  JobReads,
  JobRecord,
  JobWrites,
} from '@catalog/core/ports/jobs';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection, Run } from './connection.ts';
import { readJson, type JsonText } from './json-column.ts';
import { UNLIMITED_LANES } from '../unlimited-lanes.ts';
import { LIMIT } from './limit.ts';
import type { Transaction } from './transaction.ts';

export interface JobRow {
  tenant: number;
  job: string;
  layer_id: string;
  state: JobRecord['state'];
  request: JsonText<IngestRequest>;
  progress: JsonText<JobProgress>;
  attempts: number;
  fence: number;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  report: JsonText<IngestReport> | null;
  error: JsonText<ErrorEnvelope> | null;
}

export const JOB_COLUMNS = `tenant, job, layer_id, state, request, progress, attempts, fence, created_at,
  started_at, finished_at, report, error`;

const NO_PROGRESS: JobProgress = { phase: '', done: 0, total: 0 };

export function jobReads(run: Run): JobReads {
  return {
    get: (tenant, job) => run((connection) => getJob(connection, tenant, job)),
    list: (tenant, layer_id, limit) =>
      run((connection) => listJobs(connection, tenant, layer_id, limit).map(toJob)),
    listWorkers: () =>
      run((connection) =>
        connection
          .statement<{ worker: string }>("SELECT DISTINCT worker FROM jobs WHERE state = 'running'")
          .all()
          .map(({ worker }) => worker),
      ),
    depth: () =>
      run((connection) => {
        const row = connection
          .statement<{ queued: number; running: number; oldest_created_at: string | null }>(
            `SELECT count(*) FILTER (WHERE state = 'queued') AS queued,
               count(*) FILTER (WHERE state = 'running') AS running,
               min(created_at) FILTER (WHERE state = 'queued') AS oldest_created_at
             FROM jobs j WHERE state IN ('queued', 'running') AND ${OF_ACTIVE_TENANT}`,
          )
          .get();
        return row ?? { queued: 0, running: 0, oldest_created_at: null };
      }),
  };
}

export function jobWrites(transaction: Transaction): JobWrites {
  const { run } = transaction;
  return {
    ...jobReads(run),
    async enqueue(tenant, job) {
      const record = await run((connection) => {
        if (!joinWaiting(connection, tenant, job)) insertJob(connection, tenant, job);
        return findWaiting(connection, tenant, job.layer_id);
      });
      if (record === undefined) throw new Error(`Job ${job.job} was not stored.`);
      transaction.announce();
      return record;
    },
    claim: (worker) =>
      run((connection) => {
        const row = connection
          .statement<JobRow>(CLAIM)
          .get(
            worker.name,
            worker.now,
            worker.lease_until,
            JSON.stringify(NO_PROGRESS),
            worker.lanes?.owner ?? UNLIMITED_LANES,
            worker.lanes?.tenant ?? UNLIMITED_LANES,
          );
        return row && { tenant: row.tenant, record: toJob(row), fence: row.fence };
      }),
    // Transactions follow each other, so that whoever claims it comes after this one.
    holds: (tenant, job, fence) =>
      run((connection) => {
        const row = connection
          .statement(`SELECT 1 FROM jobs WHERE ${HELD}`)
          .get(tenant, job, fence);
        return row !== undefined;
      }),
    beat: (tenant, job, fence, state) =>
      run((connection) =>
        changed(
          connection
            .statement(`UPDATE jobs SET lease_until = ?, progress = ? WHERE ${HELD}`)
            .run(state.lease_until, JSON.stringify(state.progress), tenant, job, fence),
        ),
      ),
    async finish(tenant, job, fence, { outcome, now }) {
      const ended = await run((connection) =>
        changed(
          connection
            .statement(
              `UPDATE jobs SET state = ?, finished_at = ?, report = ?, error = ?, worker = NULL,
                 lease_until = NULL WHERE ${HELD}`,
            )
            .run(
              outcome.kind,
              now,
              outcome.report === undefined ? null : JSON.stringify(outcome.report),
              outcome.kind === 'failed' ? JSON.stringify(outcome.error) : null,
              tenant,
              job,
              fence,
            ),
        ),
      );
      if (ended) transaction.announce();
      return ended;
    },
    async cancel(tenant, layer_id, { error, now }) {
      const ended = await run((connection) =>
        changed(
          connection
            .statement(
              `UPDATE jobs SET state = 'failed', finished_at = ?, error = ?, worker = NULL,
                 lease_until = NULL
               WHERE tenant = ? AND layer_id = ? AND state IN ('queued', 'running')`,
            )
            .run(now, JSON.stringify(error), tenant, layer_id),
        ),
      );
      if (ended) transaction.announce();
    },
    async endLeases(worker) {
      await run((connection) => {
        connection
          .statement("UPDATE jobs SET lease_until = '' WHERE state = 'running' AND worker = ?")
          .run(worker);
      });
      transaction.announce();
    },
    async release(tenant, job, fence) {
      const released = await run((connection) =>
        changed(
          connection
            .statement(
              `UPDATE jobs SET state = 'queued', started_at = NULL, progress = ?, worker = NULL,
                 lease_until = NULL WHERE ${HELD}`,
            )
            .run(JSON.stringify(NO_PROGRESS), tenant, job, fence),
        ),
      );
      if (released) transaction.announce();
      return released;
    },
    prune: (tenant, keep) =>
      run((connection) => {
        connection
          .statement(
            `DELETE FROM jobs WHERE position IN (
               SELECT position FROM (
                 SELECT position, row_number() OVER (PARTITION BY layer_id ORDER BY position DESC) AS age
                 FROM jobs WHERE tenant = ? AND state IN ('done', 'failed'))
               WHERE age > ?)`,
          )
          .run(tenant, keep);
      }),
  };
}

/** A job that is still this fence's. */
const HELD = `tenant = ? AND job = ? AND fence = ? AND state = 'running'`;

/** Jobs of tenants that are not active wait. */
const OF_ACTIVE_TENANT = `NOT EXISTS (
  SELECT 1 FROM tenant_records t WHERE t.tenant = j.tenant AND t.active = 0)`;

/**
 * The oldest that may run: nothing of its layer is running, or it is running itself and was given up;
 * and its owner and its tenant have a lane left.
 */
const CLAIM = `
  WITH running AS MATERIALIZED (
    SELECT tenant, layer_id, worker FROM jobs WHERE state = 'running' AND lease_until > ?2
  ), busy_tenants AS MATERIALIZED (
    SELECT tenant FROM running WHERE worker = ?1 GROUP BY tenant HAVING count(*) >= ?6
  ), busy_owners AS MATERIALIZED (
    SELECT r.tenant, l.owner FROM running r
    JOIN layer_numbers n ON n.tenant = r.tenant AND n.id = r.layer_id
    JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined = 1
    GROUP BY r.tenant, l.owner HAVING count(*) >= ?5
  )
  UPDATE jobs SET state = 'running', worker = ?1, started_at = ?2, lease_until = ?3, progress = ?4,
    attempts = attempts + 1, fence = fence + 1
  WHERE position = (
    SELECT position FROM jobs j
    WHERE (j.state = 'running' AND j.lease_until <= ?2
      OR j.state = 'queued' AND NOT EXISTS (
        SELECT 1 FROM jobs r
        WHERE r.tenant = j.tenant AND r.layer_id = j.layer_id AND r.state = 'running'))
      AND ${OF_ACTIVE_TENANT}
      AND NOT EXISTS (SELECT 1 FROM busy_tenants b WHERE b.tenant = j.tenant)
      AND NOT EXISTS (
        SELECT 1 FROM busy_owners b
        JOIN layer_numbers n ON n.tenant = b.tenant AND n.id = j.layer_id
        JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined = 1
          AND l.owner = b.owner
        WHERE b.tenant = j.tenant)
    ORDER BY position LIMIT 1)
  RETURNING ${JOB_COLUMNS}`;

type NewJob = Parameters<JobWrites['enqueue']>[1];

function insertJob(connection: Connection, tenant: Tenant, job: NewJob): void {
  connection
    .statement(
      `INSERT INTO jobs (tenant, job, layer_id, state, request, progress, attempts, fence, created_at)
       VALUES (?, ?, ?, 'queued', ?, ?, 0, 0, ?)`,
    )
    .run(
      tenant,
      job.job,
      job.layer_id,
      JSON.stringify(job.request),
      JSON.stringify(NO_PROGRESS),
      job.now,
    );
}

/** Puts a job back that ended in another store. */
export function insertEndedJob(connection: Connection, job: JobRecord & { tenant: Tenant }): void {
  connection
    .statement(
      `INSERT INTO jobs (tenant, job, layer_id, state, request, progress, attempts, fence, created_at,
         started_at, finished_at, report, error)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      job.tenant,
      job.job,
      job.layer_id,
      job.state,
      JSON.stringify(job.request),
      JSON.stringify(job.progress),
      job.attempts,
      job.attempts,
      job.created_at,
      job.started_at,
      job.finished_at,
      job.report && JSON.stringify(job.report),
      job.error && JSON.stringify(job.error),
    );
}

/** Unites the request with the one that waits for the layer; false when none does. */
function joinWaiting(connection: Connection, tenant: Tenant, job: NewJob): boolean {
  const waiting = findWaiting(connection, tenant, job.layer_id);
  if (waiting === undefined) return false;
  connection
    .statement('UPDATE jobs SET request = ? WHERE tenant = ? AND job = ?')
    .run(JSON.stringify(joinRequests(waiting.request, job.request)), tenant, waiting.job);
  return true;
}

function findWaiting(
  connection: Connection,
  tenant: Tenant,
  layer_id: string,
): JobRecord | undefined {
  const row = connection
    .statement<JobRow>(
      `SELECT ${JOB_COLUMNS} FROM jobs
       WHERE tenant = ? AND layer_id = ? AND state = 'queued' ORDER BY position DESC LIMIT 1`,
    )
    .get(tenant, layer_id);
  return row && toJob(row);
}

function getJob(connection: Connection, tenant: Tenant, job: string): JobRecord | undefined {
  const row = connection
    .statement<JobRow>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = ? AND job = ?`)
    .get(tenant, job);
  return row && toJob(row);
}

function listJobs(
  connection: Connection,
  tenant: Tenant,
  layer_id: string,
  limit: number,
): JobRow[] {
  if (layer_id === '') {
    return connection
      .statement<JobRow>(
        `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = ? ORDER BY position DESC ${LIMIT}`,
      )
      .all(tenant, limit);
  }
  return connection
    .statement<JobRow>(
      `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = ? AND layer_id = ? ORDER BY position DESC ${LIMIT}`,
    )
    .all(tenant, layer_id, limit);
}

function changed({ changes }: { changes: number | bigint }): boolean {
  return Number(changes) > 0;
}

export function toJob(row: JobRow): JobRecord {
  return {
    job: row.job,
    layer_id: row.layer_id,
    state: row.state,
    request: readJson(row.request),
    progress: readJson(row.progress),
    attempts: row.attempts,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    report: row.report === null ? null : readJson(row.report),
    error: row.error === null ? null : readJson(row.error),
  };
}
