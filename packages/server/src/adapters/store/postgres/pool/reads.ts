import type { Server } from './observed-server.ts';
import type { Connection, Pool } from './pool.ts';
import { classify, translateError } from './postgres-error.ts';
import type { Reads } from '../../shared/queries.ts';
import type { Servers } from './servers.ts';

type Work<Result> = (connection: Connection) => Promise<Result>;

/** Reads from the best server there is, and from the next one when that is lost. */
export type UseForReads = <Result>(work: Work<Result>) => Promise<Result>;

/** A standby takes a read back that is in the way of what it replays; it can be asked again. */
const MOST_CONFLICTS = 3;

/** A read that waits longer starts a probe. */
const PATIENCE_MS = 1_000;

/**
 * Reads change nothing, so one that loses its server is run again: once more on the primary where the
 * last probe found it well, since then only a connection broke and a standby may lack what this caller
 * was just told; then on the standbys, the most current one first (SPEC-35).
 */
export function useForReads(servers: Servers): UseForReads {
  return async (work) => {
    const first = servers.firstForReads();
    // A server that hangs closes no connection: only a probe finds it, and ends the reads there.
    const patience = setInterval(() => void servers.lookAgain(), PATIENCE_MS);
    try {
      return await useOne(first.pool, work);
    } catch (error) {
      return await readElsewhere(servers, work, first, error);
    } finally {
      clearInterval(patience);
    }
  };
}

async function readElsewhere<Result>(
  servers: Servers,
  work: Work<Result>,
  first: Server,
  cause: unknown,
): Promise<Result> {
  const losses = new Map<Server, number>();
  let lost = first;
  let failure = cause;
  for (;;) {
    if (!isLost(failure, lost, servers)) throw translateError(failure);
    losses.set(lost, (losses.get(lost) ?? 0) + 1);
    const next = nextServer(servers, losses) ?? (await findServer(servers, losses));
    if (next === undefined) throw translateError(failure);
    try {
      return await useOne(next.pool, work);
    } catch (error) {
      lost = next;
      failure = error;
    }
  }
}

/** One that was away at the last probe may be back. */
async function findServer(
  servers: Servers,
  losses: ReadonlyMap<Server, number>,
): Promise<Server | undefined> {
  await servers.lookAgain();
  return nextServer(servers, losses);
}

/** Asked anew after each loss: what the probes have found meanwhile counts. */
function nextServer(servers: Servers, losses: ReadonlyMap<Server, number>): Server | undefined {
  const isWell = !servers.isPrimaryMissed;
  return servers.listForReads().find((server) => {
    const most = isWell && server === servers.primary ? 2 : 1;
    return (losses.get(server) ?? 0) < most;
  });
}

async function useOne<Result>(pool: Pool, work: Work<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.read(work);
    } catch (error) {
      if (classify(error) !== 'conflict' || attempt === MOST_CONFLICTS) throw error;
    }
  }
}

/** A pool that is used up is no lost server, unless those who use it wait for one that hangs. */
function isLost(error: unknown, server: Server, servers: Servers): boolean {
  const failure = classify(error);
  if (failure === 'lost') return true;
  return failure === 'busy' && server === servers.primary && servers.isPrimaryMissed;
}

/** How sub-stores read, over one way to reach a connection. */
export function createReads(use: UseForReads): Reads {
  return {
    run: (tenant, step) => use(async (connection) => step(await connection.forTenant(tenant))),
    together: (tenant, step) =>
      use(async (connection) => {
        const queries = await connection.forTenant(tenant);
        await connection.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        try {
          return await step(queries);
        } finally {
          await connection.exec('COMMIT');
        }
      }),
  };
}
