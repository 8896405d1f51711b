import type { OutboxReads } from '@catalog/core/ports/outbox';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { toLine, type EventLine } from './event-lines.ts';

export interface EventStore extends Pick<Store, 'outbox' | 'availability'> {
  transaction<Result>(work: (writes: { outbox: OutboxReads }) => Promise<Result>): Promise<Result>;
}

export interface OutboxEnd {
  position: number;
  /** The event at the position; undefined if it was removed or never existed. */
  last: EventLine | undefined;
}

export async function readEnd(outbox: OutboxReads, tenant: Tenant): Promise<OutboxEnd> {
  const { newest } = await outbox.bounds(tenant);
  const [event] = await outbox.listAfter(tenant, newest - 1, 1);
  return { position: newest, last: event?.sequence === newest ? toLine(event) : undefined };
}

export type Continuation =
  | { kind: 'continued' }
  /** Some events were removed before they were read; the rest follows `resumes_at`. */
  | { kind: 'forgotten'; resumes_at: number }
  | { kind: 'set_back' };

/** Reads the next events. `first` is the oldest one after the position. */
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
 * Returns the end of the outbox if it was reset, and undefined otherwise or if that is unknown. After a failover, a new
 * primary may lack the newest events and use their sequences again. Only the primary shows whether this happened,
 * because a standby may lag.
 */
export async function findResetEnd(
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
