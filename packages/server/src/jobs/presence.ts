import { setTimeout as delay } from 'node:timers/promises';
import type { Locks } from '@catalog/core/ports/locks';
import type { Store } from '@catalog/core/ports/store';

export interface Presence {
  close(): Promise<void>;
}

/** After this a process that was cut off from the others tries again to show itself. */
const RETRY_MS = 1000;

function lockOf(worker: string): string {
  return `worker ${worker}`;
}

/** Shows others that a worker is there, for as long as its process lives; returns when they can see it. */
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
        // The store says so itself to whoever uses it. Work that others take for abandoned is fenced.
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

/** Puts up for claim what workers held whose process is gone; otherwise it waits until a lease ends. */
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
