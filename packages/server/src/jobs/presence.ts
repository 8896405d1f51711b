import { setTimeout as delay } from 'node:timers/promises';
import type { Locks } from '@catalog/core/ports/locks';
import { recordInterruptedReads } from '../registry/audit/store-reads.ts';
import type { Registry } from '../registry/registry.ts';

export interface Presence {
  close(): Promise<void>;
}

const RETRY_MS = 1000;

function lockOf(worker: string): string {
  return `worker ${worker}`;
}

/** Shows to other processes that a worker is running. Resolves when they can see it. */
export async function showPresence(locks: Locks, worker: string): Promise<Presence> {
  const closing = new AbortController();
  const shown = Promise.withResolvers<void>();

  async function showOnce(): Promise<void> {
    const hold = await locks.take(lockOf(worker), closing.signal);
    shown.resolve();
    const end = AbortSignal.any([hold.lost, closing.signal]);
    if (!end.aborted) await new Promise((resolve) => end.addEventListener('abort', resolve));
    await hold.release();
  }

  async function show(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await showOnce();
      } catch {
        // Without presence, other processes may claim the jobs; fences then reject writes of this worker.
        shown.resolve();
        await delay(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      }
    }
  }

  const showing = show();
  await shown.promise;
  return {
    close: async () => {
      closing.abort();
      await showing;
    },
  };
}

/**
 * Ends the leases of workers whose processes are gone, which would otherwise block their jobs until
 * the leases end, and records that their last reads are missing.
 */
export async function endWorkOfAbsent(registry: Registry): Promise<void> {
  const { store } = registry;
  const { jobs, dispatches, read_log } = store;
  const workers = [...(await jobs.listWorkers()), ...(await dispatches.listWorkers())];
  const writers = (await read_log.listWriters()).map(({ process }) => process);
  for (const worker of new Set([...workers, ...writers])) {
    const hold = await store.locks.tryTake(lockOf(worker));
    if (hold === undefined) continue;
    try {
      await store.transaction(async (writes) => {
        await writes.jobs.endLeases(worker);
        await writes.dispatches.endClaims(worker);
      });
      await recordInterruptedReads(registry, worker);
    } finally {
      await hold.release();
    }
  }
}
