import * as fc from 'fast-check';
import { toUnsent, type Dispatch } from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { WebhookResult } from '@catalog/core/ports/webhook-sender';
import { describe, expect, test } from 'vitest';
import type { Exchanged } from './exchange-dispatches.ts';
import {
  advanceReceiver,
  NEW_RECEIVER,
  type ReceiverEffect,
  type ReceiverEvent,
  type ReceiverFacts,
  type ReceiverState,
} from './receiver-state.ts';

const RECEIVER: Receiver = {
  id: 'r1',
  url: 'https://hooks.example.com',
  secret: 'secret',
  previous_secret: null,
  previous_secret_until: null,
  event_filter: null,
  debounce_ms: null,
  ordered: false,
  disabled_by: null,
  created_at: '2026-01-01T00:00:00Z',
  cursor: 0,
  window_end: null,
  paused_until: null,
  failure_count: 0,
  failing_since: null,
  last_delivery: null,
  last_failure: null,
};
const OK: WebhookResult = {
  kind: 'responded',
  status: 204,
  retry_after_ms: undefined,
  response: '',
  duration_ms: 1,
};
const FAILED: WebhookResult = { kind: 'failed', reason: 'reset', duration_ms: 1 };

function dispatch(id: string): Dispatch {
  return toUnsent({
    id,
    receiver: RECEIVER.id,
    event: 'artifact.published',
    cursor: 1,
    body: '{}',
    created_at: '2026-01-01T00:00:00Z',
    not_before: '2026-01-01T00:00:00Z',
    worker: 'w1',
  });
}

function exchanged(ids: readonly string[], given: Partial<Exchanged> = {}): ReceiverEvent {
  const claimed = ids.map(dispatch);
  const nothing = { is_probe: false, has_more: false, was_disabled: false };
  return { kind: 'exchanged', exchanged: { receiver: RECEIVER, claimed, ...nothing, ...given } };
}

function attempted(id: string, result: WebhookResult | undefined, is_first = true): ReceiverEvent {
  return { kind: 'attempted', dispatch: dispatch(id), is_first, result };
}

const FACTS: ReceiverFacts = { concurrency: 4, is_awaited: false };

function play(events: readonly ReceiverEvent[], facts: ReceiverFacts = FACTS): string[] {
  let state: ReceiverState = NEW_RECEIVER;
  return events.map((event) => {
    const next = advanceReceiver(state, event, facts);
    ({ state } = next);
    return next.effects.map(describeEffect).join(', ');
  });
}

function describeEffect(effect: ReceiverEffect): string {
  if (effect.kind === 'send') return `send ${effect.dispatch.id}`;
  if (effect.kind !== 'exchange') return effect.kind;
  const { ended, room, held } = effect.wanted;
  const stored = ended.map(({ dispatch: { id }, result }) => (result ? id : `-${id}`));
  const parts = [`store [${stored.join(' ')}]`, `room ${room}`];
  return [...parts, ...(held === undefined ? [] : [`held [${[...held].join(' ')}]`])].join(' ');
}

const DUE: ReceiverEvent = { kind: 'due' };

describe('receiver that accepts everything', () => {
  test('gets more concurrent attempts after each delivery, up to the limit', () => {
    const ids = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    expect(
      play([DUE, exchanged(ids), attempted('1', OK), attempted('2', OK), attempted('3', OK)]),
    ).toEqual([
      'store [] room 64',
      'send 1',
      'collect, send 2, send 3',
      'send 4, send 5, send 6',
      'send 7',
    ]);
  });

  test('closes after its last result is stored', () => {
    expect(play([DUE, exchanged(['1']), attempted('1', OK), exchanged([])])).toEqual([
      'store [] room 64',
      'send 1',
      'collect, store [1] room 0',
      'close',
    ]);
  });

  test('stores results together after a delay', () => {
    const events = [DUE, exchanged(['1', '2', '3']), attempted('1', OK)];
    const collected: ReceiverEvent = { kind: 'collected', batch: 1 };
    expect(play([...events, collected]).at(-1)).toBe('store [1] room 0');
    expect(play([...events, { ...collected, batch: 0 }]).at(-1)).toBe('');
  });
});

describe('receiver that fails', () => {
  test('has one attempt at a time', () => {
    const ids = ['1', '2', '3', '4', '5'];
    const events = [DUE, exchanged(ids), attempted('1', OK), attempted('2', FAILED)];
    expect(play([...events, attempted('3', FAILED, false)]).slice(-2)).toEqual(['', 'send 4']);
  });

  test('returns its other dispatches to the store after five failures', () => {
    const receiver = { ...RECEIVER, failure_count: 4 };
    const events = [DUE, exchanged(['1', '2', '3'], { receiver }), attempted('1', FAILED)];
    expect(play(events).at(-1)).toBe('collect, store [1 -2 -3] room 0');
  });

  test('keeps the dispatch that tests its recovery', () => {
    const receiver = { ...RECEIVER, failure_count: 9 };
    expect(play([DUE, exchanged(['1'], { receiver, is_probe: true })]).at(-1)).toBe('send 1');
  });

  test('yields to another waiting receiver', () => {
    const events = [DUE, exchanged(['1', '2']), attempted('1', FAILED), DUE, exchanged([])];
    expect(play(events, { ...FACTS, is_awaited: true }).slice(-3)).toEqual([
      'collect, store [1 -2] room 0',
      '',
      'close',
    ]);
  });
});

test('an ordered receiver claims nothing while this process holds one of its dispatches', () => {
  const receiver = { ...RECEIVER, ordered: true };
  const events = [DUE, exchanged(['1'], { receiver }), DUE, attempted('1', OK)];
  expect(play(events).slice(-2)).toEqual(['', 'collect, store [1] room 128']);
});

