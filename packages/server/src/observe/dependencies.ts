import { DEGRADABLE_PARTS, type DegradablePart } from '@catalog/contract/records/operations';
import { inTime } from '../adapters/in-time.ts';
import { startPeriodicTask, type PeriodicTask } from '../jobs/periodic-task.ts';
import type { Log } from './log.ts';

/** Availability of dependencies at the last check (SPEC-79). */
export interface Dependencies {
  listDegraded(): DegradablePart[];
  /** Checks all dependencies and logs each change once. Never rejects. */
  check(log: Log, signal: AbortSignal): Promise<void>;
}

export type DependencyCheck = (signal: AbortSignal) => Promise<void>;

const CHECK_INTERVAL_MS = 5000;
/** Timeout of a check; afterwards, the dependency counts as unavailable. */
const CHECK_LIMIT_MS = 4000;

const MESSAGES = {
  object_store: {
    lost: 'the object store is unavailable: large files cannot be stored or loaded',
    back: 'the object store has recovered',
  },
  identity_provider: {
    lost: 'the identity provider is unavailable: tokens are verified with cached keys for up to an hour',
    back: 'the identity provider has recovered',
  },
  embedding_provider: {
    lost: 'the embedding provider is unavailable: searches use keywords only',
    back: 'the embedding provider has recovered',
  },
  git_host: {
    lost: 'a git host is unavailable: its layers serve the content of their last ingest',
    back: 'the git hosts have recovered',
  },
} as const satisfies Record<DegradablePart, { lost: string; back: string }>;

export function createDependencies(
  checks: Readonly<Record<DegradablePart, DependencyCheck>>,
): Dependencies {
  const degraded = new Set<DegradablePart>();
  /** A check that hangs despite its signal is not started again, because another one would hang too. */
  const running = new Map<DegradablePart, Promise<void>>();

  function start(part: DegradablePart, signal: AbortSignal): Promise<void> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(CHECK_LIMIT_MS)]);
    const check = checks[part](limited).finally(() => running.delete(part));
    running.set(part, check);
    return check;
  }

  async function check(part: DegradablePart, log: Log, signal: AbortSignal): Promise<void> {
    try {
      await inTime(running.get(part) ?? start(part, signal), CHECK_LIMIT_MS);
      if (degraded.delete(part)) log.info({ part }, MESSAGES[part].back);
    } catch (error) {
      if (signal.aborted || degraded.has(part)) return;
      degraded.add(part);
      log.warn({ part, error }, MESSAGES[part].lost);
    }
  }

  return {
    listDegraded: () => DEGRADABLE_PARTS.filter((part) => degraded.has(part)),
    async check(log, signal) {
      await Promise.all(DEGRADABLE_PARTS.map((part) => check(part, log, signal)));
    },
  };
}

export function watchDependencies(dependencies: Dependencies, log: Log): PeriodicTask {
  return startPeriodicTask({
    interval_ms: CHECK_INTERVAL_MS,
    first: 'at_once',
    round: (signal) => dependencies.check(log, signal),
    onFailure: (error) => log.error({ error }, 'failed to check the dependencies'),
  });
}
