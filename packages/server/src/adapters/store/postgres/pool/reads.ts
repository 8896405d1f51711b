import type { Server } from './observed-server.ts';
import type { Connection, Pool } from './pool.ts';
import { classify, translateError } from './postgres-error.ts';
import type { Reads } from '../../shared/queries.ts';
import type { Servers } from './servers.ts';

type Work<Result> = (connection: Connection) => Promise<Result>;

export type UseForReads = <Result>(work: Work<Result>) => Promise<Result>;

/** Maximum number of retries after conflicts with recovery: a standby then cancels a read. */
const MAX_CONFLICTS = 3;

const PROBE_AFTER_MS = 1_000;

/**
 * Retries reads after the loss of a server. If the last probe reached the primary, the primary is tried once more:
 * probably one connection broke, and a standby may lack data that the caller has already seen. After that, standbys are
 * tried, the most current one first (SPEC-35).
 */
export function useForReads(servers: Servers): UseForReads {
  return async (work) => {
    const first = servers.firstForReads();
    // A hanging server closes no connections: a probe detects it and interrupts its reads.
    const probeTimer = setInterval(() => void servers.lookAgain(), PROBE_AFTER_MS);
    try {
      return await useOne(first.pool, work);
    } catch (error) {
      return await readOnOtherServer(servers, work, first, error);
    } finally {
      clearInterval(probeTimer);
    }
  };
}

async function readOnOtherServer<Result>(
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

/** A server that failed the last probe may have recovered. */
async function findServer(
  servers: Servers,
  losses: ReadonlyMap<Server, number>,
): Promise<Server | undefined> {
  await servers.lookAgain();
  return nextServer(servers, losses);
}

function nextServer(servers: Servers, losses: ReadonlyMap<Server, number>): Server | undefined {
  const isWell = !servers.isPrimaryMissed;
  return servers.listForReads().find((server) => {
    const maxLosses = isWell && server === servers.primary ? 2 : 1;
    return (losses.get(server) ?? 0) < maxLosses;
  });
}

async function useOne<Result>(pool: Pool, work: Work<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.read(work);
    } catch (error) {
      if (classify(error) !== 'conflict' || attempt === MAX_CONFLICTS) throw error;
    }
  }
}

/** Returns true if the server is lost. A lack of free connections counts only if they wait for a hanging server. */
function isLost(error: unknown, server: Server, servers: Servers): boolean {
  const failure = classify(error);
  if (failure === 'lost') return true;
  return failure === 'busy' && server === servers.primary && servers.isPrimaryMissed;
}

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
