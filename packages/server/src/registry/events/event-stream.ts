import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { EVENT_NAMES } from '@catalog/contract/event-names';
import { HEARTBEAT_SECONDS } from '@catalog/contract/limits';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { EventChannel, type EventReader, type Subscription } from './event-channel.ts';
import { createFilter, GAP_LINE } from './event-lines.ts';
import type { EventStore } from './outbox-end.ts';

export interface EventRequest {
  /** Names of events; empty means all. */
  types: readonly string[];
  /** Undefined starts with new events. */
  since: string | undefined;
}

export interface OpenedStream {
  cursor: string;
  attach(reader: EventReader): Subscription;
}

type EventSource = EventStore & Pick<Store, 'onCommit'>;

/** Shared by all tenants with readers. */
const RECENT_BYTES = 16_777_216;

/** Finds commits of other processes. */
const POLL_MILLISECONDS = 1000;

/** The outbox is the source of truth; commits of this process only trigger an earlier read. */
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

  /** Delivers every event committed after this call. */
  async open(tenant: Tenant, request: EventRequest): Promise<OpenedStream> {
    const filter = createFilter(checkTypes(request.types));
    const since = readCursor(request.since);
    const channel = await this.#channelOf(tenant);
    if (since !== undefined && since > channel.position) await channel.wake();
    // A cursor after the newest event comes from a registry that was set back, so the missed events
    // are unknown.
    const isLost = since !== undefined && since > channel.position;
    const position = since === undefined || isLost ? channel.position : since;
    return {
      cursor: String(position),
      attach: (reader) => {
        if (this.#isClosed) return refuse(reader);
        const known = this.#channels.get(tenant) ?? channel;
        this.#channels.set(tenant, known);
        // The outbox may have been set back since the position was opened.
        if (isLost || position > known.position) reader.write(GAP_LINE);
        return known.subscribe(filter, Math.min(position, known.position), reader);
      },
    };
  }

  positions(): ReadonlyMap<Tenant, number> {
    return new Map([...this.#channels].map(([tenant, { position }]) => [tenant, position]));
  }

  /** Readers attached later end at once. */
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
      // An unreadable store is read again at the next poll; readiness reports the outage.
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
