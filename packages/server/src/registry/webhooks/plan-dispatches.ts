import type { NewDispatch } from '@catalog/core/ports/dispatches';
import type { OutboxEvent } from '@catalog/core/ports/outbox';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { Tenant } from '@catalog/core/ports/tenant';
import { WindowEvents } from '@catalog/core/webhook/collect-batch';
import { laterBy } from '@catalog/core/webhook/receiver-health';
import { newTrace } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { isMatched } from './is-matched.ts';
import type { OutboxPages } from './outbox-pages.ts';

/** Dispatches for a range of events, with the old and new cursor of the receiver. */
export interface DispatchPlan {
  from: number;
  to: number;
  window_end: string | null;
  dispatches: readonly NewDispatch[];
  has_more: boolean;
}

/** Maximum number of events read if few of them match. */
const MAX_SCANNED = 4096;
/** Maximum number of events per batch; more are split. */
const MAX_BATCH_EVENTS = 1000;

/** Input for planning the dispatches of one receiver. */
export interface Planning {
  registry: Registry;
  pages: OutboxPages;
  tenant: Tenant;
  receiver: Receiver;
  now: Date;
}

/** Plans at most `most` dispatches of the events after a receiver's cursor. */
export async function planDispatches(
  planning: Planning,
  maxDispatches: number,
): Promise<DispatchPlan> {
  const { registry, pages, tenant, receiver } = planning;
  const { cursor, debounce_ms } = receiver;
  const first = await pages.readAfter(tenant, cursor);
  // The bounds are read last, so that events removed between the two reads count as a gap.
  if (first[0]?.sequence !== cursor + 1) {
    const { oldest, newest } = await registry.store.outbox.bounds(tenant);
    const resumes_at = cursor > newest ? newest : Math.max(cursor, oldest - 1);
    if (resumes_at !== cursor) {
      const notice = newDispatch(planning, '_gap', resumes_at, gapText(planning, resumes_at));
      return planOf(planning, resumes_at, [notice], true);
    }
  }
  return debounce_ms === null
    ? planEach(planning, first, maxDispatches)
    : planWindow(planning, first, debounce_ms);
}

function planOf(
  { receiver }: Planning,
  to: number,
  dispatches: readonly NewDispatch[],
  has_more: boolean,
): DispatchPlan {
  return { from: receiver.cursor, to, window_end: null, dispatches, has_more };
}

/** Plans one dispatch per event (EVENT-24). */
async function planEach(
  planning: Planning,
  first: readonly OutboxEvent[],
  maxDispatches: number,
): Promise<DispatchPlan> {
  const { receiver, pages } = planning;
  const dispatches: NewDispatch[] = [];
  let to = receiver.cursor;
  for await (const page of readFrom(planning, first)) {
    for (const event of page) {
      const { sequence, body } = event;
      if (isMatched(receiver, event)) {
        if (dispatches.length >= maxDispatches) return planOf(planning, to, dispatches, true);
        dispatches.push(newDispatch(planning, body.event, sequence, pages.textOf(event)));
      }
      to = sequence;
    }
    if (to - receiver.cursor >= MAX_SCANNED) return planOf(planning, to, dispatches, true);
  }
  return planOf(planning, to, dispatches, false);
}

/**
 * Plans one dispatch per window, after its end (EVENT-25). Until then the cursor stays before the first event, so that
 * a restart loses none (EVENT-33).
 */
async function planWindow(
  planning: Planning,
  page: readonly OutboxEvent[],
  debounce_ms: number,
): Promise<DispatchPlan> {
  const { receiver, now } = planning;
  const { first, to: before } = await findFirst(planning, page);
  if (first === undefined) return planOf(planning, before, [], before !== receiver.cursor);
  const start = new Date(first.body.timestamp);
  const end = laterBy(start, debounce_ms);
  if (Date.parse(end) > now.getTime()) {
    return { ...planOf(planning, before, [], false), window_end: end };
  }
  const { events, to } = await collectUntil(planning, page, end);
  const text = batchText(planning, { start: start.toISOString(), end }, events);
  return planOf(planning, to, [newDispatch(planning, 'batch', to, text)], true);
}

async function findFirst(
  planning: Planning,
  from: readonly OutboxEvent[],
): Promise<{ first: OutboxEvent | undefined; to: number }> {
  const { receiver } = planning;
  let to = receiver.cursor;
  for await (const page of readFrom(planning, from)) {
    for (const event of page) {
      if (isMatched(receiver, event)) return { first: event, to };
      to = event.sequence;
    }
    if (to - receiver.cursor >= MAX_SCANNED) break;
  }
  return { first: undefined, to };
}

async function collectUntil(
  planning: Planning,
  from: readonly OutboxEvent[],
  end: string,
): Promise<{ events: OutboxEvent[]; to: number }> {
  const { receiver } = planning;
  const events = new WindowEvents();
  let to = receiver.cursor;
  const collected = (): { events: OutboxEvent[]; to: number } => ({
    events: events.list().filter(({ sequence }) => sequence <= to),
    to,
  });
  for await (const page of readFrom(planning, from)) {
    for (const event of page) {
      if (Date.parse(event.body.timestamp) > Date.parse(end)) return collected();
      if (isMatched(receiver, event)) events.add(event);
      if (events.size > MAX_BATCH_EVENTS) return collected();
      to = event.sequence;
    }
  }
  return collected();
}

/** Yields events up to the newest one, or up to the first removed one. */
async function* readFrom(
  { pages, tenant }: Planning,
  first: readonly OutboxEvent[],
): AsyncGenerator<readonly OutboxEvent[]> {
  for (let page = first; ;) {
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    page = await pages.readAfter(tenant, last.sequence);
    if (page[0]?.sequence !== last.sequence + 1) return;
  }
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
  { registry, pages, now }: Planning,
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
  const texts = events.map((event) => pages.textOf(event));
  return `${head.slice(0, -1)},"events":[${texts.join()}]}`;
}

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
