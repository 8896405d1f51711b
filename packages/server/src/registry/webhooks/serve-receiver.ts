import { setTimeout as delay } from 'node:timers/promises';
import type { Lane } from '@catalog/core/lane';
import type { Dispatch } from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import { FAILURES_TO_PAUSE } from '@catalog/core/webhook/receiver-health';
import type { WebhookResult } from '@catalog/core/ports/webhook-sender';
import { attemptDispatch, isDelivered, type Ended } from './attempt-dispatch.ts';
import { exchangeDispatches, type ExchangeOptions, type Exchanged } from './exchange-dispatches.ts';

export interface ServeOptions extends ExchangeOptions {
  /** Limits the attempts of the process. */
  attempts: Lane;
  /** Limits the transactions of the process: others need connections to the database too. */
  exchanges: Lane;
  onAttempt(outcome: 'delivered' | 'failed', duration_ms: number): void;
  onDisabled(receiver: Receiver): void;
  onFailure(cause: unknown): void;
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

/** Dispatches of one receiver that a process holds at a time; more if more are sent at a time. */
const MIN_HELD = 256;
/** Results that are stored at once, and for how long they wait for others. */
const MOST_RESULTS = 128;
const COLLECT_MS = 100;
/** Time after which an exchange that failed is tried again. */
const RETRY_MS = 1000;

/** Sends what is due to one receiver, several at a time, until nothing is. One exchange with the store runs at a time. */
export function serveReceiver(options: ServeOptions): ReceiverService {
  const { registry, stopping } = options;
  const { receiver_concurrency } = registry.webhooks;
  const most_held = Math.max(MIN_HELD, 2 * receiver_concurrency);
  const queue: { dispatch: Dispatch; is_probe: boolean }[] = [];
  let ended: Ended[] = [];
  let running = 0;
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
    if (result !== undefined) failures = isDelivered(result) ? 0 : failures + 1;
    if (ended.push({ dispatch, result }) > 1) return;
    isOld = false;
    const first = ended;
    setTimeout(() => {
      if (first !== ended) return;
      isOld = true;
      changed.resolve();
    }, COLLECT_MS).unref();
  }

  function canClaim(): boolean {
    return isDue && !stopping.aborted && queue.length < receiver_concurrency;
  }

  function mustStore(): boolean {
    const isLast = queue.length === 0 && running === 0;
    return ended.length > 0 && (isLast || isOld || ended.length >= MOST_RESULTS);
  }

  async function exchange(): Promise<void> {
    const room = isDue && !stopping.aborted ? most_held - queue.length - running : 0;
    const stored = ended;
    ended = [];
    if (room > 0) isDue = false;
    let exchanged: Exchanged;
    try {
      exchanged = await options.exchanges(() => exchangeDispatches(options, stored, room));
    } catch (cause) {
      ended = [...stored, ...ended];
      isDue = true;
      throw cause;
    }
    isDue ||= exchanged.has_more;
    ({ receiver } = exchanged);
    failures = receiver?.failure_count ?? 0;
    for (const { result } of ended) {
      if (result !== undefined) failures = isDelivered(result) ? 0 : failures + 1;
    }
    const { claimed, is_probe } = exchanged;
    queue.push(...claimed.map((dispatch) => ({ dispatch, is_probe })));
    if (receiver === undefined) queue.length = 0;
    else if (exchanged.was_disabled) options.onDisabled(receiver);
    giveBack();
    while (running < receiver_concurrency && queue.length > 0) void send();
  }

  /** Gives dispatches back that are not sent now. */
  function giveBack(): void {
    const isStopped = stopping.aborted || receiver === undefined || receiver.disabled_by !== null;
    if (!isStopped && failures < FAILURES_TO_PAUSE) return;
    for (const item of queue.splice(0)) {
      if (item.is_probe && !isStopped) queue.push(item);
      else addResult(item.dispatch, undefined);
    }
  }

  /** Sends one dispatch after the other while there are any. */
  async function send(): Promise<void> {
    running += 1;
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      addResult(item.dispatch, await attempt(item.dispatch));
      giveBack();
      if (mustStore() || canClaim()) changed.resolve();
    }
    running -= 1;
    changed.resolve();
  }

  /** Returns undefined if the attempt was given up because the process stops. */
  async function attempt(dispatch: Dispatch): Promise<WebhookResult | undefined> {
    try {
      return await options.attempts(async () => {
        if (receiver === undefined || stopping.aborted) return undefined;
        const result = await attemptDispatch(registry, receiver, dispatch, options.signal);
        options.onAttempt(isDelivered(result) ? 'delivered' : 'failed', result.duration_ms);
        return result;
      }, options.signal);
    } catch (cause) {
      if (!options.signal.aborted) options.onFailure(cause);
      return undefined;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      changed = Promise.withResolvers();
      if (canClaim() || mustStore()) {
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
