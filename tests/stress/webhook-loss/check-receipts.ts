import type { Receiver } from './receiver.ts';

export interface CommittedEvent {
  sequence: number;
  event: string;
  timestamp: string;
  subject: string;
}

/** Omits events that a later one replaced. */
export function findMissing(
  { kind, receipts }: Receiver,
  events: readonly CommittedEvent[],
): CommittedEvent[] {
  const matching = events.filter(({ event }) => kind.event_filter?.includes(event) ?? true);
  const missing = matching.filter(({ sequence }) => !receipts.has(sequence));
  const { debounce_ms } = kind;
  if (debounce_ms === undefined) return missing;
  const accepted = new Map<string, CommittedEvent[]>();
  for (const event of matching) {
    if (!receipts.has(event.sequence)) continue;
    accepted.set(keyOf(event), [...(accepted.get(keyOf(event)) ?? []), event]);
  }
  return missing.filter((event) => {
    const later = accepted.get(keyOf(event)) ?? [];
    return !later.some((other) => replaces(other, event, debounce_ms));
  });
}

/**
 * True if a later event replaces an earlier one: in a debounce window, only the last event of a
 * name and subject is sent.
 */
function replaces(later: CommittedEvent, event: CommittedEvent, debounce_ms: number): boolean {
  const apart_ms = Date.parse(later.timestamp) - Date.parse(event.timestamp);
  return later.sequence > event.sequence && apart_ms <= debounce_ms;
}

function keyOf({ event, subject }: CommittedEvent): string {
  return `${event} ${subject}`;
}

/** Lists accepted events that differ from the committed ones, or that were sent with several ids. */
export function findWrong(
  { kind, receipts }: Receiver,
  events: readonly CommittedEvent[],
): string[] {
  const committed = new Map(events.map((event) => [event.sequence, event]));
  return [...receipts].flatMap(([cursor, { event, timestamp, ids }]) => {
    const known = committed.get(cursor);
    const isKnown = known?.event === event && known.timestamp === timestamp;
    if (!isKnown) return [`${kind.name}: event ${cursor} is not the one that was committed`];
    const isFiltered = kind.event_filter !== undefined && !kind.event_filter.includes(event);
    if (isFiltered) return [`${kind.name}: event ${cursor} does not match the filter`];
    return ids.size > 1 ? [`${kind.name}: event ${cursor} has ${ids.size} webhook ids`] : [];
  });
}

export function countDuplicates({ receipts }: Receiver): number {
  return [...receipts.values()].reduce((sum, { count }) => sum + count - 1, 0);
}
