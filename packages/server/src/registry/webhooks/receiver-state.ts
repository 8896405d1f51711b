import type { Dispatch } from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { WebhookResult } from '@catalog/core/ports/webhook-sender';
import { FAILURES_TO_PAUSE } from '@catalog/core/webhook/receiver-health';
import { isDelivered, type Ended } from './attempt-dispatch.ts';
import type { Exchanged, ExchangeRequest } from './exchange-dispatches.ts';

/** State of the work on one receiver, which changes only through events. */
export interface ReceiverState {
  receiver: Receiver | undefined;
  queue: readonly Queued[];
  ended: readonly Ended[];
  /** Number of the current batch of results, until it is stored. */
  batch: number;
  /** True when results have been collected for long enough. */
  is_old: boolean;
  held: ReadonlySet<string>;
  /** True after a failed claim, which may have been committed anyway. */
  may_have_lost: boolean;
  running: number;
  has_first: boolean;
  /**
   * Number of concurrent attempts: one before the first delivery and after a failure, so that a hanging receiver has
   * only one.
   */
  width: number;
  has_failed: boolean;
  /** Consecutive failures, including those that are not stored yet. */
  failures: number;
  is_due: boolean;
  is_stopping: boolean;
  /** State of the store access: one exchange at a time, with a pause after a failure. */
  store: { kind: 'idle' | 'pausing' | 'closed' } | { kind: 'exchanging'; wanted: ExchangeRequest };
}

/** Dispatch that waits for its attempt in this process. */
export interface Queued {
  dispatch: Dispatch;
  is_probe: boolean;
}

/** Event that changes the state of a receiver, such as a finished attempt. */
export type ReceiverEvent =
  | { kind: 'due' }
  /** Result of an attempt; undefined if it was aborted. */
  | { kind: 'attempted'; dispatch: Dispatch; is_first: boolean; result: WebhookResult | undefined }
  | { kind: 'collected'; batch: number }
  | { kind: 'exchanged'; exchanged: Exchanged }
  | { kind: 'exchange-failed' }
  | { kind: 'paused' }
  | { kind: 'stopping' };

/** Action that follows a change of state; its result arrives as an event. */
export type ReceiverEffect =
  | { kind: 'send'; dispatch: Dispatch; is_first: boolean }
  /** Requests the event `collected` after a delay. */
  | { kind: 'collect'; batch: number }
  /** Requests an exchange; `exchanged` or `exchange-failed` follows. */
  | { kind: 'exchange'; wanted: ExchangeRequest }
  /** Requests the event `paused` after a delay. */
  | { kind: 'pause' }
  | { kind: 'report-disabled'; receiver: Receiver }
  /** Ends the work; further events have no effect. */
  | { kind: 'close' };

/** Facts outside the state: the limit of attempts, and whether another receiver is waiting. */
export interface ReceiverFacts {
  concurrency: number;
  is_awaited: boolean;
}

/** Maximum number of dispatches in a process per concurrent attempt. */
const HELD_PER_ATTEMPT = 64;
/** The same limit for batches, each of which can contain a thousand events. */
const BATCHES_PER_ATTEMPT = 8;
const MAX_RESULTS = 256;

/** Initial state of a receiver, before its first exchange with the store. */
export const NEW_RECEIVER: ReceiverState = {
  receiver: undefined,
  queue: [],
  ended: [],
  batch: 0,
  is_old: false,
  held: new Set(),
  may_have_lost: false,
  running: 0,
  has_first: false,
  width: 1,
  has_failed: false,
  failures: 0,
  is_due: false,
  is_stopping: false,
  store: { kind: 'idle' },
};

interface Step extends ReceiverState {
  queue: Queued[];
  ended: Ended[];
  facts: ReceiverFacts;
  effects: ReceiverEffect[];
}

/** Returns the next state of a receiver and its effects, without side effects. */
export function advanceReceiver(
  before: ReceiverState,
  event: ReceiverEvent,
  facts: ReceiverFacts,
): { state: ReceiverState; effects: readonly ReceiverEffect[] } {
  const step: Step = {
    ...before,
    queue: [...before.queue],
    ended: [...before.ended],
    facts,
    effects: [],
  };
  applyEvent(step, event);
  giveBack(step);
  startSending(step);
  startExchange(step);
  const { facts: _, effects, ...state } = step;
  return { state, effects };
}

function applyEvent(step: Step, event: ReceiverEvent): void {
  switch (event.kind) {
    case 'due':
      step.is_due = true;
      return;
    case 'attempted':
      step.running -= 1;
      if (event.is_first) step.has_first = false;
      addResult(step, event.dispatch, event.result);
      return;
    case 'collected':
      if (event.batch === step.batch) step.is_old = true;
      return;
    case 'exchanged':
      endExchange(step, event.exchanged);
      return;
    case 'exchange-failed':
      repeatExchange(step);
      return;
    case 'paused':
      if (step.store.kind === 'pausing') step.store = { kind: 'idle' };
      return;
    case 'stopping':
      step.is_stopping = true;
      if (step.store.kind === 'pausing') step.store = { kind: 'idle' };
  }
}

