import { setTimeout as delay } from 'node:timers/promises';
import type { Lane } from '@catalog/core/lane';
import type { Dispatch } from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import { FAILURES_TO_PAUSE } from '@catalog/core/webhook/receiver-health';
import type { WebhookResult } from '@catalog/core/ports/webhook-sender';
import { attemptDispatch, isDelivered, type Ended } from './attempt-dispatch.ts';
import { exchangeDispatches, type ExchangeOptions, type Exchanged } from './exchange-dispatches.ts';

export interface ServeOptions extends ExchangeOptions {
  /** Limits the attempts of the process: the only one for this receiver at the moment, and those in addition to it. */
  firstAttempt: Lane;
  furtherAttempts: Lane;
  /** Limits the transactions of the process: others need connections to the database too. */
  exchanges: Lane;
  onAttempt(outcome: 'delivered' | 'failed', duration_ms: number): void;
  onDisabled(receiver: Receiver): void;
  onFailure(cause: unknown): void;
  /** True if another receiver waits for the place of one that does not work. */
  isAwaited(): boolean;
  /** No further attempt begins. */
  stopping: AbortSignal;
  /** Attempts that run are given up. */
  signal: AbortSignal;
}

/** What a process does for one receiver. */
export interface ReceiverService {
  /** Claims more: something may have become due. */
  wake(): void;
  /** Fulfilled when nothing is due and nothing runs. */
  ended: Promise<void>;
}

/** Dispatches of one receiver that a process holds for each attempt that the receiver may have at a time. */
const HELD_PER_ATTEMPT = 64;
/** A batch can be as large as a thousand events. */
const BATCHES_PER_ATTEMPT = 8;
/** Results that are stored at once, and for how long they wait for others. */
const MAX_RESULTS = 256;
const COLLECT_MS = 100;
/** Time after which an exchange that failed is tried again. */
const RETRY_MS = 1000;

