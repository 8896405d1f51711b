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
  findSetBack,
  readContinuation,
  readEnd,
  type EventStore,
  type OutboxEnd,
} from './outbox-end.ts';

/** Whoever the lines go to. */
export interface EventReader {
  /** Takes the bytes; false when no more should come until the reader says that it drained. */
  write(bytes: Uint8Array): boolean;
  /** No more will come. */
  end(): void;
}

/** One reader's place in the stream. */
interface Subscriber {
  filter: EventFilter;
  reader: EventReader;
  /** Everything up to here was given to it or is of no interest to it; while live, perhaps more. */
  position: number;
  /** Gets events as they come; reads what it has not had; waits until it drained; gone. */
  state: 'live' | 'reading' | 'blocked' | 'closed';
}

/** What a reader does with its place. */
export interface Subscription {
  /** The reader can take more. */
  drained(): void;
  close(): void;
}

/** Events read from the outbox at once. */
const PAGE = 256;
/** Bytes given at once to a reader that catches up; what one slow reader costs in memory. */
const CATCH_UP_BYTES = 16_384;
/** Events read at once for a reader that is further behind. */
const CATCH_UP_PAGE = 48;
/** Readers written to before the loop may do something else: some milliseconds of it. */
const SLICE = 500;

/** Readers who asked for the same. */
interface Group {
  filter: EventFilter;
  subscribers: Set<Subscriber>;
}

/**
 * The tail of one tenant's outbox: every event is read once and serialised once, and given to every
 * reader. A reader that does not keep up is left where it is and reads the rest by itself when it can
 * take more; nothing waits for it and nothing is kept for it.
 */
export class EventChannel {
  readonly #tenant: Tenant;
  readonly #store: EventStore;
  readonly #recentBytes: () => number;
  /** Another one after a gap. */
  #recent: RecentLines;
  readonly #groups = new Map<string, Group>();
  /** The newest that was handed on. */
  #end: OutboxEnd;
  #working: Promise<void> | undefined;
  #isWoken = false;
  #isBeatDue = false;

  /** Starts at the newest event: what is committed from now on is handed on. */
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

  /** Reads what was committed and hands it on; calls while that goes on add one round to it. */
  async wake(): Promise<void> {
    this.#isWoken = true;
    this.#working ??= this.#work();
    await this.#working;
  }

  /** A heartbeat for every reader, in its place among the events. */
  async beat(): Promise<void> {
    this.#isBeatDue = true;
    await this.wake();
  }

  /** A place in the stream after a sequence that this channel has reached. */
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

  /** Ends every reader. */
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
          await forEachLive(group, (subscriber) => give(subscriber, line, this.position));
        }
      }
    } finally {
      this.#working = undefined;
    }
  }

  async #handOnNew(): Promise<void> {
    const { outbox } = this.#store;
    for (;;) {
      // With the last one before them: where that is another event now, those are of another past.
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
          // One that caught up while others were served has had them from what is kept in memory.
          if (subscriber.position < newest) give(subscriber, bytes, newest);
        });
      }
      if (page.length < PAGE) return;
    }
  }

  /** Goes on from the end of an outbox that was set back; no reader can know what it has missed. */
  async #startOver(): Promise<void> {
    const end = await findSetBack(this.#store, this.#tenant, this.#end);
    if (end !== undefined) this.#goOnAfterGap(end);
  }

  #goOnAfterGap(end: OutboxEnd): void {
    this.#end = end;
    this.#recent = createRecentLines(end.position, this.#recentBytes);
    for (const { subscribers } of this.#groups.values()) {
      for (const subscriber of subscribers) {
        // One that reads finds out by itself when it has read.
        if (subscriber.state !== 'reading') give(subscriber, GAP_LINE, end.position);
      }
    }
  }

  /** Brings a reader to where the channel is, as fast as it takes; from then on it is live. */
  async #catchUp(subscriber: Subscriber): Promise<void> {
    subscriber.state = 'reading';
    try {
      while (isReading(subscriber)) {
        const lines =
          this.#recent.after(subscriber.position, CATCH_UP_BYTES) ??
          (await this.#readKept(subscriber));
        const last = lines.at(-1)?.sequence;
        if (!isReading(subscriber)) return;
        if (last !== undefined) give(subscriber, joinLines(lines, subscriber.filter), last);
        else if (subscriber.position >= this.position) subscriber.state = 'live';
      }
    } catch {
      // The store cannot be read now. The reader comes back with the cursor of its last line.
      subscriber.reader.end();
    }
  }

  /** What the outbox still holds of what a reader has not had, up to where the channel is. */
  async #readKept(subscriber: Subscriber): Promise<EventLine[]> {
    const { position } = subscriber;
    const known = this.position;
    const recent = this.#recent;
    const { outbox } = this.#store;
    const page = await outbox.listAfter(this.#tenant, position, CATCH_UP_PAGE);
    // In this order: what is forgotten between the two reads is reported, never passed over.
    const { oldest } = await outbox.bounds(this.#tenant);
    // However far behind it is and however fast it reads, others have their turn after every page.
    await setImmediate();
    if (!isReading(subscriber)) return [];
    if (this.#recent !== recent) {
      give(subscriber, GAP_LINE, this.position);
      return [];
    }
    const reached = page.filter(({ sequence }) => sequence <= this.position);
    const resumes_at = reached[0] === undefined ? known : reached[0].sequence - 1;
    if (page.length === 0 || oldest > position + 1) give(subscriber, GAP_LINE, resumes_at);
    else if (reached.length === 0) subscriber.position = resumes_at;
    return reached.map(toLine);
  }
}

/**
 * The live readers of a group, a slice of them at a time, so that requests are answered in between.
 * Who comes meanwhile is among them, at the position already reached.
 */
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

function give(subscriber: Subscriber, bytes: Buffer, position: number): void {
  subscriber.position = position;
  if (bytes.length > 0 && !subscriber.reader.write(bytes)) subscriber.state = 'blocked';
}

/** Asked anew after every step: a reader may leave or fill up in any of them. */
function isReading({ state }: Subscriber): boolean {
  return state === 'reading';
}
