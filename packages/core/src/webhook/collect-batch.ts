import type { OutboxEvent } from '../ports/outbox.ts';

/** Events of one debounce window: the last one of those with the same name and subject. */
export class WindowEvents {
  readonly #events = new Map<string, OutboxEvent>();

  get size(): number {
    return this.#events.size;
  }

  add(event: OutboxEvent): void {
    const key = windowKey(event);
    // Inserts the event again, so that the order is that of the sent events.
    this.#events.delete(key);
    this.#events.set(key, event);
  }

  list(): OutboxEvent[] {
    return [...this.#events.values()];
  }
}

/** Returns name and subject of an event: its artifact, domain or layer (EVENT-26 to EVENT-29). */
function windowKey({ body: { event, data } }: OutboxEvent): string {
  const subject = data['id'] ?? data['domain'] ?? data['layer'];
  return `${event} ${String(subject)}`;
}
