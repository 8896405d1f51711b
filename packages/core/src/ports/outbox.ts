import type { EventBody } from '@catalog/contract/events';
import type { Tenant } from './tenant.ts';

/** `sequence` increases in commit order without gaps. */
export interface OutboxEvent {
  sequence: number;
  body: EventBody;
}

export interface OutboxReads {
  listAfter(tenant: Tenant, sequence: number, limit: number): Promise<OutboxEvent[]>;
  /**
   * Returns the newest assigned sequence and the oldest kept one. If no event is kept, `oldest` is
   * the next sequence. A reader at `oldest - 1` has therefore missed no event. Both are 0 before
   * the first event.
   */
  bounds(tenant: Tenant): Promise<{ oldest: number; newest: number }>;
  count(): Promise<number>;
}

export interface OutboxWrites extends OutboxReads {
  /** Must run in the transaction of the change that the events describe. */
  append(tenant: Tenant, events: readonly EventBody[]): Promise<void>;
  /** Deletes up to `most` events from before a time, the oldest first; returns how many. */
  prune(tenant: Tenant, before: string, max_deleted: number): Promise<number>;
}
