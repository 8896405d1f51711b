import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { getEnvelope } from '@catalog/contract/errors/read-envelope';
import type { z } from 'zod';
import { isSessionRejected, RegistryError, UnreachableError } from './errors.ts';
import { reportState } from './registry-state.ts';

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;

export interface CallInput<Row extends Endpoint> {
  params?: Input<Row['params']>;
  query?: Input<Row['query']>;
  body?: Input<Row['body']>;
  signal?: AbortSignal | undefined;
}

type ResponseOf<Row extends Endpoint> = {
  [Status in keyof Row['responses']]: Row['responses'][Status] extends z.ZodType
    ? z.output<Row['responses'][Status]>
    : never;
}[keyof Row['responses']];

/**
 * Calls an endpoint. The response is not validated, because registry and page have the same release. Only types of the
 * contract are imported, so the build contains no schemas.
 */
export async function call<Row extends Endpoint>(
  method: Row['methods'][number],
  path: Row['path'],
  { params, query, body, signal }: CallInput<Row> = {},
): Promise<ResponseOf<Row>> {
  const response = await send(fillPath(path, params) + toQuery(query), {
    method,
    signal: signal ?? null,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const value: unknown = response.status === 204 ? undefined : await readJson(response, signal);
  if (!response.ok) throw toError(response.status, value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return value as ResponseOf<Row>;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, init);
    const lag = response.headers.get('x-catalog-read-only-lag-seconds');
    reportState({
      reachable: !isGatewayFailure(response, init),
      read_only_lag_seconds: lag === null ? undefined : Number(lag),
    });
    return response;
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    reportState({ reachable: false });
    throw new UnreachableError(cause);
  }
}

/** Returns true if a proxy responded instead of the registry, or if the registry cannot serve reads. */
function isGatewayFailure({ status }: Response, { method }: RequestInit): boolean {
  return method === 'GET' && GATEWAY_FAILURES.has(status);
}

const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504]);

async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new UnreachableError(cause);
  }
}

function toError(status: number, value: unknown): Error {
  const envelope = getEnvelope(value);
  if (envelope === undefined) return new UnreachableError();
  const error = new RegistryError(status, envelope);
  if (isSessionRejected(error)) reportState({ session_rejected: true });
  return error;
}

function fillPath(path: string, params: object | undefined): string {
  const values = new Map<string, unknown>(Object.entries(params ?? {}));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name);
    return encodeURIComponent(typeof value === 'string' ? value : '');
  });
}

function toQuery(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
