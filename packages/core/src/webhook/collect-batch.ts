import type { OutboxEvent } from '../ports/outbox.ts';

/** Events of a debounce window: of those with the same name and subject, the last one. */
export class WindowEvents {
  readonly #events = new Map<string, OutboxEvent>();

  get size(): number {
    return this.#events.size;
  }

  add(event: OutboxEvent): void {
    const key = windowKey(event);
    // The event is inserted again, so that the order is that of the last events.
    this.#events.delete(key);
    this.#events.set(key, event);
  }

  list(): OutboxEvent[] {
    return [...this.#events.values()];
  }
}

/** Returns the key of an event: its name, and its artifact, domain or layer (EVENT-26 to EVENT-29). */
function windowKey({ body: { event, data } }: OutboxEvent): string {
  const subject = data['id'] ?? data['domain'] ?? data['layer'];
  return `${event} ${String(subject)}`;
}
