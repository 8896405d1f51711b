import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { CONNECT_MS, DISCOVERY_MS, isSuccess, parseJson, readAll } from '@catalog/sdk/exchange';
import { isLoopback } from '@catalog/sdk/is-loopback';
import { quoteServer } from '@catalog/sdk/quote-server';
import { openRedaction } from '@catalog/sdk/redact';
import type { Transport } from '@catalog/sdk/transport';
import { adviceForCertificate, describeUnreachable } from '@catalog/sdk/unreachable';
import * as oauth from 'oauth4webapi';

export interface OauthRequestOptions {
  [oauth.customFetch]: (url: string, options: FetchOptions) => Promise<Response>;
  // oxlint-disable-next-line typescript/no-deprecated -- `checkAddress` decides where plain http may go
  [oauth.allowInsecureRequests]: boolean;
  signal: AbortSignal;
}

interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * Returns options that use the transport and the proxy of the registry. Plain HTTP is allowed here, because
 * `checkAddress` has checked every URL.
 */
export function oauthOptions(transport: Transport, signal?: AbortSignal): OauthRequestOptions {
  const timeout = AbortSignal.timeout(DISCOVERY_MS);
  return {
    [oauth.customFetch]: (url, options) => sendThrough(transport, url, options),
    // oxlint-disable-next-line typescript/no-deprecated -- `checkAddress` decides where plain http may go
    [oauth.allowInsecureRequests]: true,
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  };
}

async function sendThrough(
  transport: Transport,
  url: string,
  { method, headers, body, signal = AbortSignal.timeout(DISCOVERY_MS) }: FetchOptions,
): Promise<Response> {
  const sent = body instanceof URLSearchParams ? body.toString() : undefined;
  const answer = await transport({
    method,
    url,
    headers,
    body: sent,
    connect_ms: CONNECT_MS,
    signal,
  });
  const bytes = await readAll(answer, MAX_RESPONSE_BYTES, () => undefined);
  const type = answer.header('content-type');
  return new Response(
    answer.status === 204 || answer.status === 304
      ? null
      : readResponse(answer.status, bytes, body),
    {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    },
  );
}

const CREDENTIALS = ['refresh_token', 'device_code', 'token', 'client_secret', 'code'];

/** Parses a response. Credentials are removed from errors. */
function readResponse(status: number, bytes: Uint8Array, body: unknown): string {
  if (isSuccess(status) || !(body instanceof URLSearchParams)) return withoutIdToken(bytes);
  const redaction = openRedaction(CREDENTIALS.flatMap((name) => body.getAll(name)));
  const value = parseJson(bytes);
  if (value === undefined) return '';
  return JSON.stringify(redaction.value(value));
}

/** Removes the id token, which is not used: the registry identifies the user. */
function withoutIdToken(bytes: Uint8Array): string {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || !('id_token' in value)) {
    return Buffer.from(bytes).toString();
  }
  const { id_token: _, ...rest } = value;
  return JSON.stringify(rest);
}

const MAX_ADDRESS = 2048;

/** Rejects a URL to which codes and tokens cannot be sent safely. */
export function checkAddress(address: string, what: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe =
    !/[\s\p{C}]/u.test(address) &&
    address.length <= MAX_ADDRESS &&
    (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname)));
  if (url !== undefined && isSafe) return url;
  throw new CatalogError(
    'config.invalid',
    `${what} is ${quoteServer(address)}, but a sign-in requires an https URL or an address on this machine.`,
    { suggested_action: 'Use the https URL of the identity provider.' },
  );
}

export function oauthFailure(what: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const words =
    cause instanceof oauth.ResponseBodyError ? formatOauthError(cause) : describeUnreachable(cause);
  return new CatalogError('auth.exchange_failed', `${what}: ${words.replace(/\.$/, '')}.`, {
    suggested_action: adviceForCertificate(cause) ?? adviceFor(cause),
    cause,
  });
}

function formatOauthError({
  error,
  error_description: description,
}: oauth.ResponseBodyError): string {
  const words = description === undefined ? error : `${error} (${description})`;
  return `the identity provider reports ${quoteServer(words)}`;
}

/** Returns advice for an error. An error that the library does not wrap means that there was no response. */
function adviceFor(cause: unknown): string {
  const hasResponse =
    cause instanceof oauth.ResponseBodyError || cause instanceof oauth.OperationProcessingError;
  return hasResponse
    ? 'Run `catalog login` again. If the error persists, check the client id and the issuer with the operator of the registry.'
    : 'Check the network and the URL of the identity provider, then run `catalog login` again.';
}
