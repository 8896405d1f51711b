import { setTimeout as delay } from 'node:timers/promises';
import type { Hold, Locks } from '@catalog/core/ports/locks';

/** What one process does for all. */
export interface Duties {
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface LeadOptions {
  /** Takes the duties up; called each time this process becomes the one. */
  begin: () => Promise<Duties>;
  /** Told once when it cannot be found out who leads, until it can again. */
  onFailure: (cause: unknown) => void;
  /** How often one that does not lead asks whether it can. */
  retry_ms?: number;
}

/** The time in which this process leads. */
interface Term {
  hold: Hold;
  duties: Duties;
}

/** The lock that somebody has whenever a registry serves from the store. */
export const LEADER = 'leader';
const RETRY_MS = 1000;

/**
 * Of all processes on a store one leads: the first that asks, and when it ends or is cut off, another.
 * Returns when it is known whether that is this one, and if it is, when its duties have begun.
 */
export async function startLeading(locks: Locks, options: LeadOptions): Promise<Duties> {
  const { begin, onFailure, retry_ms = RETRY_MS } = options;
  const closing = new AbortController();
  let isFailing = false;

  async function tryLead(): Promise<Term | undefined> {
    let hold: Hold | undefined;
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

  async function keepOn(first: Term | undefined): Promise<void> {
    for (let term = first; ; term = await tryLead()) {
      if (term !== undefined) await serve(term);
      else await delay(retry_ms, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (closing.signal.aborted) return;
    }
  }

  const leading = keepOn(await tryLead());
  return {
    close: async () => {
      closing.abort();
      await leading;
    },
  };
}
