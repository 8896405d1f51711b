import type { Buffer } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Tenant } from '@catalog/core/ports/tenant';
import {
  createRecentLines,
  GAP_LINE,
  heartbeatLine,
  joinLines,
  toLine,
  type EventFilter,
  type EventLine,
  type RecentLines,
} from './event-lines.ts';
import {
  findResetEnd,
  readContinuation,
  readEnd,
  type EventStore,
  type OutboxEnd,
} from './outbox-end.ts';

export interface EventReader {
  /** Writes bytes. Returns false if the reader can accept no more until a drain. */
  write(bytes: Uint8Array): boolean;
  end(): void;
}

interface Subscriber {
  filter: EventFilter;
  reader: EventReader;
  /** Sequence up to which the reader got or skipped every event. */
  position: number;
  /** `live` gets new events, `reading` catches up, `blocked` waits for a drain. */
  state: 'live' | 'reading' | 'blocked' | 'closed';
}

export interface Subscription {
  drained(): void;
  close(): void;
}

const PAGE = 256;
/** Bytes written at once to a reader that catches up: the memory cost of a slow reader. */
const CATCH_UP_BYTES = 16_384;
/** Number of events per batch for a reader that is far behind. */
const CATCH_UP_PAGE = 48;
/** Number of readers served before other requests run, which takes some milliseconds. */
const SLICE = 500;

interface Group {
  filter: EventFilter;
  subscribers: Set<Subscriber>;
}

/**
 * Event channel of one tenant. It reads and formats each event once for all readers. A slow reader keeps its position
 * and catches up when it can accept more; the channel does not buffer for it.
 */
export class EventChannel {
  readonly #tenant: Tenant;
  readonly #store: EventStore;
  readonly #recentBytes: () => number;
  /** Recent lines, replaced after a gap. */
  #recent: RecentLines;
  readonly #groups = new Map<string, Group>();
  #end: OutboxEnd;
  #working: Promise<void> | undefined;
  #isWoken = false;
  #isBeatDue = false;

  static async open(
    store: EventStore,
    tenant: Tenant,
    recentBytes: () => number,
  ): Promise<EventChannel> {
    return new EventChannel(store, tenant, await readEnd(store.outbox, tenant), recentBytes);
  }

  private constructor(
    store: EventStore,
    tenant: Tenant,
    end: OutboxEnd,
    recentBytes: () => number,
  ) {
    this.#store = store;
    this.#tenant = tenant;
    this.#end = end;
    this.#recentBytes = recentBytes;
    this.#recent = createRecentLines(end.position, recentBytes);
  }

  get position(): number {
    return this.#end.position;
  }

  get isIdle(): boolean {
    return this.#groups.size === 0;
  }

  /** Reads new events. A call during a run causes one more round. */
  async wake(): Promise<void> {
    this.#isWoken = true;
    this.#working ??= this.#work();
    await this.#working;
  }

  /** Sends a heartbeat, in order with the events. */
  async beat(): Promise<void> {
    this.#isBeatDue = true;
    await this.wake();
  }

  subscribe(filter: EventFilter, position: number, reader: EventReader): Subscription {
    const subscriber: Subscriber = { filter, reader, position, state: 'blocked' };
    const group = this.#groups.get(filter.key) ?? { filter, subscribers: new Set() };
    this.#groups.set(filter.key, group);
    group.subscribers.add(subscriber);
    const readOn = (): void => {
      if (subscriber.state === 'blocked') void this.#catchUp(subscriber);
    };
    readOn();
    return {
      drained: readOn,
      close: () => {
        subscriber.state = 'closed';
        if (group.subscribers.delete(subscriber) && group.subscribers.size === 0) {
          this.#groups.delete(filter.key);
        }
      },
    };
  }

  close(): void {
    for (const { subscribers } of this.#groups.values()) {
      for (const subscriber of subscribers) {
        subscriber.state = 'closed';
        subscriber.reader.end();
      }
    }
    this.#groups.clear();
  }

  async #work(): Promise<void> {
    try {
      while (this.#isWoken) {
        this.#isWoken = false;
        await this.#handOnNew();
        if (!this.#isBeatDue) continue;
        this.#isBeatDue = false;
        const line = heartbeatLine(this.position);
        for (const group of this.#groups.values()) {
          await forEachLive(group, (subscriber) => deliver(subscriber, line, this.position));
        }
      }
    } finally {
      this.#working = undefined;
    }
  }

