import type { QuotaLeases } from '@catalog/core/ports/quota';
import { monotonicMs } from '../clock.ts';

/**
 * Creates the token buckets of a store with a single process. Each bucket stores only the time when
 * it will be full again (generic cell rate algorithm).
 */
export function createLocalQuotaLeases(): QuotaLeases {
  const full_at = new Map<string, number>();
  return {
    async lease(tenant, kind, { rate, burst }, wanted) {
      const key = `${tenant} ${kind}`;
      const now = monotonicMs();
      const token_ms = 1000 / rate;
      // Limits the debt of a bucket to its size, also after the rate has changed.
      const due = Math.min(Math.max(full_at.get(key) ?? now, now), now + burst * token_ms);
      const left = burst - (due - now) / token_ms;
      const tokens = Math.max(0, Math.min(wanted, Math.floor(left)));
      full_at.set(key, due + tokens * token_ms);
      return tokens > 0
        ? { kind: 'granted', tokens }
        : { kind: 'spent', retry_after_ms: Math.ceil((1 - left) * token_ms) };
    },
    countProcesses: async () => 1,
  };
}
