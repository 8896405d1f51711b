import type { OutboxReads } from '@catalog/core/ports/outbox';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { toLine, type EventLine } from './event-lines.ts';

export interface EventStore extends Pick<Store, 'outbox' | 'availability'> {
  transaction<Result>(work: (writes: { outbox: OutboxReads }) => Promise<Result>): Promise<Result>;
}

export interface OutboxEnd {
  position: number;
  /** Undefined if the event was already removed or never existed. */
  last: EventLine | undefined;
}

export async function readEnd(outbox: OutboxReads, tenant: Tenant): Promise<OutboxEnd> {
  const { newest } = await outbox.bounds(tenant);
  const [event] = await outbox.listAfter(tenant, newest - 1, 1);
  return { position: newest, last: event?.sequence === newest ? toLine(event) : undefined };
}

export type Continuation =
  | { kind: 'continued' }
  /**
   * The next events were removed because of their age before they were read; the rest follows
   * `resumes_at`.
   */
  | { kind: 'forgotten'; resumes_at: number }
  | { kind: 'set_back' };

/** `first` is the first event of the outbox from that position on. */
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
 * Returns undefined if the outbox was not set back or the state is unknown. A new primary lacks the
 * newest events, and may have reused their sequences. Only the primary can distinguish this from a
 * lagging standby.
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
