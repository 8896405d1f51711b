import type { SessionChoice, SessionReads, SessionWrites } from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';

/** Choices kept at most; past it the oldest is forgotten. */
const MOST_CHOICES = 10_000;

interface Kept {
  choice: SessionChoice;
  expires_at: string;
}

/**
 * What sessions were given while the primary was away, in the memory of this process (decision 35). It
 * holds on after the primary is back, until it expires: a session goes on with what it was given. It is
 * never written to the store, where another process may have given the session something else.
 */
export function createSessionMemo(bound = MOST_CHOICES): SessionWrites {
  const choices = new Map<string, Kept>();

  function getKept(key: string, now: string): SessionChoice | undefined {
    const kept = choices.get(key);
    if (kept === undefined) return undefined;
    if (kept.expires_at > now) return kept.choice;
    choices.delete(key);
    return undefined;
  }

  return {
    get: async (tenant, session_id, id, now) => getKept(keyOf(tenant, session_id, id), now),
    async remember(tenant, session_id, id, choice, { now, expires_at }) {
      const key = keyOf(tenant, session_id, id);
      const kept = getKept(key, now);
      if (kept !== undefined) return kept;
      const [oldest] = choices.keys();
      if (choices.size >= bound && oldest !== undefined) choices.delete(oldest);
      choices.set(key, { choice, expires_at });
      return choice;
    },
    async prune(now, most) {
      let pruned = 0;
      for (const [key, { expires_at }] of choices) {
        if (expires_at > now || pruned >= most) continue;
        choices.delete(key);
        pruned += 1;
      }
      return pruned;
    },
  };
}

function keyOf(tenant: Tenant, session_id: string, id: string): string {
  return `${tenant}\0${session_id}\0${id}`;
}

/** The store's own choices, and where it has none, those in memory. */
export function withMemo(stored: SessionReads, memo: SessionReads): SessionReads {
  return {
    get: async (tenant, session_id, id, now) =>
      (await stored.get(tenant, session_id, id, now)) ?? memo.get(tenant, session_id, id, now),
  };
}
