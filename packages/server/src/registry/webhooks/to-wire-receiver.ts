import { formatDuration } from '@catalog/contract/duration';
import { MASKED_SECRET, NEVER, type WebhookReceiver } from '@catalog/contract/records/webhook';
import type { Receiver } from '@catalog/core/ports/receivers';

export function toWireReceiver(receiver: Receiver): WebhookReceiver {
  const { id, url, event_filter, disabled_by, failure_count, created_at, debounce_ms } = receiver;
  return {
    id,
    url,
    secret: MASKED_SECRET,
    event_filter: event_filter === null ? null : [...event_filter],
    disabled: disabled_by !== null,
    ...(disabled_by === null ? {} : { disabled_by }),
    failure_count,
    last_delivery: receiver.last_delivery ?? NEVER,
    last_failure: receiver.last_failure ?? NEVER,
    created_at,
    ...(debounce_ms === null ? {} : { debounce: formatDuration(debounce_ms) }),
    ...(receiver.ordered ? { ordered: true } : {}),
  };
}
