import type { NewDispatch } from '@catalog/core/ports/dispatches';
import type { OutboxEvent } from '@catalog/core/ports/outbox';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { Tenant } from '@catalog/core/ports/tenant';
import { WindowEvents } from '@catalog/core/webhook/collect-batch';
import { laterBy } from '@catalog/core/webhook/receiver-health';
import { eventText } from '../events/event-lines.ts';
import type { Registry } from '../registry.ts';

/** What the next events mean for a receiver. */
export interface DispatchPlan {
  /** Where its cursor goes. */
  to: number;
  /** When the debounce window ends that is open then. */
  window_end: string | null;
  dispatches: readonly NewDispatch[];
}

/** Events that are read at once. */
const PAGE = 256;
/** Different events in one batch; more are sent in several. */
const MOST_IN_BATCH = 1000;

interface Planning {
  registry: Registry;
  tenant: Tenant;
  receiver: Receiver;
  now: Date;
}

/** Decides what to send of the events after the cursor of a receiver, at most `most` dispatches. */
export async function planDispatches(planning: Planning, most: number): Promise<DispatchPlan> {
  const { registry, tenant, receiver } = planning;
  const limit = receiver.debounce_ms === null ? Math.min(most, PAGE) : PAGE;
  const page = await registry.store.outbox.listAfter(tenant, receiver.cursor, limit);
  // In this order: what is forgotten between the two reads is reported, never passed over.
  const { oldest, newest } = await registry.store.outbox.bounds(tenant);
  const resumes_at = receiver.cursor > newest ? newest : Math.max(receiver.cursor, oldest - 1);
  if (resumes_at !== receiver.cursor) {
    const notice = newDispatch(planning, '_gap', resumes_at, gapText(planning, resumes_at));
    return { to: resumes_at, window_end: null, dispatches: [notice] };
  }
  return receiver.debounce_ms === null
    ? planEach(planning, page)
    : planWindow(planning, page, receiver.debounce_ms);
}

/** One dispatch for each event (EVENT-24). */
function planEach(planning: Planning, page: readonly OutboxEvent[]): DispatchPlan {
  const { receiver } = planning;
  const dispatches = page
    .filter((event) => isMatched(receiver, event))
    .map((event) => newDispatch(planning, event.body.event, event.sequence, eventText(event)));
  return { to: page.at(-1)?.sequence ?? receiver.cursor, window_end: null, dispatches };
}

/**
 * One dispatch for the events of a window, once it has ended (EVENT-25). Until then the cursor stays before
 * the first of them: the outbox holds them, so that a restart loses none (EVENT-33).
 */
async function planWindow(
  planning: Planning,
  page: readonly OutboxEvent[],
  debounce_ms: number,
): Promise<DispatchPlan> {
  const { receiver, now } = planning;
  const first = page.find((event) => isMatched(receiver, event));
  if (first === undefined) return planEach(planning, page);
  const start = new Date(first.body.timestamp);
  const end = laterBy(start, debounce_ms);
  if (Date.parse(end) > now.getTime()) {
    return { to: first.sequence - 1, window_end: end, dispatches: [] };
  }
  const events = new WindowEvents();
  let to = receiver.cursor;
  for await (const event of readFrom(planning, page)) {
    if (Date.parse(event.body.timestamp) > Date.parse(end)) break;
    if (isMatched(receiver, event)) {
      events.add(event);
      if (events.size > MOST_IN_BATCH) break;
    }
    to = event.sequence;
  }
  const sent = events.list().filter(({ sequence }) => sequence <= to);
  const text = batchText(planning, { start: start.toISOString(), end }, sent);
  return { to, window_end: null, dispatches: [newDispatch(planning, 'batch', to, text)] };
}

async function* readFrom(
  { registry, tenant }: Planning,
  first: readonly OutboxEvent[],
): AsyncGenerator<OutboxEvent> {
  for (let page = first; ;) {
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    page = await registry.store.outbox.listAfter(tenant, last.sequence, PAGE);
  }
}

function isMatched({ event_filter }: Receiver, { body }: OutboxEvent): boolean {
  return event_filter === null || event_filter.includes(body.event);
}

function newDispatch(
  { registry, receiver, now }: Planning,
  event: string,
  cursor: number,
  body: string,
): NewDispatch {
  const created_at = now.toISOString();
  return {
    id: `msg_${registry.newId()}`,
    receiver: receiver.id,
    event,
    cursor,
    body,
    created_at,
    not_before: created_at,
    worker: null,
  };
}

function batchText(
  { registry, now }: Planning,
  window: { start: string; end: string },
  events: readonly OutboxEvent[],
): string {
  const head = JSON.stringify({
    event: 'batch',
    trace_id: newTrace(registry),
    timestamp: now.toISOString(),
    window,
    count: events.length,
  });
  return `${head.slice(0, -1)},"events":[${events.map(eventText).join()}]}`;
}

/** Some events are no longer kept, and the receiver has not had them. */
function gapText({ registry, now }: Planning, resumes_at: number): string {
  return JSON.stringify({
    event: '_gap',
    trace_id: newTrace(registry),
    timestamp: now.toISOString(),
    actor: { type: 'system', name: 'webhooks' },
    data: {},
    cursor: String(resumes_at),
  });
}

function newTrace(registry: Registry): string {
  return registry.newId().replaceAll('-', '');
}
