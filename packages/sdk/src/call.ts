import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { z } from 'zod';
import type { Connection } from './connection.ts';
import { DISCOVERY_MS, exchange, LOAD_MS, parseJson, type RegistryResponse } from './exchange.ts';
import { notARegistry } from './unreachable.ts';

type QueryValue = string | number | boolean | readonly string[] | undefined;

/** Path parameters, query and body of a call, as far as the endpoint has them. */
export interface CallInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue>>;
  body?: object;
}

/** Query of an endpoint as callers write it, with flags as booleans. */
export type QueryOf<Row extends { query: z.ZodObject }> = ArgumentsOf<z.input<Row['query']>>;

type ArgumentsOf<Query> = { readonly [Name in keyof Query]: ArgumentOf<Query[Name]> };

type ArgumentOf<Value> = string extends Value
  ? Value
  : 'true' extends Value
    ? boolean | Extract<Value, undefined>
    : Readonly<Value>;

/** Successful responses of an endpoint. */
export type ResponseOf<Row extends Endpoint> = {
  [Status in keyof Row['responses']]: Row['responses'][Status] extends z.ZodType
    ? z.output<Row['responses'][Status]>
    : never;
}[keyof Row['responses']];

const LOADS: ReadonlySet<string> = new Set(['load_artifact', 'batch_load', 'reingest_layer']);

/** Calls an endpoint. Throws the errors of the registry. */
export async function call<Row extends Endpoint>(
  connection: Connection,
  row: Row,
  input: CallInput,
  signal?: AbortSignal,
): Promise<ResponseOf<Row>> {
  const answer = await sendCall(connection, row, input, signal);
  const value = answer.redaction.value(parseJson(answer.bytes));
  const known = parseResponse(row, answer.status, value);
  if (known === undefined) throw unreadable(connection, row);
  return known;
}

/** Calls an endpoint whose response has no body. */
export async function callWithoutBody(
  connection: Connection,
  row: Endpoint,
  input: CallInput,
  signal?: AbortSignal,
): Promise<void> {
  const { status } = await sendCall(connection, row, input, signal);
  if (row.responses[status] !== null) throw unreadable(connection, row);
}

function sendCall(
  connection: Connection,
  row: Endpoint,
  input: CallInput,
  signal: AbortSignal | undefined,
): Promise<RegistryResponse> {
  const [method = 'GET'] = row.methods;
  return exchange(
    connection,
    {
      method,
      path: fill(row.path, input.params ?? {}) + toQuery(input.query ?? {}),
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      idle_ms: LOADS.has(row.name) ? LOAD_MS : DISCOVERY_MS,
      repeatable: !row.writes,
    },
    signal,
  );
}

function unreadable({ registry }: Connection, { name }: Endpoint): CatalogError {
  return notARegistry(registry, `returned ${name} in a format this release cannot read`);
}

/**
 * Parses a response without members that only a later release knows. Returns undefined if it differs in any other way.
 */
function parseResponse<Row extends Endpoint>(
  row: Row,
  status: number,
  answer: unknown,
): ResponseOf<Row> | undefined {
  const schema = row.responses[status] ?? null;
  if (schema === null) return undefined;
  const issues = schema.safeParse(answer).error?.issues ?? [];
  // Custom issues are about details of an error, of which a later release may send more.
  const shape = issues.filter(({ code }) => code !== 'custom');
  const unknown = shape.filter((issue) => issue.code === 'unrecognized_keys');
  if (unknown.length < shape.length) return undefined;
  const known: unknown = unknown.length === 0 ? answer : structuredClone(answer);
  for (const { path, keys } of unknown) remove(known, path, keys);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this status checked it
  return known as ResponseOf<Row>;
}

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function toQuery(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const one of value) search.append(name, one);
    else search.append(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function remove(answer: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  let at: unknown = answer;
  for (const step of path) at = isObject(at) ? Reflect.get(at, step) : undefined;
  if (!isObject(at)) return;
  for (const key of keys) Reflect.deleteProperty(at, key);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
