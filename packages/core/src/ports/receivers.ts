import type { Tenant } from './tenant.ts';

/** What an admin decides about a receiver. */
export interface ReceiverDefinition {
  url: string;
  secret: string;
  /** Signs beside `secret` until that time. */
  previous_secret: string | null;
  previous_secret_until: string | null;
  /** Null matches every event. */
  event_filter: readonly string[] | null;
  debounce_ms: number | null;
  /** One dispatch at a time, in the order of the events. */
  ordered: boolean;
  /** Why nothing is sent; null while it is enabled. */
  disabled_by: 'admin' | 'failures' | 'gone' | 'restore' | null;
}

/** A receiver of outbound webhooks. */
export interface Receiver extends ReceiverDefinition {
  id: string;
  created_at: string;
  /** Every event up to this one was dispatched or did not match. */
  cursor: number;
  /** When the open debounce window ends. */
  window_end: string | null;
  /** Nothing is sent before this time. */
  paused_until: string | null;
  /** Consecutive failed attempts, and when the first of them ended. */
  failure_count: number;
  failing_since: string | null;
  last_delivery: string | null;
  last_failure: string | null;
}

/** A receiver without what attempts and events changed about it: what a copy or a file holds. */
export type KeptReceiver = ReceiverDefinition & Pick<Receiver, 'id' | 'created_at'>;

/** How attempts changed what is known of a receiver. */
export type ReceiverHealth = Pick<
  Receiver,
  | 'disabled_by'
  | 'paused_until'
  | 'failure_count'
  | 'failing_since'
  | 'last_delivery'
  | 'last_failure'
>;

/** Receivers that events are sent to (HOOKOUT-25). */
export interface ReceiverReads {
  get(tenant: Tenant, id: string): Promise<Receiver | undefined>;
  /** In the order in which they were created. */
  list(tenant: Tenant): Promise<Receiver[]>;
}

export interface ReceiverWrites extends ReceiverReads {
  add(tenant: Tenant, receiver: Receiver): Promise<void>;
  /** Reads a receiver that nobody else changes before the transaction ends. */
  lock(tenant: Tenant, id: string): Promise<Receiver | undefined>;
  /** Replaces the definition, and closes the debounce window: the next look at the events opens it again. */
  define(tenant: Tenant, id: string, definition: ReceiverDefinition): Promise<void>;
  /** Records the outcome of attempts. */
  setHealth(tenant: Tenant, id: string, health: ReceiverHealth): Promise<void>;
  /** Moves the cursor, whatever it was. */
  setCursor(tenant: Tenant, id: string, cursor: number): Promise<void>;
  /** Removes a receiver and its dispatches; returns false if it did not exist. */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}
