import type { Lane } from '@catalog/core/lane';
import type { Dispatch } from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { WebhookResult } from '@catalog/core/ports/webhook-sender';
import { attemptDispatch, isDelivered } from './attempt-dispatch.ts';
import {
  exchangeDispatches,
  type ExchangeOptions,
  type ExchangeRequest,
} from './exchange-dispatches.ts';
import {
  advanceReceiver,
  NEW_RECEIVER,
  type ReceiverEffect,
  type ReceiverEvent,
  type ReceiverState,
} from './receiver-state.ts';

/** Options for serving one receiver, with limits that all receivers of the process share. */
export interface ServeOptions extends ExchangeOptions {
  /** Limits of the process: for the first attempt of a receiver, and for additional ones. */
  firstAttempt: Lane;
  furtherAttempts: Lane;
  /** Limit of concurrent exchanges, because other work needs database connections too. */
  exchanges: Lane;
  onAttempt(outcome: 'delivered' | 'failed', duration_ms: number): void;
  onDisabled(receiver: Receiver): void;
  onFailure(cause: unknown): void;
  /** Returns true if another receiver waits for the place of a failing one. */
  isAwaited(): boolean;
  /** Prevents further attempts. */
  stopping: AbortSignal;
  /** Aborts running attempts. */
  signal: AbortSignal;
}

/** The work of a process on one receiver. */
export interface ReceiverService {
  wake(): void;
  ended: Promise<void>;
}

const COLLECT_MS = 100;
const RETRY_MS = 1000;

/** Sends due dispatches to one receiver until none are left. `receiver-state.ts` decides what happens next. */
export function serveReceiver(options: ServeOptions): ReceiverService {
  const { registry, stopping } = options;
  const { receiver_concurrency: concurrency } = registry.webhooks;
  const ended = Promise.withResolvers<void>();
  let state: ReceiverState = { ...NEW_RECEIVER, is_stopping: stopping.aborted };

  function handle(event: ReceiverEvent): void {
    const facts = { concurrency, is_awaited: options.isAwaited() };
    const { state: next, effects } = advanceReceiver(state, event, facts);
    state = next;
    for (const effect of effects) start(effect);
  }

  function start(effect: ReceiverEffect): void {
    switch (effect.kind) {
      case 'send':
        void send(effect.dispatch, effect.is_first);
        return;
      case 'exchange':
        void exchange(effect.wanted);
        return;
      case 'collect':
        setTimeout(() => handle({ kind: 'collected', batch: effect.batch }), COLLECT_MS).unref();
        return;
      case 'pause':
        setTimeout(() => handle({ kind: 'paused' }), RETRY_MS).unref();
        return;
      case 'report-disabled':
        options.onDisabled(effect.receiver);
        return;
      case 'close':
        stopping.removeEventListener('abort', onStop);
        ended.resolve();
    }
  }

  async function send(dispatch: Dispatch, is_first: boolean): Promise<void> {
    const result = await attempt(dispatch, is_first);
    handle({ kind: 'attempted', dispatch, is_first, result });
  }

  /** Makes an attempt. Returns undefined if the process stops. */
  async function attempt(
    dispatch: Dispatch,
    is_first: boolean,
  ): Promise<WebhookResult | undefined> {
    const lane = is_first ? options.firstAttempt : options.furtherAttempts;
    try {
      return await lane(async () => {
        const { receiver } = state;
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

  async function exchange(wanted: ExchangeRequest): Promise<void> {
    handle(await tryExchange(wanted));
  }

  async function tryExchange(wanted: ExchangeRequest): Promise<ReceiverEvent> {
    try {
      const exchanged = await options.exchanges(() => exchangeDispatches(options, wanted));
      return { kind: 'exchanged', exchanged };
    } catch (cause) {
      options.onFailure(cause);
      return { kind: 'exchange-failed' };
    }
  }

  const onStop = (): void => handle({ kind: 'stopping' });
  stopping.addEventListener('abort', onStop);
  handle({ kind: 'due' });
  return { wake: () => handle({ kind: 'due' }), ended: ended.promise };
}
