import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { EVENT_NAMES } from '@catalog/contract/event-names';
import { HEARTBEAT_SECONDS } from '@catalog/contract/limits';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { EventChannel, type EventReader, type Subscription } from './event-channel.ts';
import { createFilter, GAP_LINE } from './event-lines.ts';
import type { EventStore } from './outbox-end.ts';

/** What a subscriber asks for. */
export interface EventRequest {
  /** Names of events; empty means all. */
  types: readonly string[];
  /** The cursor of the last event the subscriber has had; undefined for what comes from now on. */
  since: string | undefined;
}

/** A place in the stream that nobody reads from yet. */
export interface OpenedStream {
  /** Everything after this cursor will be read. */
  cursor: string;
  attach(reader: EventReader): Subscription;
}

/** The part of a store events come from. */
type EventSource = EventStore & Pick<Store, 'onCommit'>;

/** Bytes of recent lines kept in memory for readers a little behind; tenants with readers share them. */
const RECENT_BYTES = 16_777_216;

/** How often the outbox is looked at when nothing woke the stream: other processes commit too. */
const POLL_MILLISECONDS = 1000;

/**
 * The events of every tenant, for any number of readers in this process. The outbox is the truth:
 * commits of this process only wake it early.
 */
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

  /** Finds the subscriber's place; once this returns, nothing that is committed can be missed. */
  async open(tenant: Tenant, request: EventRequest): Promise<OpenedStream> {
    const filter = createFilter(checkTypes(request.types));
    const since = readCursor(request.since);
    const channel = await this.#channelOf(tenant);
    if (since !== undefined && since > channel.position) await channel.wake();
    // A cursor past the newest event comes from a registry that was set back: what it missed is unknown.
    const isLost = since !== undefined && since > channel.position;
    const position = since === undefined || isLost ? channel.position : since;
    return {
      cursor: String(position),
      attach: (reader) => {
        if (this.#isClosed) return refuse(reader);
        const known = this.#channels.get(tenant) ?? channel;
        this.#channels.set(tenant, known);
        // It may have been set back since it was asked for the place.
        if (isLost || position > known.position) reader.write(GAP_LINE);
        return known.subscribe(filter, Math.min(position, known.position), reader);
      },
    };
  }

  /** The newest event that readers were handed, of each tenant that has any. */
  positions(): ReadonlyMap<Tenant, number> {
    return new Map([...this.#channels].map(([tenant, { position }]) => [tenant, position]));
  }

  /** Ends every reader; who comes after is ended at once. */
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
      // A store that cannot be read now is asked again at the next poll; readiness reports it.
      act(channel).catch(() => undefined);
    }
  }
}

/** A reader that came when the registry was about to stop. */
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
