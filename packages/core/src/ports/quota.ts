import type { Tenant } from './tenant.ts';

/** What a tenant can use up at a rate: searches, artifacts loaded, and tests of layer sources. */
export type QuotaKind = 'search' | 'materialize' | 'source_test';

/** How much of each a tenant may use (SPEC-33). Asked before any work is done. */
export interface Quota {
  /**
   * Takes so much of what is left now; throws the quota's own error when that is too little. `rate` is
   * the tenant's limit a second; zero is none. Answers without a promise where memory knows.
   */
  take(tenant: Tenant, kind: QuotaKind, rate: number, amount: number): Promise<void> | undefined;
}

/** A share of a rate that one process may spend, or how long nobody has any. */
export type QuotaLease =
  | { kind: 'granted'; tokens: number }
  | { kind: 'spent'; retry_after_ms: number };

/** The one bucket of each tenant and kind that every process draws from. */
export interface QuotaLeases {
  /**
   * Takes up to `tokens` from a bucket that fills by `rate` a second and holds `burst` at most, by the
   * clock of the store.
   */
  lease(
    tenant: Tenant,
    kind: QuotaKind,
    bucket: { rate: number; burst: number },
    tokens: number,
  ): Promise<QuotaLease>;
  /** How many processes are on the store now: what each has a share of while nothing can be leased. */
  countProcesses(): Promise<number>;
}