test('a receiver with batches claims fewer dispatches', () => {
  const receiver = { ...RECEIVER, debounce_ms: 1000 };
  expect(play([DUE, exchanged([], { receiver, has_more: true })]).at(-1)).toBe('store [] room 8');
});

test('a failed claim is repeated with the ids that the process holds', () => {
  const events: ReceiverEvent[] = [DUE, exchanged(['1', '2']), attempted('1', OK), DUE];
  expect(play([...events, { kind: 'exchange-failed' }, { kind: 'paused' }]).slice(-3)).toEqual([
    'store [1] room 127',
    'pause',
    'store [1] room 127 held [1 2]',
  ]);
});

test('a deleted receiver drops its dispatches', () => {
  const events = [DUE, exchanged(['1', '2']), DUE, exchanged([], { receiver: undefined })];
  expect(play([...events, attempted('1', OK), exchanged([])]).slice(-3)).toEqual([
    '',
    'collect, store [1] room 0',
    'close',
  ]);
});

test('a receiver disabled by its results is reported, and its dispatches are returned', () => {
  const receiver: Receiver = { ...RECEIVER, disabled_by: 'failures' };
  const event = exchanged(['1'], { receiver, was_disabled: true });
  expect(play([DUE, event]).at(-1)).toBe('report-disabled, collect, store [-1] room 0');
});

describe('process that stops', () => {
  const STOPPING: ReceiverEvent = { kind: 'stopping' };

  test('returns unsent dispatches and waits for running attempts', () => {
    const events = [DUE, exchanged(['1', '2']), STOPPING, attempted('1', OK), exchanged([])];
    expect(play(events).slice(-3)).toEqual(['collect', 'store [-2 1] room 0', 'close']);
  });

  test('tries once more to store results during a pause, then closes', () => {
    const failed: ReceiverEvent = { kind: 'exchange-failed' };
    const events = [DUE, exchanged(['1']), attempted('1', OK), failed, STOPPING, failed];
    expect(play([...events, DUE, { kind: 'paused' }]).slice(-5)).toEqual([
      'pause',
      'store [1] room 0',
      'close',
      '',
      '',
    ]);
  });
});

/** Simulates a store for the state machine. Numbers of a schedule determine the order of events. */
function playStore(dispatches: number, schedule: readonly number[], ordered: boolean): string[] {
  const receiver = { ...RECEIVER, ordered };
  const waiting = Array.from({ length: dispatches }, (_, position) => String(position));
  const stored: string[] = [];
  const sending: Extract<ReceiverEffect, { kind: 'send' }>[] = [];
  let exchange: Extract<ReceiverEffect, { kind: 'exchange' }> | undefined;
  let batches: number[] = [];
  let isPausing = false;
  let isClosed = false;
  let state: ReceiverState = NEW_RECEIVER;

  function handle(event: ReceiverEvent): void {
    const next = advanceReceiver(state, event, FACTS);
    ({ state } = next);
    for (const effect of next.effects) {
      expect(isClosed).toBe(false);
      if (effect.kind === 'send') {
        sending.push(effect);
        expect(sending.length).toBeLessThanOrEqual(ordered ? 1 : FACTS.concurrency);
        expect(sending.filter(({ is_first }) => is_first).length).toBeLessThanOrEqual(1);
      } else if (effect.kind === 'exchange') {
        expect(exchange).toBeUndefined();
        exchange = effect;
      } else if (effect.kind === 'collect') batches.push(effect.batch);
      else if (effect.kind === 'pause') isPausing = true;
      else if (effect.kind === 'close') isClosed = true;
    }
  }

  function endExchange(fails: boolean): void {
    if (exchange === undefined) return;
    const { ended, room } = exchange.wanted;
    exchange = undefined;
    if (fails) {
      handle({ kind: 'exchange-failed' });
      return;
    }
    for (const {
      dispatch: { id },
      result,
    } of ended) {
      if (result === undefined || result.kind === 'failed') waiting.push(id);
      else stored.push(id);
    }
    const claimed = waiting.splice(0, ordered ? Math.min(1, room) : room);
    handle(exchanged(claimed, { receiver, has_more: waiting.length > 0 }));
  }

  function endAttempt(result: WebhookResult): void {
    const sent = sending.shift();
    if (sent === undefined) return;
    handle({ kind: 'attempted', dispatch: sent.dispatch, is_first: sent.is_first, result });
  }

  function passTime(): void {
    const due = batches;
    batches = [];
    for (const batch of due) handle({ kind: 'collected', batch });
    if (!isPausing) return;
    isPausing = false;
    handle({ kind: 'paused' });
  }

  handle(DUE);
  for (const choice of schedule) {
    if (choice < 4) endAttempt(choice === 0 ? FAILED : OK);
    else if (choice < 7) endExchange(choice === 4);
    else if (choice < 9) passTime();
    else handle(DUE);
  }
  for (let step = 0; step < 200; step += 1) {
    endAttempt(OK);
    endExchange(false);
    passTime();
  }
  expect(isClosed).toBe(true);
  return stored;
}

test('every dispatch is stored once for any order of events', () => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.array(fc.nat(9), { maxLength: 120 }),
      fc.boolean(),
      (dispatches, schedule, ordered) => {
        const stored = playStore(dispatches, schedule, ordered);
        expect(stored.toSorted()).toEqual(
          Array.from({ length: dispatches }, (_, position) => String(position)).toSorted(),
        );
      },
    ),
  );
});
