import type { OutboxReads } from '@catalog/core/ports/outbox';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { toLine, type EventLine } from './event-lines.ts';

/** The part of a store that events are read from. */
export interface EventStore extends Pick<Store, 'outbox' | 'availability'> {
  /** What is read in here is read from the server that takes the writes. */
  transaction<Result>(work: (writes: { outbox: OutboxReads }) => Promise<Result>): Promise<Result>;
}

/** How far an outbox was read. */
export interface OutboxEnd {
  position: number;
  /** The event there; undefined where it was forgotten already, or there was none. */
  last: EventLine | undefined;
}

/** Where an outbox ends now. */
export async function readEnd(outbox: OutboxReads, tenant: Tenant): Promise<OutboxEnd> {
  const { newest } = await outbox.bounds(tenant);
  const [event] = await outbox.listAfter(tenant, newest - 1, 1);
  return { position: newest, last: event?.sequence === newest ? toLine(event) : undefined };
}

/**
 * Whether an outbox still has what was read last, or has forgotten it for its age alone. `first` is
 * what it has from there on.
 */
export async function isContinued(
  outbox: OutboxReads,
  tenant: Tenant,
  { position, last }: OutboxEnd,
  first: EventLine | undefined,
): Promise<boolean> {
  if (first?.sequence === position) return last === undefined || last.bytes.equals(first.bytes);
  return (await outbox.bounds(tenant)).newest >= position;
}

/**
 * The end of an outbox that was set back: a server took over that had not had the newest events, and
 * may have given their sequences to others. Undefined where it was not, or cannot be known now: only
 * the server that takes the writes can tell this from a standby that is behind.
 */
export async function findSetBack(
  store: EventStore,
  tenant: Tenant,
  end: OutboxEnd,
): Promise<OutboxEnd | undefined> {
  if (store.availability().mode === 'read_only') return undefined;
  return store.transaction(async ({ outbox }) => {
    const [first] = await outbox.listAfter(tenant, end.position - 1, 1);
    const line = first === undefined ? undefined : toLine(first);
    if (await isContinued(outbox, tenant, end, line)) return undefined;
    return readEnd(outbox, tenant);
  });
}
