import type { Dispatch, DispatchResult } from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { WebhookResult } from '@catalog/core/ports/webhook-sender';
import {
  FAILURES_TO_PAUSE,
  laterBy,
  nextHealth,
  type AttemptOutcome,
} from '@catalog/core/webhook/receiver-health';
import { signDispatch, type Secrets } from '@catalog/core/webhook/sign-dispatch';
import { occasionOfRegistry } from '../occasion.ts';
import type { Registry } from '../registry.ts';
import { keepInFile } from './keep-in-file.ts';
import { planDispatches } from './plan-dispatches.ts';
import { recordReceiverChange } from './record-receiver-change.ts';

/** Lets an attempt begin, and returns how to say that it ended. */
export type TakeLane = () => Promise<() => void>;

export interface ServeOptions {
  registry: Registry;
  tenant: Tenant;
  /** Id of the receiver. */
  id: string;
  /** Name of the process among those that share the store. */
  worker: string;
  takeLane: TakeLane;
  /** How many dispatches may be claimed now. */
  room(): number;
  onAttempt(outcome: 'delivered' | 'failed', duration_ms: number): void;
  onDisabled(receiver: Receiver): void;
  /** No further attempt begins. */
  stopping: AbortSignal;
  /** Attempts that run are given up. */
  signal: AbortSignal;
}

/** Dispatches that are claimed at once, if nothing else is sent to their receiver. */
export const BATCH = 64;
/** Dispatches of a receiver that wait; events after them stay in the outbox. */
const MOST_PENDING = 256;
/** Longer than the attempts of one claim take if each times out. */
const CLAIM_MS = 300_000;
/** Longer than one attempt takes. */
const PROBE_MS = 40_000;
/** Results that are stored at once, and for how long they wait for others. */
const MOST_RESULTS = 32;
const COLLECT_MS = 100;

/** Sends what is due to one receiver, until nothing is. */
export async function serveReceiver(options: ServeOptions): Promise<void> {
  const { stopping } = options;
  while (!stopping.aborted) {
    const receiver = await options.registry.store.receivers.get(options.tenant, options.id);
    if (receiver === undefined) return;
    const step = await takeNext(options, receiver);
    if (step.kind === 'nothing') return;
    if (step.kind === 'claimed') await sendAll(options, step.receiver, step.dispatches);
  }
}

type Step =
  | { kind: 'nothing' }
  /** The cursor moved over events that do not match, or a window opened. */
  | { kind: 'moved' }
  | { kind: 'claimed'; receiver: Receiver; dispatches: readonly Dispatch[] };

/** Claims what waits; if nothing does, makes dispatches of the next events. */
async function takeNext(options: ServeOptions, known: Receiver): Promise<Step> {
  const { registry, tenant, id } = options;
  const room = options.room();
  if (room <= 0) return { kind: 'nothing' };
  const pending = await registry.store.dispatches.countPending(tenant, id);
  if (pending > 0) {
    const step = await claim(options, room, async () => 'advanced');
    if (step.kind === 'claimed') return step;
  }
  if (pending >= MOST_PENDING) return { kind: 'nothing' };
  const now = registry.now();
  const plan = await planDispatches({ registry, tenant, receiver: known, now }, room);
  if (plan.to === known.cursor && plan.window_end === known.window_end) return { kind: 'nothing' };
  const step = await claim(options, room, async ({ dispatches }) => {
    const isFirst = await dispatches.advance(tenant, id, { from: known.cursor, ...plan });
    return isFirst ? 'advanced' : 'overtaken';
  });
  // An open window is looked at again when it ends.
  const isOpened = step.kind === 'moved' && plan.window_end !== null;
  return isOpened ? { kind: 'nothing' } : step;
}

