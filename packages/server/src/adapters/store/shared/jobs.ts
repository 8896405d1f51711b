import { joinRequests } from '@catalog/core/ingest/join-requests';
import type { JobProgress, JobReads, JobRecord, JobWrites } from '@catalog/core/ports/jobs';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import { UNLIMITED_LANES } from '../unlimited-lanes.ts';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';
import type { Sql } from './sql.ts';
import { columnNames, plainTable, readRow } from './table.ts';

type JobRow = PlainRows['jobs'];

const JOBS = plainTable('jobs');
const JOB_COLUMNS = columnNames(JOBS);
const GET: Sql<JobRow> = `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = $1 AND job = $2`;
const LIST: Sql<JobRow> = `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = $1 ORDER BY position DESC LIMIT $2`;
const LIST_OF_LAYER: Sql<JobRow> = `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = $1 AND layer_id = $2
  ORDER BY position DESC LIMIT $3`;
const LIST_FAILED: Sql<JobRow> = `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = $1 AND state = 'failed'
    AND finished_at > $2 AND position IN (
      SELECT max(position) FROM jobs WHERE tenant = $1 GROUP BY layer_id)
  ORDER BY position`;
const FIND_WAITING: Sql<JobRow> = `SELECT ${JOB_COLUMNS} FROM jobs
  WHERE tenant = $1 AND layer_id = $2 AND state = 'queued' ORDER BY position DESC LIMIT 1 FOR UPDATE`;
const JOIN = 'UPDATE jobs SET request = $3 WHERE tenant = $1 AND job = $2';
const INSERT: Sql<JobRow> = `INSERT INTO jobs (tenant, job, layer_id, state, request, progress, attempts, fence,
    created_at, personal)
  VALUES ($1, $2, $3, 'queued', $4, $5, 0, 0, $6, EXISTS (
    SELECT 1 FROM layer_numbers n
    JOIN layers l ON l.tenant = n.tenant AND l.number = n.number AND l.user_defined
    WHERE n.tenant = $1 AND n.id = $3)) ON CONFLICT DO NOTHING
  RETURNING ${JOB_COLUMNS}`;
const INSERT_FAILED = `INSERT INTO jobs (tenant, job, layer_id, state, request, progress, attempts, fence,
    created_at, finished_at, error)
  SELECT $1, $2, $3, 'failed', $4, $5, 0, 0, $6, $6, $7 WHERE NOT EXISTS (
    SELECT 1 FROM jobs WHERE tenant = $1 AND layer_id = $3 AND state IN ('queued', 'running'))`;
const HELD = `tenant = $1 AND job = $2 AND fence = $3 AND state = 'running'`;
// Locks a job against other workers. Its holder can still extend the lease from another connection.
const HOLD = `SELECT 1 FROM jobs WHERE ${HELD} FOR KEY SHARE`;
const BEAT = `UPDATE jobs SET lease_until = $4, progress = $5 WHERE ${HELD}`;
const FINISH = `UPDATE jobs SET state = $4, finished_at = $5, report = $6, error = $7, worker = NULL,
  lease_until = NULL WHERE ${HELD}`;
const RELEASE = `UPDATE jobs SET state = 'queued', started_at = NULL, progress = $4, worker = NULL,
  lease_until = NULL WHERE ${HELD}`;
const CANCEL = `UPDATE jobs SET state = 'failed', finished_at = $3, error = $4, worker = NULL,
  lease_until = NULL WHERE tenant = $1 AND layer_id = $2 AND state IN ('queued', 'running')`;
const PRUNE = `DELETE FROM jobs WHERE tenant = $1 AND job IN (
  SELECT job FROM (
    SELECT job, row_number() OVER (PARTITION BY layer_id ORDER BY position DESC) AS age
    FROM jobs WHERE tenant = $1 AND state IN ('done', 'failed')) ended
  WHERE age > $2)`;

const NO_PROGRESS: JobProgress = { phase: '', done: 0, total: 0 };

export function jobReads(run: Run, dialect: Dialect): JobReads {
  return {
    get: (tenant, job) => run(tenant, (queries) => getJob(queries, tenant, job)),
    list: (tenant, layer_id, limit) =>
      run(tenant, async (queries) => {
        const rows = await (layer_id === ''
          ? queries.rows(LIST, tenant, limit)
          : queries.rows(LIST_OF_LAYER, tenant, layer_id, limit));
        return rows.map(toJob);
      }),
    listFailed: (tenant, since) =>
      run(tenant, async (queries) => {
        const rows = await queries.rows(LIST_FAILED, tenant, since);
        return rows.map(toJob);
      }),
    listFailedTenants: (since) =>
      run(NO_TENANT, async (queries) => {
        const rows = await queries.rows(dialect.FAILED_TENANTS, since);
        return rows.map(({ tenant }) => tenant);
      }),
    listWorkers: () =>
      run(NO_TENANT, async (queries) => {
        const rows = await queries.rows(dialect.JOB_WORKERS);
        return rows.map(({ worker }) => worker);
      }),
    depth: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row(dialect.JOB_DEPTH);
        return row ?? { queued: 0, running: 0, oldest_created_at: null };
      }),
  };
}