function addResult(step: Step, dispatch: Dispatch, result: WebhookResult | undefined): void {
  if (result !== undefined) {
    step.has_failed = !isDelivered(result);
    step.failures = step.has_failed ? step.failures + 1 : 0;
    step.width = step.has_failed ? 1 : Math.min(2 * step.width, step.facts.concurrency);
  }
  if (step.ended.push({ dispatch, result }) > 1) return;
  step.is_old = false;
  step.effects.push({ kind: 'collect', batch: step.batch });
}

function endExchange(
  step: Step,
  { receiver, claimed, is_probe, has_more, was_disabled }: Exchanged,
): void {
  if (step.store.kind !== 'exchanging') return;
  const stored = new Set(step.store.wanted.ended.map(({ dispatch }) => dispatch.id));
  const held = [...step.held].filter((id) => !stored.has(id));
  step.held = new Set([...held, ...claimed.map(({ id }) => id)]);
  step.store = { kind: 'idle' };
  step.may_have_lost = false;
  step.is_due ||= has_more;
  step.receiver = receiver;
  step.failures = receiver?.failure_count ?? 0;
  for (const { result } of step.ended) {
    if (result !== undefined) step.failures = isDelivered(result) ? 0 : step.failures + 1;
  }
  if (receiver === undefined) {
    step.queue = [];
    return;
  }
  step.queue.push(...claimed.map((dispatch) => ({ dispatch, is_probe })));
  if (was_disabled) step.effects.push({ kind: 'report-disabled', receiver });
}

/** Repeats an exchange. A stopping process tries only once. */
function repeatExchange(step: Step): void {
  if (step.store.kind !== 'exchanging') return;
  const { ended, room } = step.store.wanted;
  step.ended.unshift(...ended);
  step.batch += 1;
  step.is_old = step.ended.length > 0;
  step.is_due = true;
  step.may_have_lost ||= room > 0;
  step.store = { kind: step.is_stopping ? 'closed' : 'pausing' };
  step.effects.push({ kind: step.is_stopping ? 'close' : 'pause' });
}

function giveBack(step: Step): void {
  const { receiver, is_stopping } = step;
  const isStopped = is_stopping || receiver === undefined || receiver.disabled_by !== null;
  if (!isStopped && step.failures < FAILURES_TO_PAUSE && !isYielding(step)) return;
  for (const item of step.queue.splice(0)) {
    if (item.is_probe && !isStopped) step.queue.push(item);
    else addResult(step, item.dispatch, undefined);
  }
}

function isYielding({ has_failed, facts }: Step): boolean {
  return has_failed && facts.is_awaited;
}

function startSending(step: Step): void {
  for (const { dispatch } of step.queue.splice(0, Math.max(0, step.width - step.running))) {
    step.effects.push({ kind: 'send', dispatch, is_first: !step.has_first });
    step.has_first = true;
    step.running += 1;
  }
}

function startExchange(step: Step): void {
  if (step.store.kind !== 'idle') return;
  const { queue, running, ended, held } = step;
  if (mustClaim(step) || mustStore(step) || (step.may_have_lost && !step.is_stopping)) {
    const room = mayClaim(step) ? roomFor(step) : 0;
    const wanted = { ended, room, held: step.may_have_lost ? held : undefined };
    step.ended = [];
    step.batch += 1;
    if (room > 0) step.is_due = false;
    step.store = { kind: 'exchanging', wanted };
    step.effects.push({ kind: 'exchange', wanted });
  } else if (queue.length === 0 && running === 0 && ended.length === 0) {
    step.store = { kind: 'closed' };
    step.effects.push({ kind: 'close' });
  }
}

function mayClaim(step: Step): boolean {
  const isBusy = step.receiver?.ordered === true && step.queue.length + step.running > 0;
  return step.is_due && !isBusy && !step.is_stopping && !isYielding(step);
}

function mustClaim(step: Step): boolean {
  return mayClaim(step) && step.queue.length < step.facts.concurrency;
}

function mustStore({ queue, running, ended, is_old }: Step): boolean {
  const isLast = queue.length === 0 && running === 0;
  return ended.length > 0 && (isLast || is_old || ended.length >= MAX_RESULTS);
}

function roomFor({ receiver, queue, running, width, facts }: Step): number {
  const hasBatches = typeof receiver?.debounce_ms === 'number';
  const per_attempt = hasBatches ? BATCHES_PER_ATTEMPT : HELD_PER_ATTEMPT;
  const max_held = Math.max(per_attempt * width, 2 * facts.concurrency);
  return Math.max(0, max_held - queue.length - running);
}
