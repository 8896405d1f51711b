import {
  MAX_ANONYMOUS_CHOICES,
  type SessionChoice,
  type SessionKey,
  type SessionReads,
  type SessionWrites,
} from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';

interface Kept {
  choice: SessionChoice;
  expires_at: string;
}

/**
 * Creates a cache for the choices of sessions while the primary is unavailable (SPEC-35). Cached choices are never
 * written to the store, where another process may have stored different ones. Choices with and without a subject have
 * separate limits; above a limit, the oldest choice is removed.
 */
export function createSessionCache(bound = MAX_ANONYMOUS_CHOICES): SessionWrites {
  const named = new Map<string, Kept>();
  const anonymous = new Map<string, Kept>();

  function choicesOf({ subject }: SessionKey): Map<string, Kept> {
    return subject === '' ? anonymous : named;
  }

  function getKept(
    choices: Map<string, Kept>,
    key: string,
    now: string,
  ): SessionChoice | undefined {
    const kept = choices.get(key);
    if (kept === undefined) return undefined;
    if (kept.expires_at > now) return kept.choice;
    choices.delete(key);
    return undefined;
  }

  return {
    get: async (tenant, session, id, now) =>
      getKept(choicesOf(session), keyOf(tenant, session, id), now),
    async remember(tenant, session, id, choice, { now, expires_at }) {
      const choices = choicesOf(session);
      const key = keyOf(tenant, session, id);
      const kept = getKept(choices, key, now);
      if (kept !== undefined) return kept;
      const [oldest] = choices.keys();
      if (choices.size >= bound && oldest !== undefined) choices.delete(oldest);
      choices.set(key, { choice, expires_at });
      return choice;
    },
    async prune(now, max_deleted) {
      let pruned = 0;
      for (const choices of [named, anonymous]) {
        for (const [key, { expires_at }] of choices) {
          if (expires_at > now || pruned >= max_deleted) continue;
          choices.delete(key);
          pruned += 1;
        }
      }
      return pruned;
    },
  };
}

function keyOf(tenant: Tenant, { subject, session_id }: SessionKey, id: string): string {
  return `${tenant}\0${subject}\0${session_id}\0${id}`;
}

export function withMemo(stored: SessionReads, memo: SessionReads): SessionReads {
  return {
    get: async (tenant, session, id, now) =>
      (await stored.get(tenant, session, id, now)) ?? memo.get(tenant, session, id, now),
  };
}
