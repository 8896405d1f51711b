import type { OutboxEvent, OutboxReads } from '@catalog/core/ports/outbox';
import type { Tenant } from '@catalog/core/ports/tenant';
import { eventText } from '../events/event-lines.ts';

/** Events per page; the first page contains the sequences from 1 to this number. */
const PAGE = 256;
/** Maximum number of pages, more than the receivers of a tenant read at the same time. */
const MAX_PAGES = 32;
/** Time for which a page is kept, long enough for the receivers that one commit wakes. */
const KEPT_MS = 1000;

interface Page {
  read_at: number;
  events: Promise<readonly OutboxEvent[]>;
}

/** Pages of events, each read and parsed once for many receivers, most of which are at the same position. */
export class OutboxPages {
  readonly #outbox: OutboxReads;
  readonly #now: () => Date;
  readonly #pages = new Map<string, Page>();
  readonly #texts = new WeakMap<OutboxEvent, string>();

  constructor(outbox: OutboxReads, now: () => Date) {
    this.#outbox = outbox;
    this.#now = now;
  }

  /** Returns events, oldest first. An empty list means that there are no more events. */
  async readAfter(tenant: Tenant, sequence: number): Promise<readonly OutboxEvent[]> {
    const start = Math.floor(sequence / PAGE) * PAGE;
    const events = await this.#read(tenant, start);
    return events.filter((event) => event.sequence > sequence);
  }

  textOf(event: OutboxEvent): string {
    const known = this.#texts.get(event);
    if (known !== undefined) return known;
    const text = eventText(event);
    this.#texts.set(event, text);
    return text;
  }

  #read(tenant: Tenant, start: number): Promise<readonly OutboxEvent[]> {
    const key = `${tenant} ${start}`;
    const now = this.#now().getTime();
    const kept = this.#pages.get(key);
    const isKept = kept !== undefined && now - kept.read_at < KEPT_MS;
    const events = this.#extend(tenant, start, isKept ? kept.events : Promise.resolve([]));
    // Moves the page to the end, so that the least recently used page comes first.
    this.#pages.delete(key);
    this.#pages.set(key, { read_at: isKept ? kept.read_at : now, events });
    events.catch(() => this.#pages.delete(key));
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return events;
  }

  /** Reads the end of a page again, unless the page is full. */
  async #extend(
    tenant: Tenant,
    start: number,
    known: Promise<readonly OutboxEvent[]>,
  ): Promise<readonly OutboxEvent[]> {
    const events = await known;
    const last = events.at(-1)?.sequence ?? start;
    if (last >= start + PAGE) return events;
    const more = await this.#outbox.listAfter(tenant, last, start + PAGE - last);
    return more.length === 0 ? events : [...events, ...more];
  }
}
