import type { EventBody } from '@catalog/contract/events';
import type { Tenant } from './tenant.ts';

/** Event in the outbox. `sequence` increases in commit order without gaps. */
export interface OutboxEvent {
  sequence: number;
  body: EventBody;
}

export interface OutboxReads {
  listAfter(tenant: Tenant, sequence: number, limit: number): Promise<OutboxEvent[]>;
  /**
   * Returns the newest sequence and the oldest kept one. Without kept events, `oldest` is the next sequence, so a
   * reader at `oldest - 1` has missed none. Both are 0 before the first event.
   */
  bounds(tenant: Tenant): Promise<{ oldest: number; newest: number }>;
  count(): Promise<number>;
}

export interface OutboxWrites extends OutboxReads {
  /** Appends events. Call it in the transaction of the change that they describe. */
  append(tenant: Tenant, events: readonly EventBody[]): Promise<void>;
  /** Deletes old events, at most a given number, oldest first, and returns how many. */
  prune(tenant: Tenant, before: string, max_deleted: number): Promise<number>;
}