  async #handOnNew(): Promise<void> {
    const { outbox } = this.#store;
    for (;;) {
      // The last known event is read again: if it differs, the outbox was reset.
      const page = await outbox.listAfter(this.#tenant, this.position - 1, PAGE);
      const read = page.map(toLine);
      const continuation = await readContinuation(outbox, this.#tenant, this.#end, read[0]);
      if (continuation.kind === 'set_back') return this.#startOver();
      if (continuation.kind === 'forgotten') {
        this.#goOnAfterGap({ position: continuation.resumes_at, last: undefined });
      }
      const lines = read[0]?.sequence === this.position ? read.slice(1) : read;
      const last = lines.at(-1);
      if (last === undefined) return;
      const newest = last.sequence;
      this.#recent.push(lines);
      this.#end = { position: newest, last };
      for (const group of this.#groups.values()) {
        const bytes = joinLines(lines, group.filter);
        if (bytes.length === 0) continue;
        await forEachLive(group, (subscriber) => {
          // A reader that caught up meanwhile already got these lines from memory.
          if (subscriber.position < newest) deliver(subscriber, bytes, newest);
        });
      }
      if (page.length < PAGE) return;
    }
  }

  /** Continues after an unknown number of missed events, which readers get as a gap. */
  async #startOver(): Promise<void> {
    const end = await findResetEnd(this.#store, this.#tenant, this.#end);
    if (end !== undefined) this.#goOnAfterGap(end);
  }

  #goOnAfterGap(end: OutboxEnd): void {
    this.#end = end;
    this.#recent = createRecentLines(end.position, this.#recentBytes);
    for (const { subscribers } of this.#groups.values()) {
      for (const subscriber of subscribers) {
        // A reader that is catching up finds the gap after its read.
        if (subscriber.state !== 'reading') deliver(subscriber, GAP_LINE, end.position);
      }
    }
  }

  async #catchUp(subscriber: Subscriber): Promise<void> {
    subscriber.state = 'reading';
    try {
      while (isReading(subscriber)) {
        const lines =
          this.#recent.after(subscriber.position, CATCH_UP_BYTES) ??
          (await this.#readKept(subscriber));
        const last = lines.at(-1)?.sequence;
        if (!isReading(subscriber)) return;
        if (last !== undefined) deliver(subscriber, joinLines(lines, subscriber.filter), last);
        else if (subscriber.position >= this.position) subscriber.state = 'live';
      }
    } catch {
      // The store is unavailable. The client reconnects with the cursor of its last line.
      subscriber.reader.end();
    }
  }

  async #readKept(subscriber: Subscriber): Promise<EventLine[]> {
    const { position } = subscriber;
    const known = this.position;
    const recent = this.#recent;
    const { outbox } = this.#store;
    const page = await outbox.listAfter(this.#tenant, position, CATCH_UP_PAGE);
    // The bounds are read last, so that events removed between the two reads count as a gap.
    const { oldest } = await outbox.bounds(this.#tenant);
    // Other readers run after every page, so that a fast reader far behind does not block them.
    await setImmediate();
    if (!isReading(subscriber)) return [];
    if (this.#recent !== recent) {
      deliver(subscriber, GAP_LINE, this.position);
      return [];
    }
    const reached = page.filter(({ sequence }) => sequence <= this.position);
    const resumes_at = reached[0] === undefined ? known : reached[0].sequence - 1;
    if (page.length === 0 || oldest > position + 1) deliver(subscriber, GAP_LINE, resumes_at);
    else if (reached.length === 0) subscriber.position = resumes_at;
    return reached.map(toLine);
  }
}

/** Serves live readers in slices, so that requests run in between. Includes readers that join meanwhile. */
async function forEachLive(
  { subscribers }: Group,
  serve: (subscriber: Subscriber) => void,
): Promise<void> {
  let served = 0;
  for (const subscriber of subscribers) {
    if (subscriber.state !== 'live') continue;
    serve(subscriber);
    served += 1;
    if (served % SLICE === 0) await setImmediate();
  }
}

function deliver(subscriber: Subscriber, bytes: Buffer, position: number): void {
  subscriber.position = position;
  if (bytes.length > 0 && !subscriber.reader.write(bytes)) subscriber.state = 'blocked';
}

/** Returns true for a reader that catches up; its state can change during each step. */
function isReading({ state }: Subscriber): boolean {
  return state === 'reading';
}
