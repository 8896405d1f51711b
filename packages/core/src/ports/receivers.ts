import type { Tenant } from './tenant.ts';

export interface ReceiverDefinition {
  url: string;
  secret: string;
  /** Former secret, which also signs until `previous_secret_until`. */
  previous_secret: string | null;
  previous_secret_until: string | null;
  /** Names of matching events; null for all. */
  event_filter: readonly string[] | null;
  debounce_ms: number | null;
  /** True to send dispatches one by one, in the order of the events. */
  ordered: boolean;
  disabled_by: 'admin' | 'failures' | 'gone' | 'restore' | null;
}

export interface Receiver extends ReceiverDefinition {
  id: string;
  created_at: string;
  /** Last event that was dispatched or did not match. */
  cursor: number;
  window_end: string | null;
  paused_until: string | null;
  /** Number of consecutive failures; `failing_since` is the time of the first one. */
  failure_count: number;
  failing_since: string | null;
  last_delivery: string | null;
  last_failure: string | null;
}

export type KeptReceiver = ReceiverDefinition & Pick<Receiver, 'id' | 'created_at'>;

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
  /** Lists receivers in the order of their creation. */
  list(tenant: Tenant): Promise<Receiver[]>;
}

export interface ReceiverWrites extends ReceiverReads {
  add(tenant: Tenant, receiver: Receiver): Promise<void>;
  /** Returns a receiver and locks it until the transaction ends. */
  lock(tenant: Tenant, id: string): Promise<Receiver | undefined>;
  /** Replaces the definition of a receiver and closes its debounce window, which the next check opens again. */
  define(tenant: Tenant, id: string, definition: ReceiverDefinition): Promise<void>;
  setHealth(tenant: Tenant, id: string, health: ReceiverHealth): Promise<void>;
  setCursor(tenant: Tenant, id: string, cursor: number): Promise<void>;
  remove(tenant: Tenant, id: string): Promise<boolean>;
}
