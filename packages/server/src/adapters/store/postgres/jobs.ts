import { joinRequests } from '@catalog/core/ingest/join-requests';
import type { JobProgress, JobReads, JobRecord, JobWrites } from '@catalog/core/ports/jobs';
import type { Tenant } from '@catalog/core/ports/tenant';
import { UNLIMITED_LANES } from '../unlimited-lanes.ts';
import { NO_TENANT, type Queries, type Run } from './queries.ts';
import type { Transaction } from './transaction.ts';

export const JOB_COLUMNS = `job, layer_id, state, request, progress, attempts, created_at, started_at,
  finished_at, report, error`;
const GET = `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = $1 AND job = $2`;
const LIST = `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = $1 ORDER BY position DESC LIMIT $2`;
const LIST_OF_LAYER = `SELECT ${JOB_COLUMNS} FROM jobs WHERE tenant = $1 AND layer_id = $2
  ORDER BY position DESC LIMIT $3`;
const FIND_WAITING = `SELECT ${JOB_COLUMNS} FROM jobs
  WHERE tenant = $1 AND layer_id = $2 AND state = 'queued' ORDER BY position DESC LIMIT 1 FOR UPDATE`;
const JOIN = 'UPDATE jobs SET request = $3 WHERE tenant = $1 AND job = $2';
const INSERT = `INSERT INTO jobs (tenant, job, layer_id, state, request, progress, created_at)
  VALUES ($1, $2, $3, 'queued', $4, $5, $6)
  ON CONFLICT (tenant, layer_id) WHERE state = 'queued' AND fence = 0 DO NOTHING
  RETURNING ${JOB_COLUMNS}`;
const CLAIM = 'SELECT tenant, job, fence FROM claim_job_in_lanes($1, $2, $3, $4, $5, $6)';
/** A job that is still this fence's. */
const HELD = `tenant = $1 AND job = $2 AND fence = $3 AND state = 'running'`;
// Keeps others from claiming it, and lets its holder extend the lease from another connection.
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

export function jobReads(run: Run): JobReads {
  return {
    get: (tenant, job) => run(tenant, (queries) => queries.row<JobRecord>(GET, tenant, job)),
    list: (tenant, layer_id, limit) =>
      run(tenant, (queries) =>
        layer_id === ''
          ? queries.rows<JobRecord>(LIST, tenant, limit)
          : queries.rows<JobRecord>(LIST_OF_LAYER, tenant, layer_id, limit),
      ),
    listWorkers: () =>
      run(NO_TENANT, async (queries) => {
        const rows = await queries.rows<{ worker: string }>('SELECT worker FROM job_workers()');
        return rows.map(({ worker }) => worker);
      }),
    depth: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row<Awaited<ReturnType<JobReads['depth']>>>(
          'SELECT queued, running, oldest_created_at FROM job_depth()',
        );
        return row ?? { queued: 0, running: 0, oldest_created_at: null };
      }),
  };
}

/** Jobs lock themselves: whoever changes the tenant at the same time does not hold them up. */
export function jobWrites(transaction: Transaction): JobWrites {
  const { beside } = transaction;
  return {
    ...jobReads(beside),
    async enqueue(tenant, job) {
      const record = await beside(tenant, (queries) => enqueue(queries, tenant, job));
      transaction.announce();
      return record;
    },
    async claim({ name, now, lease_until, lanes }) {
      const claimed = await beside(NO_TENANT, (queries) =>
        queries.row<{ tenant: Tenant; job: string; fence: number }>(
          CLAIM,
          name,
          now,
          lease_until,
          JSON.stringify(NO_PROGRESS),
          lanes?.owner ?? UNLIMITED_LANES,
          lanes?.tenant ?? UNLIMITED_LANES,
        ),
      );
      if (claimed === undefined) return undefined;
      const { tenant, job, fence } = claimed;
      const record = await beside(tenant, (queries) => queries.row<JobRecord>(GET, tenant, job));
      if (record === undefined) throw new Error(`Job ${job} was claimed and is not there.`);
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
      await beside(NO_TENANT, (queries) => queries.run('SELECT end_leases($1)', worker));
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

/** Runs a change of one held job; false when it is no longer its holder's. */
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
    // Waits for a worker that is claiming it, and then does not find it.
    const waiting = await queries.row<JobRecord>(FIND_WAITING, tenant, layer_id);
    if (waiting !== undefined) {
      const joined = joinRequests(waiting.request, request);
      await queries.run(JOIN, tenant, waiting.job, JSON.stringify(joined));
      return { ...waiting, request: joined };
    }
    const nothing = JSON.stringify(NO_PROGRESS);
    const wanted = JSON.stringify(request);
    const added = await queries.row<JobRecord>(INSERT, tenant, job, layer_id, wanted, nothing, now);
    if (added !== undefined) return added;
    // Somebody else was first: it waits now, to be joined.
  }
}
