import type { Tenant } from './tenant.ts';

export type QuotaKind = 'search' | 'materialize' | 'source_test';

/** Quotas, checked before any work (SPEC-33). */
export interface Quota {
  /**
   * Uses quota, or throws if none is left. `rate` is the tenant's limit per second; zero is unlimited. Returns without
   * a promise if memory is sufficient to decide.
   */
  take(tenant: Tenant, kind: QuotaKind, rate: number, amount: number): Promise<void> | undefined;
}

export type QuotaLease =
  | { kind: 'granted'; tokens: number }
  | { kind: 'spent'; retry_after_ms: number };

export interface QuotaLeases {
  /** Leases up to `tokens` from a bucket that fills by `rate` per second, by the clock of the store. */
  lease(
    tenant: Tenant,
    kind: QuotaKind,
    bucket: { rate: number; burst: number },
    tokens: number,
  ): Promise<QuotaLease>;
  /** Counts the processes of the store, which share the rate while no lease is available. */
  countProcesses(): Promise<number>;
}
