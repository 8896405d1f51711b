import { setTimeout as delay } from 'node:timers/promises';
import type { Locks } from '@catalog/core/ports/locks';
import type { Store } from '@catalog/core/ports/store';

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

/** Ends the leases of workers whose processes have ended, so that their jobs can be claimed immediately. */
export async function endLeasesOfAbsent(store: Store): Promise<void> {
  const workers = [...(await store.jobs.listWorkers()), ...(await store.dispatches.listWorkers())];
  for (const worker of new Set(workers)) {
    const hold = await store.locks.tryTake(lockOf(worker));
    if (hold === undefined) continue;
    try {
      await store.transaction(async ({ jobs, dispatches }) => {
        await jobs.endLeases(worker);
        await dispatches.endClaims(worker);
      });
    } finally {
      await hold.release();
    }
  }
}
