import type { KeptReceiver, Receiver } from '../ports/receivers.ts';

export function toKept(receiver: Receiver): KeptReceiver {
  const { id, url, secret, previous_secret, previous_secret_until } = receiver;
  const { event_filter, debounce_ms, ordered, disabled_by, created_at } = receiver;
  return {
    id,
    url,
    secret,
    previous_secret,
    previous_secret_until,
    event_filter,
    debounce_ms,
    ordered,
    disabled_by,
    created_at,
  };
}

export function newReceiver(kept: KeptReceiver, cursor: number): Receiver {
  return {
    ...kept,
    cursor,
    window_end: null,
    paused_until: null,
    failure_count: 0,
    failing_since: null,
    last_delivery: null,
    last_failure: null,
  };
}
