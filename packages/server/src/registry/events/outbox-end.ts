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

/** How an outbox goes on from where it was read to. */
export type Continuation =
  | { kind: 'continued' }
  /** What came first was forgotten for its age before it was read; the rest is after `resumes_at`. */
  | { kind: 'forgotten'; resumes_at: number }
  | { kind: 'set_back' };

/** Compares an outbox with how far it was read. `first` is what it has from there on. */
export async function readContinuation(
  outbox: OutboxReads,
  tenant: Tenant,
  { position, last }: OutboxEnd,
  first: EventLine | undefined,
): Promise<Continuation> {
  if (first?.sequence === position) {
    const isSame = last === undefined || last.bytes.equals(first.bytes);
    return { kind: isSame ? 'continued' : 'set_back' };
  }
  const { oldest, newest } = await outbox.bounds(tenant);
  if (newest < position) return { kind: 'set_back' };
  const next = first?.sequence ?? oldest;
  return next > position + 1 ? { kind: 'forgotten', resumes_at: next - 1 } : { kind: 'continued' };
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
    const { kind } = await readContinuation(outbox, tenant, end, line);
    return kind === 'set_back' ? readEnd(outbox, tenant) : undefined;
  });
}
