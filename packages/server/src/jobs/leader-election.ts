import { setTimeout as delay } from 'node:timers/promises';
import type { HeldLock, Locks } from '@catalog/core/ports/locks';

export interface LeaderTasks {
  close(): Promise<void>;
}

export interface LeadOptions {
  /** Starts the tasks of the leader each time this process becomes the leader. */
  begin: () => Promise<LeaderTasks>;
  /** Called for the first of several consecutive failures. */
  onFailure: (cause: unknown) => void;
  retry_ms?: number;
}

interface Term {
  hold: HeldLock;
  duties: LeaderTasks;
}

/** Name of the leader lock, which is held whenever a registry uses the store. */
export const LEADER = 'leader';
const RETRY_MS = 1000;

/**
 * Elects one process of a store as the leader, and a successor when the leader ends or loses its connection. Resolves
 * after the first election, and after the start of the tasks if this process leads.
 */
export async function startLeaderElection(
  locks: Locks,
  options: LeadOptions,
): Promise<LeaderTasks> {
  const { begin, onFailure, retry_ms = RETRY_MS } = options;
  const closing = new AbortController();
  let isFailing = false;

  async function tryLead(): Promise<Term | undefined> {
    let hold: HeldLock | undefined;
    try {
      hold = await locks.tryTake(LEADER);
      const term = hold && { hold, duties: await begin() };
      isFailing = false;
      return term;
    } catch (cause) {
      await hold?.release();
      if (!isFailing) onFailure(cause);
      isFailing = true;
      return undefined;
    }
  }

  async function serve({ hold, duties }: Term): Promise<void> {
    const end = AbortSignal.any([hold.lost, closing.signal]);
    if (!end.aborted) await new Promise((resolve) => end.addEventListener('abort', resolve));
    await duties.close();
    await hold.release();
  }

  async function runElections(first: Term | undefined): Promise<void> {
    for (let term = first; ; term = await tryLead()) {
      if (term !== undefined) await serve(term);
      else await delay(retry_ms, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (closing.signal.aborted) return;
    }
  }

  const leading = runElections(await tryLead());
  return {
    close: async () => {
      closing.abort();
      await leading;
    },
  };
}
