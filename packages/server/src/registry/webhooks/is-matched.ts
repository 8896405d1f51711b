import type { OutboxEvent } from '@catalog/core/ports/outbox';
import type { Receiver } from '@catalog/core/ports/receivers';

export function isMatched({ event_filter }: Receiver, { body }: OutboxEvent): boolean {
  return event_filter === null || event_filter.includes(body.event);
}
