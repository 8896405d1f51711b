import type { OutboxEvent } from '@catalog/core/ports/outbox';
import type { Receiver } from '@catalog/core/ports/receivers';

/** True if the filter of a receiver lets an event pass. */
export function isMatched({ event_filter }: Receiver, { body }: OutboxEvent): boolean {
  return event_filter === null || event_filter.includes(body.event);
}