/** Creates the writes of jobs. They use row locks of jobs, so that other changes to the tenant do not wait. */
export function jobWrites(transaction: Transaction, dialect: Dialect): JobWrites {
  const { beside } = transaction;
  return {
    ...jobReads(beside, dialect),
    async enqueue(tenant, job) {
      const record = await beside(tenant, (queries) => enqueue(queries, tenant, job));
      transaction.announce();
      return record;
    },
    async addFailed(tenant, { job, layer_id, request, error, now }) {
      const [wanted, nothing] = [JSON.stringify(request), JSON.stringify(NO_PROGRESS)];
      const reason = JSON.stringify(error);
      const added = await beside(tenant, (queries) =>
        queries.run(INSERT_FAILED, tenant, job, layer_id, wanted, nothing, now, reason),
      );
      if (added > 0) transaction.announce();
    },
    async claim({ name, now, lease_until, lanes }) {
      const claimed = await beside(NO_TENANT, (queries) =>
        queries.row(
          dialect.CLAIM_JOB,
          name,
          now,
          lease_until,
          JSON.stringify(NO_PROGRESS),
          lanes?.owner ?? UNLIMITED_LANES,
          lanes?.tenant ?? UNLIMITED_LANES,
          lanes?.personal ?? UNLIMITED_LANES,
        ),
      );
      if (claimed === undefined) return undefined;
      const { tenant, job, fence } = claimed;
      const record = await beside(tenant, (queries) => getJob(queries, tenant, job));
      if (record === undefined) throw new Error(`Job ${job} was claimed but does not exist.`);
      return { tenant, record, fence };
    },
    holds: (tenant, job, fence) =>
      beside(tenant, async (queries) => {
        const row = await queries.row(HOLD, tenant, job, fence);
        return row !== undefined;
      }),
    beat: (tenant, job, fence, { lease_until, progress }) =>
      changes(beside, BEAT, [tenant, job, fence, lease_until, JSON.stringify(progress)]),
    async finish(tenant, job, fence, { outcome, now }) {
      const ended = await changes(beside, FINISH, [
        tenant,
        job,
        fence,
        outcome.kind,
        now,
        outcome.report === undefined ? null : JSON.stringify(outcome.report),
        outcome.kind === 'failed' ? JSON.stringify(outcome.error) : null,
      ]);
      if (ended) transaction.announce();
      return ended;
    },
    async cancel(tenant, layer_id, { error, now }) {
      const ended = await beside(tenant, (queries) =>
        queries.run(CANCEL, tenant, layer_id, now, JSON.stringify(error)),
      );
      if (ended > 0) transaction.announce();
    },
    async endLeases(worker) {
      await beside(NO_TENANT, (queries) => queries.run(dialect.END_LEASES, worker));
      transaction.announce();
    },
    async release(tenant, job, fence) {
      const nothing = JSON.stringify(NO_PROGRESS);
      const released = await changes(beside, RELEASE, [tenant, job, fence, nothing]);
      if (released) transaction.announce();
      return released;
    },
    prune: (tenant, keep) =>
      beside(tenant, async (queries) => void (await queries.run(PRUNE, tenant, keep))),
  };
}

/** Changes a job. Returns false if the caller no longer holds the lease. */
function changes(
  run: Run,
  sql: string,
  parameters: [tenant: Tenant, job: string, fence: number, ...more: (string | null)[]],
): Promise<boolean> {
  return run(parameters[0], async (queries) => (await queries.run(sql, ...parameters)) === 1);
}

async function enqueue(
  queries: Queries,
  tenant: Tenant,
  { job, layer_id, request, now }: Parameters<JobWrites['enqueue']>[1],
): Promise<JobRecord> {
  for (;;) {
    // If a worker is just claiming the job, this statement waits and then returns nothing.
    const row = await queries.row(FIND_WAITING, tenant, layer_id);
    if (row !== undefined) {
      const waiting = toJob(row);
      const joined = joinRequests(waiting.request, request);
      await queries.run(JOIN, tenant, waiting.job, JSON.stringify(joined));
      return { ...waiting, request: joined };
    }
    const nothing = JSON.stringify(NO_PROGRESS);
    const wanted = JSON.stringify(request);
    const added = await queries.row(INSERT, tenant, job, layer_id, wanted, nothing, now);
    if (added !== undefined) return toJob(added);
    // Another request queued a job first, so this request joins that job.
  }
}

async function getJob(
  queries: Queries,
  tenant: Tenant,
  job: string,
): Promise<JobRecord | undefined> {
  const row = await queries.row(GET, tenant, job);
  return row && toJob(row);
}

function toJob(row: JobRow): JobRecord {
  const { tenant: _, fence: __, ...record } = readRow(JOBS, row);
  return record;
}
