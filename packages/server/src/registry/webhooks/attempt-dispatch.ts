import { TEST_EVENT, type Dispatch, type DispatchResult } from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { WebhookResult } from '@catalog/core/ports/webhook-sender';
import { laterBy, type AttemptOutcome } from '@catalog/core/webhook/receiver-health';
import {
  createSigningKey,
  signDispatch,
  type SigningKey,
  type SigningKeys,
} from '@catalog/core/webhook/sign-dispatch';
import type { Registry } from '../registry.ts';
import { traceTask } from '../trace-task.ts';

/** End of an attempt; undefined fields mean that none was made. */
export interface Ended {
  dispatch: Dispatch;
  result: WebhookResult | undefined;
}

/** Makes one attempt. Rejects only if the signal aborts. */
export async function attemptDispatch(
  registry: Registry,
  receiver: Receiver,
  dispatch: Dispatch,
  signal: AbortSignal,
): Promise<WebhookResult> {
  const now = registry.now();
  const body = Buffer.from(dispatch.body);
  const timestamp = Math.floor(now.getTime() / 1000);
  const headers = signDispatch({ id: dispatch.id, timestamp, body }, keysOf(receiver, now));
  const { sender } = registry.webhooks;
  const span = {
    name: 'webhook.send',
    kind: 'client',
    attributes: { 'http.request.method': 'POST', 'catalog.event': dispatch.event },
  } as const;
  const trace_id = registry.tracing && traceOf(dispatch);
  return traceTask(registry, trace_id, span, async (active) => {
    if (active === undefined) return sender.send(receiver.url, headers, body, signal);
    const { traceparent } = active;
    const result = await sender.send(receiver.url, { ...headers, traceparent }, body, signal);
    const status = result.kind === 'responded' ? result.status : undefined;
    if (status !== undefined) active.set({ 'http.response.status_code': status });
    if (!isDelivered(result)) active.fail(String(status ?? result.kind));
    return result;
  });
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

function traceOf({ body }: Dispatch): string | undefined {
  const { trace_id }: { trace_id?: unknown } = JSON.parse(body);
  return typeof trace_id === 'string' && TRACE_ID.test(trace_id) ? trace_id : undefined;
}

const known_keys = new WeakMap<
  Receiver,
  { current: SigningKey; previous: SigningKey | undefined }
>();

function keysOf(receiver: Receiver, now: Date): SigningKeys {
  const { secret, previous_secret, previous_secret_until } = receiver;
  let keys = known_keys.get(receiver);
  if (keys === undefined) {
    const previous = previous_secret === null ? undefined : createSigningKey(previous_secret);
    keys = { current: createSigningKey(secret), previous };
    known_keys.set(receiver, keys);
  }
  const { current, previous } = keys;
  const isOver = Date.parse(previous_secret_until ?? '') <= now.getTime();
  return previous === undefined || isOver ? [current] : [current, previous];
}

/** Returns true for a 2xx status. */
export function isDelivered(result: WebhookResult): boolean {
  return result.kind === 'responded' && result.status >= 200 && result.status < 300;
}

/** Converts a result to an outcome, with the delay that the receiver requested in milliseconds. */
export function toOutcome(result: WebhookResult): AttemptOutcome {
  if (isDelivered(result)) return { kind: 'delivered' };
  if (result.kind !== 'responded') return { kind: 'failed', gone: false, wait_ms: 0 };
  return { kind: 'failed', gone: result.status === 410, wait_ms: result.retry_after_ms ?? 0 };
}

/** Returns the result to store. A dispatch without an attempt is due again. */
export function toResult(
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
  const isOver = delay_ms === undefined || isGone || dispatch.event === TEST_EVENT;
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

/** Replaces NUL and unpaired surrogates, which PostgreSQL cannot store. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