/** Sends what is due to one receiver, several at a time, until nothing is. One exchange with the store runs at a time. */
export function serveReceiver(options: ServeOptions): ReceiverService {
  const { registry, stopping } = options;
  const { receiver_concurrency } = registry.webhooks;
  const queue: { dispatch: Dispatch; is_probe: boolean }[] = [];
  let ended: Ended[] = [];
  /** Ids of the dispatches in this process: claimed, and without a stored result. */
  const held = new Set<string>();
  /** True after a claim that failed: the database may have committed it all the same. */
  let mayHaveLost = false;
  let running = 0;
  let hasFirst = false;
  /** Attempts at a time: one until a delivery and after a failure, so that a receiver that hangs has one. */
  let width = 1;
  let hasFailed = false;
  let receiver: Receiver | undefined;
  /** Consecutive failures, those included that are not stored yet. */
  let failures = 0;
  let isDue = true;
  let isOld = false;
  let changed = Promise.withResolvers<void>();

  function wake(): void {
    isDue = true;
    changed.resolve();
  }

  function addResult(dispatch: Dispatch, result: WebhookResult | undefined): void {
    if (result !== undefined) {
      hasFailed = !isDelivered(result);
      failures = hasFailed ? failures + 1 : 0;
      width = hasFailed ? 1 : Math.min(2 * width, receiver_concurrency);
    }
    if (ended.push({ dispatch, result }) > 1) return;
    isOld = false;
    const first = ended;
    setTimeout(() => {
      if (first !== ended) return;
      isOld = true;
      changed.resolve();
    }, COLLECT_MS).unref();
  }

  /** True if another receiver gets the place of this one. */
  function isYielding(): boolean {
    return hasFailed && options.isAwaited();
  }

  function mayClaim(): boolean {
    const isBusy = receiver?.ordered === true && queue.length + running > 0;
    return isDue && !isBusy && !stopping.aborted && !isYielding();
  }

  function mustClaim(): boolean {
    return mayClaim() && queue.length < receiver_concurrency;
  }

  function mustStore(): boolean {
    const isLast = queue.length === 0 && running === 0;
    return ended.length > 0 && (isLast || isOld || ended.length >= MAX_RESULTS);
  }

  async function exchange(): Promise<void> {
    const hasBatches = typeof receiver?.debounce_ms === 'number';
    const per_attempt = hasBatches ? BATCHES_PER_ATTEMPT : HELD_PER_ATTEMPT;
    const most_held = Math.max(per_attempt * width, 2 * receiver_concurrency);
    const room = mayClaim() ? Math.max(0, most_held - queue.length - running) : 0;
    const stored = ended;
    ended = [];
    if (room > 0) isDue = false;
    let exchanged: Exchanged;
    try {
      exchanged = await options.exchanges(() =>
        exchangeDispatches(options, { ended: stored, room, held: mayHaveLost ? held : undefined }),
      );
    } catch (cause) {
      ended = [...stored, ...ended];
      isDue = true;
      mayHaveLost ||= room > 0;
      throw cause;
    }
    mayHaveLost = false;
    for (const { dispatch } of stored) held.delete(dispatch.id);
    isDue ||= exchanged.has_more;
    ({ receiver } = exchanged);
    failures = receiver?.failure_count ?? 0;
    for (const { result } of ended) {
      if (result !== undefined) failures = isDelivered(result) ? 0 : failures + 1;
    }
    const { claimed, is_probe } = exchanged;
    for (const { id } of claimed) held.add(id);
    queue.push(...claimed.map((dispatch) => ({ dispatch, is_probe })));
    if (receiver === undefined) queue.length = 0;
    else if (exchanged.was_disabled) options.onDisabled(receiver);
    giveBack();
    startSending();
  }

  /** Gives dispatches back that are not sent now. */
  function giveBack(): void {
    const isStopped = stopping.aborted || receiver === undefined || receiver.disabled_by !== null;
    if (!isStopped && failures < FAILURES_TO_PAUSE && !isYielding()) return;
    for (const item of queue.splice(0)) {
      if (item.is_probe && !isStopped) queue.push(item);
      else addResult(item.dispatch, undefined);
    }
  }

  function startSending(): void {
    while (running < width && queue.length > 0) void send();
  }

  /** Sends one dispatch after the other while there are any, and not too many are sent at a time. */
  async function send(): Promise<void> {
    running += 1;
    while (running <= width) {
      const item = queue.shift();
      if (item === undefined) break;
      addResult(item.dispatch, await attempt(item.dispatch));
      giveBack();
      startSending();
      if (mustStore() || mustClaim()) changed.resolve();
    }
    running -= 1;
    changed.resolve();
  }

  /** Returns undefined if the attempt was given up because the process stops. */
  async function attempt(dispatch: Dispatch): Promise<WebhookResult | undefined> {
    const isFirst = !hasFirst;
    if (isFirst) hasFirst = true;
    const lane = isFirst ? options.firstAttempt : options.furtherAttempts;
    try {
      return await lane(async () => {
        if (receiver === undefined || stopping.aborted) return undefined;
        const result = await attemptDispatch(registry, receiver, dispatch, options.signal);
        options.onAttempt(isDelivered(result) ? 'delivered' : 'failed', result.duration_ms);
        return result;
      }, options.signal);
    } catch (cause) {
      if (!options.signal.aborted) options.onFailure(cause);
      return undefined;
    } finally {
      if (isFirst) hasFirst = false;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      changed = Promise.withResolvers();
      if (mustClaim() || mustStore() || (mayHaveLost && !stopping.aborted)) {
        try {
          await exchange();
        } catch (cause) {
          options.onFailure(cause);
          if (stopping.aborted) return;
          await delay(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
        }
      } else if (queue.length > 0 || running > 0 || ended.length > 0) {
        await changed.promise;
      } else {
        return;
      }
    }
  }

  const onStop = (): void => changed.resolve();
  stopping.addEventListener('abort', onStop);
  return { wake, ended: run().finally(() => stopping.removeEventListener('abort', onStop)) };
}
