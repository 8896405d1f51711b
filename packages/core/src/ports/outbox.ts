import type { EventBody } from '@catalog/contract/events';
import type { Tenant } from './tenant.ts';

/** An event that was committed. `sequence` rises in the order of commit, without a gap a reader could miss. */
export interface OutboxEvent {
  sequence: number;
  body: EventBody;
}

export interface OutboxReads {
  /** Events after a sequence, oldest first. */
  listAfter(tenant: Tenant, sequence: number, limit: number): Promise<OutboxEvent[]>;
  /**
   * The newest sequence ever given, and the oldest that is still kept: the one to come when none is,
   * so that a reader who has seen `oldest - 1` has missed nothing. Both 0 before the first event.
   */
  bounds(tenant: Tenant): Promise<{ oldest: number; newest: number }>;
  /** How many events are kept, of all tenants: for metrics. */
  count(): Promise<number>;
}

export interface OutboxWrites extends OutboxReads {
  /** In the transaction of the fact it tells of. */
  append(tenant: Tenant, events: readonly EventBody[]): Promise<void>;
  /** Forgets events from before a moment, the oldest first and so many at most; answers how many. */
  prune(tenant: Tenant, before: string, most: number): Promise<number>;
}