/** Claims dispatches that are due, after a change in the same transaction. */
async function claim(
  { registry, tenant, id, worker }: ServeOptions,
  room: number,
  change: (writes: StoreWrites) => Promise<'advanced' | 'overtaken'>,
): Promise<Step> {
  return registry.store.transaction(async (writes): Promise<Step> => {
    const { receivers, dispatches } = writes;
    const now = registry.now();
    const receiver = await receivers.lock(tenant, id);
    if (receiver === undefined || isLeftAlone(receiver, now)) return { kind: 'nothing' };
    if ((await change(writes)) === 'overtaken') return { kind: 'moved' };
    // One process finds out with one dispatch whether a failing receiver works again.
    const isFailing = receiver.failure_count >= FAILURES_TO_PAUSE;
    const claimed = await dispatches.claim(tenant, id, {
      now: now.toISOString(),
      until: laterBy(now, CLAIM_MS),
      worker,
      limit: isFailing ? 1 : room,
    });
    if (claimed.length === 0) return { kind: 'moved' };
    if (isFailing) {
      const paused_until = laterBy(now, PROBE_MS);
      await receivers.setHealth(tenant, id, { ...receiver, paused_until });
    }
    return { kind: 'claimed', receiver, dispatches: claimed };
  });
}

function isLeftAlone({ disabled_by, paused_until }: Receiver, now: Date): boolean {
  return (
    disabled_by !== null || (paused_until !== null && Date.parse(paused_until) > now.getTime())
  );
}

/** One dispatch and how its attempt ended; undefined if none was made. */
interface Ended {
  dispatch: Dispatch;
  result: WebhookResult | undefined;
}

/** Makes one attempt of each dispatch, several at a time, and stores the results as they come. */
async function sendAll(
  options: ServeOptions,
  receiver: Receiver,
  dispatches: readonly Dispatch[],
): Promise<void> {
  const waiting = [...dispatches];
  let failures = receiver.failure_count;
  let results: Ended[] = [];
  let stored_at = options.registry.now().getTime();
  let storing = Promise.resolve();

  function store(): Promise<void> {
    const some = results;
    results = [];
    stored_at = options.registry.now().getTime();
    storing = storing.then(() => settle(options, some));
    return storing;
  }

  async function sendNext(): Promise<void> {
    for (let dispatch = waiting.shift(); dispatch !== undefined; dispatch = waiting.shift()) {
      const isGivenBack = options.stopping.aborted || failures >= failureLimit(receiver);
      const result = isGivenBack ? undefined : await attempt(options, receiver, dispatch);
      if (result !== undefined) failures = isDelivered(result) ? 0 : failures + 1;
      results.push({ dispatch, result });
      const waited_ms = options.registry.now().getTime() - stored_at;
      if (results.length >= MOST_RESULTS || waited_ms > COLLECT_MS) await store();
    }
  }

  const { receiver_concurrency } = options.registry.webhooks;
  const lanes = Math.min(receiver_concurrency, dispatches.length);
  await Promise.all(Array.from({ length: lanes }, sendNext));
  await store();
}

/** Failures in a row after which the rest of a claim is given back; the one attempt of a pause is made. */
function failureLimit({ failure_count }: Receiver): number {
  return failure_count >= FAILURES_TO_PAUSE ? failure_count + 1 : FAILURES_TO_PAUSE;
}

/** Undefined if it was given up because the process stops. */
async function attempt(
  options: ServeOptions,
  receiver: Receiver,
  dispatch: Dispatch,
): Promise<WebhookResult | undefined> {
  const { registry, signal } = options;
  let release: (() => void) | undefined;
  try {
    release = await options.takeLane();
    const now = registry.now();
    const body = Buffer.from(dispatch.body);
    const timestamp = Math.floor(now.getTime() / 1000);
    const headers = signDispatch({ id: dispatch.id, timestamp, body }, secretsOf(receiver, now));
    const result = await registry.webhooks.sender.send(receiver.url, headers, body, signal);
    options.onAttempt(isDelivered(result) ? 'delivered' : 'failed', result.duration_ms);
    return result;
  } catch (cause) {
    if (signal.aborted) return undefined;
    throw cause;
  } finally {
    release?.();
  }
}

