import type { Tenant } from './tenant.ts';

export type QuotaKind = 'search' | 'materialize' | 'source_test';

/** Checked before any work (SPEC-33). */
export interface Quota {
  /**
   * Takes an amount from the remaining quota, or throws the quota's error. `rate` is the tenant's
   * limit per second; zero is unlimited. Returns without a promise if the quota is known in memory.
   */
  take(tenant: Tenant, kind: QuotaKind, rate: number, amount: number): Promise<void> | undefined;
}

export type QuotaLease =
  | { kind: 'granted'; tokens: number }
  | { kind: 'spent'; retry_after_ms: number };

export interface QuotaLeases {
  /** Takes up to `tokens` from a bucket that fills by `rate` per second, by the clock of the store. */
  lease(
    tenant: Tenant,
    kind: QuotaKind,
    bucket: { rate: number; burst: number },
    tokens: number,
  ): Promise<QuotaLease>;
  /**
   * Counts the processes on the store, each of which has an equal share while no lease is
   * available.
   */
  countProcesses(): Promise<number>;
}
