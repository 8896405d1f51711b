import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isListed } from '@catalog/core/network/host-list';
import {
  MAX_WEBHOOK_RESPONSE_BYTES,
  type WebhookResult,
  type WebhookSender,
} from '@catalog/core/ports/webhook-sender';
import { checkAddress } from '../egress/check-address.ts';
import {
  CheckedAgent,
  ConnectionRefused,
  type CheckedAgentOptions,
} from '../egress/checked-agent.ts';
import { readRetryAfter } from '../egress/retry-after.ts';
import { describeFailure } from './describe-failure.ts';
import { readReceiverUrl, type ReceiverTarget, type ReceiverUrl } from './receiver-url.ts';
import { toExcerpt } from './response-excerpt.ts';

/** Options of the sender. The egress rules contain the targets in `CATALOG_WEBHOOK_ALLOWED_TARGETS`. */
export interface WebhookSenderOptions extends CheckedAgentOptions {
  now: () => Date;
  /** Timeout of one attempt, from name resolution to the end of the response. */
  timeout_ms?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 8192;
/** Number of cached parsed URLs; many receivers get one event after another. */
const MAX_KNOWN_URLS = 256;
/** Maximum size of a response; a longer one closes the connection. */
const MAX_BODY_BYTES = 65_536;

/** Opens the sender of webhooks. It connects to public addresses over HTTPS, and to targets that the operator lists. */
export function openWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const agent = new CheckedAgent(options);
  const { rules, resolve } = options;
  const known = new Map<string, ReceiverUrl>();
  function readKnown(text: string): ReceiverUrl {
    let url = known.get(text);
    if (url !== undefined) return url;
    if (known.size >= MAX_KNOWN_URLS) known.clear();
    url = readReceiverUrl(text);
    known.set(text, url);
    return url;
  }
  return {
    async check(text, signal) {
      const url = readReceiverUrl(text);
      if (url.kind === 'invalid') throw rejected(url.reason);
      const { host, port } = url;
      const user_named = !isListed(rules.allowed_hosts, host, port);
      const destination = { scheme: 'https', host, port, user_named };
      const checked = await checkAddress(destination, rules, resolve, signal);
      if (checked.kind === 'refused') throw rejected(notAllowed(host));
    },
    async send(text, headers, body, signal) {
      signal.throwIfAborted();
      const url = readKnown(text);
      if (url.kind === 'invalid') return { kind: 'refused', reason: url.reason, duration_ms: 0 };
      return post({ target: url, headers, body, agent, options, signal });
    },
    async close() {
      agent.destroy();
    },
  };
}

function rejected(reason: string): CatalogError {
  return new CatalogError('registry.invalid_argument', reason, {
    details: { argument: 'url' },
    suggested_action:
      'Use an https URL whose host has only public IP addresses, or ask the operator to add the host to CATALOG_WEBHOOK_ALLOWED_TARGETS.',
  });
}

/**
 * Describes a rejected target. The sentence is the same for every cause, because callers must not learn how an internal
 * name resolves.
 */
function notAllowed(host: string): string {
  return `${host} does not resolve, or resolves to an IP address that is not public.`;
}

interface Post {
  target: ReceiverTarget;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  agent: CheckedAgent;
  options: WebhookSenderOptions;
  signal: AbortSignal;
  /** Start of the first attempt, if a reused connection was closed and the request is sent again. */
  started?: number;
}

function post(attempt: Post): Promise<WebhookResult> {
  const { target, headers, body, agent, options, signal } = attempt;
  const { monotonicMs, now, timeout_ms = TIMEOUT_MS } = options;
  const started = attempt.started ?? monotonicMs();
  const { host, port, path, servername, authority } = target;
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    let hasEnded = false;
    const excerpt: Buffer[] = [];
    let length = 0;
    const request = requestHttps({
      agent,
      method: 'POST',
      host,
      port,
      path,
      servername,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: toHeaderList(authority, headers, body),
    });
    const limit = setTimeout(
      () => fail(`no response within ${timeout_ms / 1000} s`),
      // A constant timeout is cheaper in Node, which groups timers by duration.
      attempt.started === undefined ? timeout_ms : started + timeout_ms - monotonicMs(),
    );
    signal.addEventListener('abort', abort);

    /** Ends the attempt and returns its duration. Closes the connection if the exchange is incomplete. */
    function end(): number {
      hasEnded = true;
      clearTimeout(limit);
      signal.removeEventListener('abort', abort);
      if (response?.complete !== true || !request.writableFinished) request.destroy();
      return Math.round(monotonicMs() - started);
    }

    function abort(): void {
      end();
      reject(toError(signal.reason));
    }

    function fail(reason: string, kind: 'failed' | 'refused' = 'failed'): void {
      if (hasEnded) return;
      if (response === undefined) resolve({ kind, reason, duration_ms: end() });
      else respond(response);
    }

    /** Reports the status, even if the body never ends or the receiver closes the connection. */
    function respond({ statusCode: status = 0, headers: received }: IncomingMessage): void {
      if (hasEnded) return;
      resolve({
        kind: 'responded',
        status,
        retry_after_ms: readRetryAfter(received['retry-after'], now),
        response: toExcerpt(Buffer.concat(excerpt)),
        duration_ms: end(),
      });
    }

    request.on('response', (incoming) => {
      response = incoming;
      incoming.on('data', (chunk: Buffer) => {
        if (length < MAX_WEBHOOK_RESPONSE_BYTES) excerpt.push(chunk);
        length += chunk.length;
        if (length > MAX_BODY_BYTES) respond(incoming);
      });
      incoming.once('end', () => respond(incoming));
      incoming.once('error', () => respond(incoming));
    });
    request.on('error', (cause) => {
      if (hasEnded) return;
      const isStale = request.reusedSocket && response === undefined;
      if (cause instanceof ConnectionRefused) fail(notAllowed(host), 'refused');
      else if (isStale && isDisconnect(cause)) {
        // The receiver closed a kept-alive connection just before its reuse.
        end();
        resolve(post({ ...attempt, started }));
      } else fail(describeFailure(cause, host));
    });
    request.once('close', () => fail('the receiver closed the connection without a response'));
    request.end(body);
  });
}

/** Converts headers to a list of alternating names and values, which Node writes without copying. */
function toHeaderList(
  authority: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): string[] {
  const list = ['host', authority];
  for (const [name, value] of Object.entries(headers)) list.push(name, value);
  list.push('content-length', String(body.byteLength));
  return list;
}

function isDisconnect(cause: NodeJS.ErrnoException): boolean {
  return cause.code === 'ECONNRESET' || cause.code === 'EPIPE';
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
