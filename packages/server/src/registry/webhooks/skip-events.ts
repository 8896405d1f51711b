import type { Receiver } from '@catalog/core/ports/receivers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import { isMatched } from './is-matched.ts';
import type { OutboxPages } from './outbox-pages.ts';

/** Maximum number of events to skip, all of which are cached. */
const MAX_SCANNED = 4096;

/**
 * Moves cursors past events without a matching filter: an ingest can publish thousands, of which many receivers need
 * one. Returns true if a cursor moved.
 */
export async function skipEvents(
  registry: Registry,
  pages: OutboxPages,
  tenant: Tenant,
  ids: ReadonlySet<string>,
): Promise<boolean> {
  const receivers = await registry.store.receivers.list(tenant);
  const steps: { id: string; from: number; to: number }[] = [];
  for (const receiver of receivers) {
    const { id, cursor, event_filter, window_end } = receiver;
    if (!ids.has(id) || event_filter === null || window_end !== null) continue;
    const to = await findLastUnmatched(pages, tenant, receiver);
    if (to !== undefined) steps.push({ id, from: cursor, to });
  }
  if (steps.length === 0) return false;
  await registry.store.transaction(async ({ dispatches }) => {
    for (const { id, ...step } of steps) {
      await dispatches.advance(tenant, id, { ...step, window_end: null, dispatches: [] });
    }
  });
  return true;
}

/** Returns the last event to skip; undefined if there are none, if one matches, or if some were removed. */
async function findLastUnmatched(
  pages: OutboxPages,
  tenant: Tenant,
  receiver: Receiver,
): Promise<number | undefined> {
  const { cursor } = receiver;
  let to = cursor;
  while (to - cursor < MAX_SCANNED) {
    const page = await pages.readAfter(tenant, to);
    const [first] = page;
    if (first === undefined) break;
    if (first.sequence !== to + 1 || page.some((event) => isMatched(receiver, event))) {
      return undefined;
    }
    to = page.at(-1)?.sequence ?? to;
  }
  return to === cursor ? undefined : to;
}