function secretsOf(receiver: Receiver, now: Date): Secrets {
  const { secret, previous_secret, previous_secret_until } = receiver;
  const isOver = Date.parse(previous_secret_until ?? '') <= now.getTime();
  return previous_secret === null || isOver ? [secret] : [secret, previous_secret];
}

function isDelivered(result: WebhookResult): boolean {
  return result.kind === 'responded' && result.status >= 200 && result.status < 300;
}

/** Stores how attempts ended, and what that says about their receiver. */
async function settle(options: ServeOptions, ended: readonly Ended[]): Promise<void> {
  if (ended.length === 0) return;
  const { registry, tenant, id } = options;
  const { schedule_ms } = registry.webhooks;
  const disabled = await registry.store.transaction(async ({ receivers, dispatches }) => {
    const receiver = await receivers.lock(tenant, id);
    if (receiver === undefined) return undefined;
    const now = registry.now();
    const results = ended.map((one) => toResult(one, now, schedule_ms));
    await dispatches.finish(tenant, id, results);
    const outcomes = ended.flatMap(({ result }) =>
      result === undefined ? [] : [toOutcome(result)],
    );
    if (outcomes.length === 0) return undefined;
    let health = receiver;
    for (const outcome of outcomes) {
      health = { ...receiver, ...nextHealth(health, outcome, now, schedule_ms) };
    }
    await receivers.setHealth(tenant, id, health);
    return health.disabled_by === receiver.disabled_by ? undefined : health;
  });
  if (disabled === undefined) return;
  options.onDisabled(disabled);
  const occasion = occasionOfRegistry(registry, 'webhooks', registry.newId().replaceAll('-', ''));
  await registry.store.transaction((writes) =>
    recordReceiverChange(writes, tenant, occasion, 'disable', disabled),
  );
  await keepInFile(registry);
}

function toOutcome(result: WebhookResult): AttemptOutcome {
  if (isDelivered(result)) return { kind: 'delivered' };
  if (result.kind !== 'responded') return { kind: 'failed', gone: false, wait_ms: 0 };
  return { kind: 'failed', gone: result.status === 410, wait_ms: result.retry_after_ms ?? 0 };
}

/** The next state of a dispatch. One that was not attempted is due again. */
function toResult(
  { dispatch, result }: Ended,
  now: Date,
  schedule_ms: readonly number[],
): DispatchResult {
  const { id, fence } = dispatch;
  if (result === undefined) {
    const { attempts, last_attempt, status, duration_ms, response, error } = dispatch;
    const last = { attempts, last_attempt, status, duration_ms, response, error };
    return { id, fence, state: 'pending', not_before: now.toISOString(), ...last };
  }
  const attempts = dispatch.attempts + 1;
  const delay_ms = schedule_ms[attempts - 1];
  const isGone = result.kind === 'responded' && result.status === 410;
  const isOver = delay_ms === undefined || isGone;
  const wait_ms = result.kind === 'responded' ? (result.retry_after_ms ?? 0) : 0;
  return {
    id,
    fence,
    state: isDelivered(result) ? 'delivered' : isOver ? 'failed' : 'pending',
    attempts,
    not_before: laterBy(now, Math.max(delay_ms ?? 0, wait_ms)),
    last_attempt: now.toISOString(),
    status: result.kind === 'responded' ? result.status : null,
    duration_ms: Math.round(result.duration_ms),
    response: result.kind === 'responded' ? storable(result.response) : null,
    error: describeFailure(result),
  };
}

function describeFailure(result: WebhookResult): string | null {
  if (isDelivered(result)) return null;
  if (result.kind !== 'responded') return storable(result.reason);
  const isRedirect = result.status >= 300 && result.status < 400;
  return isRedirect
    ? `status ${result.status}: redirects are not followed`
    : `status ${result.status}`;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
