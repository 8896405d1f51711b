import type { NewDispatch } from '../../ports/dispatches.ts';
import type { Receiver } from '../../ports/receivers.ts';
import { T1 } from '../samples.conformance.ts';

export function sampleReceiver(id: string, given: Partial<Receiver> = {}): Receiver {
  return {
    id,
    url: 'https://hooks.example.com/catalog',
    secret: 'a secret',
    previous_secret: null,
    previous_secret_until: null,
    event_filter: null,
    debounce_ms: null,
    ordered: false,
    disabled_by: null,
    created_at: T1,
    cursor: 0,
    window_end: null,
    paused_until: null,
    failure_count: 0,
    failing_since: null,
    last_delivery: null,
    last_failure: null,
    ...given,
  };
}

export function sampleDispatch(id: string, given: Partial<NewDispatch> = {}): NewDispatch {
  return {
    id,
    receiver: 'r',
    event: 'layer.ingested',
    cursor: 1,
    body: `{"id":"${id}"}`,
    created_at: T1,
    not_before: T1,
    worker: null,
    ...given,
  };
}
