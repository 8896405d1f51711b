import type { Tenant } from './tenant.ts';

/** What a tenant can use up at a rate: searches, and artifacts loaded. */
export type QuotaKind = 'search' | 'materialize';

/** How much of each a tenant may use (decision 33). Asked before any work is done. */
export interface Quota {
  /** Takes so much of what is left now; throws the quota's own error when that is too little. */
  take(tenant: Tenant, kind: QuotaKind, amount: number): Promise<void>;
}
