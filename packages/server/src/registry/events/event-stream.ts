import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { EVENT_NAMES } from '@catalog/contract/event-names';
import { HEARTBEAT_SECONDS } from '@catalog/contract/limits';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { EventChannel, type EventReader, type Subscription } from './event-channel.ts';
import { createFilter, GAP_LINE } from './event-lines.ts';
import type { EventStore } from './outbox-end.ts';

export interface EventRequest {
  /** Names of events; empty for all. */
  types: readonly string[];
  /** Cursor to continue after; undefined for only new events. */
  since: string | undefined;
}

export interface OpenedStream {
  cursor: string;
  attach(reader: EventReader): Subscription;
}

type EventSource = EventStore & Pick<Store, 'onCommit'>;

/** Memory of recent lines, shared by all tenants with readers. */
const RECENT_BYTES = 16_777_216;

/** Interval of polls, which find commits of other processes. */
const POLL_MILLISECONDS = 1000;

/** Event stream of a process. It reads the outbox; commits of this process only trigger an earlier read. */
export class EventStream {
  readonly #store: EventSource;
  readonly #channels = new Map<Tenant, EventChannel>();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #stopListening: () => void;
  #isClosed = false;

  constructor(store: EventSource) {
    this.#store = store;
    this.#stopListening = store.onCommit(() => this.#forEach((channel) => channel.wake()));
    this.#timers = [
      setInterval(() => this.#poll(), POLL_MILLISECONDS).unref(),
      setInterval(
        () => this.#forEach((channel) => channel.beat()),
        HEARTBEAT_SECONDS * 1000,
      ).unref(),
    ];
  }

  /** Opens a stream, which contains every event committed after this call. */
  async open(tenant: Tenant, request: EventRequest): Promise<OpenedStream> {
    const filter = createFilter(checkTypes(request.types));
    const since = readCursor(request.since);
    const channel = await this.#channelOf(tenant);
    if (since !== undefined && since > channel.position) await channel.wake();
    // A cursor after the newest event belongs to a later state of the registry, before a reset. The missed events are
    // unknown.
    const isLost = since !== undefined && since > channel.position;
    const position = since === undefined || isLost ? channel.position : since;
    return {
      cursor: String(position),
      attach: (reader) => {
        if (this.#isClosed) return refuse(reader);
        const known = this.#channels.get(tenant) ?? channel;
        this.#channels.set(tenant, known);
        // The outbox may have been reset since the position was read.
        if (isLost || position > known.position) reader.write(GAP_LINE);
        return known.subscribe(filter, Math.min(position, known.position), reader);
      },
    };
  }

  positions(): ReadonlyMap<Tenant, number> {
    return new Map([...this.#channels].map(([tenant, { position }]) => [tenant, position]));
  }

  /** Ends all readers. Later ones end immediately. */
  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    for (const timer of this.#timers) clearInterval(timer);
    for (const channel of this.#channels.values()) channel.close();
    this.#channels.clear();
  }

  async #channelOf(tenant: Tenant): Promise<EventChannel> {
    const known = this.#channels.get(tenant);
    if (known !== undefined) return known;
    const opened = await EventChannel.open(
      this.#store,
      tenant,
      () => RECENT_BYTES / Math.max(1, this.#channels.size),
    );
    const meanwhile = this.#channels.get(tenant);
    if (meanwhile !== undefined) return meanwhile;
    this.#channels.set(tenant, opened);
    return opened;
  }

  #poll(): void {
    for (const [tenant, channel] of this.#channels) {
      if (channel.isIdle) this.#channels.delete(tenant);
    }
    this.#forEach((channel) => channel.wake());
  }

  #forEach(act: (channel: EventChannel) => Promise<void>): void {
    for (const channel of this.#channels.values()) {
      // The next poll reads an unavailable store again; readiness reports the outage.
      act(channel).catch(() => undefined);
    }
  }
}

function refuse(reader: EventReader): Subscription {
  reader.end();
  return { drained: () => undefined, close: () => undefined };
}

function checkTypes(types: readonly string[]): readonly string[] {
  const known: ReadonlySet<string> = new Set(EVENT_NAMES);
  const unknown = types.filter((type) => !known.has(type));
  if (unknown.length === 0) return types;
  throw new CatalogError(
    'registry.invalid_argument',
    `Unknown event ${unknown.map((type) => `\`${type}\``).join(', ')}.`,
    {
      details: { argument: 'type' },
      suggested_action: `Use one of ${EVENT_NAMES.join(', ')}, or leave \`type\` out for all events.`,
    },
  );
}

function readCursor(since: string | undefined): number | undefined {
  if (since === undefined || since === '') return undefined;
  if (/^\d{1,15}$/.test(since)) return Number(since);
  throw new CatalogError(
    'registry.invalid_argument',
    '`since` is not a valid cursor of this stream.',
    {
      details: { argument: 'since' },
      suggested_action: 'Send the `cursor` of the last event you received, or leave `since` out.',
    },
  );
}
