import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { nearest } from '@catalog/core/text/nearest';
import { z } from 'zod';
import { describeIssue, pathOf } from './describe-issue.ts';

interface QueryArgument {
  name: string;
  repeatable: boolean;
  numeric: boolean;
}

export interface Binder {
  /** Parses a query; `search` is the encoded query without the question mark. */
  bindQuery(search: string): Readonly<Record<string, unknown>> | undefined;
  bindParams(params: Readonly<Record<string, string>>): Record<string, unknown> | undefined;
  bindBody(bytes: Uint8Array, contentType: string | undefined): unknown;
}

/** Maximum number of cached queries, and maximum length of each. */
const MAX_CACHED_QUERIES = 256;
const MAX_CACHED_QUERY_LENGTH = 256;

export function createBinder(endpoint: Endpoint): Binder {
  const known = queryArguments(endpoint.query);
  // Cache of parsed queries: clients repeat them, and parsing costs as much as running some of them.
  const cache = new Map<string, Readonly<Record<string, unknown>>>();
  return {
    bindQuery(search) {
      if (endpoint.open_query === true) return undefined;
      if (endpoint.query === undefined && search === '') return undefined;
      const before = cache.get(search);
      if (before !== undefined) return before;
      const values = readQuery(search, known, endpoint.name);
      if (endpoint.query === undefined) return undefined;
      const query = Object.freeze(parse(endpoint.query, values));
      if (cache.size >= MAX_CACHED_QUERIES) cache.clear();
      if (search.length <= MAX_CACHED_QUERY_LENGTH) cache.set(search, query);
      return query;
    },
    bindParams: (params) =>
      endpoint.params === undefined ? undefined : parse(endpoint.params, params),
    bindBody(bytes, contentType) {
      if (endpoint.body === undefined) return undefined;
      if (bytes.length === 0 && endpoint.body_optional === true) return undefined;
      return parse(endpoint.body, readJson(bytes, contentType));
    },
  };
}

function queryArguments(query: z.ZodObject | undefined): ReadonlyMap<string, QueryArgument> {
  return new Map(
    Object.entries(query?.shape ?? {}).map(([name, schema]) => {
      const bare = unwrap(schema);
      return [
        name,
        { name, repeatable: bare instanceof z.ZodArray, numeric: bare instanceof z.ZodNumber },
      ];
    }),
  );
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? unwrap(schema.unwrap())
    : schema;
}

/** Parses a query and rejects unknown names, so that typos are noticed. */
function readQuery(
  search: string,
  known: ReadonlyMap<string, QueryArgument>,
  endpoint: string,
): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  let start = 0;
  while (start < search.length) {
    let end = search.indexOf('&', start);
    if (end === -1) end = search.length;
    if (end > start) {
      const equals = search.indexOf('=', start);
      const nameEnd = equals === -1 || equals > end ? end : equals;
      const name = decode(search.slice(start, nameEnd));
      const value = nameEnd === end ? '' : decode(search.slice(nameEnd + 1, end));
      addArgument(values, known, endpoint, name, value);
    }
    start = end + 1;
  }
  return values;
}

function addArgument(
  values: Record<string, string | string[]>,
  known: ReadonlyMap<string, QueryArgument>,
  endpoint: string,
  name: string,
  value: string,
): void {
  const argument = known.get(name);
  if (argument === undefined) throw unknownArgument(endpoint, name, [...known.keys()]);
  // The string of the contract is the key, because a string from the request would need another hash lookup.
  const key = argument.name;
  const before = values[key];
  if (argument.repeatable) {
    if (Array.isArray(before)) before.push(value);
    else values[key] = [value];
    return;
  }
  if (before !== undefined) {
    throw invalidArgument(name, 'repeated', `"${name}" was given more than once.`);
  }
  if (argument.numeric && !/^-?\d{1,15}$/.test(value)) {
    throw invalidArgument(name, 'type', `"${name}" must be an integer, but is "${value}".`);
  }
  values[key] = value;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidArgument('query', 'encoding', 'The query contains an invalid percent encoding.');
  }
}

function readJson(bytes: Uint8Array, contentType: string | undefined): unknown {
  if (
    contentType !== undefined &&
    !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)
  ) {
    throw invalidArgument(
      'body',
      'content_type',
      `The body must be JSON, but its content type is "${contentType}". Send "Content-Type: application/json".`,
    );
  }
  if (bytes.length === 0) {
    throw invalidArgument('body', 'required', 'This request requires a JSON body.');
  }
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw invalidArgument('body', 'json', 'The body is not valid JSON.');
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) {
    rejectMalformedText(result.data, []);
    return result.data;
  }
  const { issues } = result.error;
  const [first] = issues;
  if (first === undefined) throw new TypeError('a failed parse without an issue');
  const { argument, constraint, message } = describeIssue(
    first,
    input,
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  );
  const fields = [...new Set(issues.flatMap(fieldsOf))];
  throw new CatalogError('registry.invalid_argument', message, {
    details: { argument, constraint, ...(fields.length > 1 ? { fields } : {}) },
  });
}

/**
 * Rejects NUL and unpaired surrogates in every argument. Some stores cannot compare them, and no stored string contains
 * them.
 */
function rejectMalformedText(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') {
    if (isWellFormedText(value)) return;
    const argument = pathOf(path);
    throw invalidArgument(
      argument,
      'text',
      `"${argument}" contains a NUL character or half of a surrogate pair.`,
    );
  }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) rejectMalformedText(item, [...path, at]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      if (!isWellFormedText(name)) rejectMalformedText(name, path);
      rejectMalformedText(item, [...path, name]);
    }
  }
}

function isWellFormedText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function fieldsOf(issue: z.core.$ZodIssue): string[] {
  const [top] = issue.path;
  if (top !== undefined) return [String(top)];
  return issue.code === 'unrecognized_keys' ? issue.keys : [];
}

function unknownArgument(endpoint: string, name: string, known: readonly string[]): CatalogError {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  const takes = known.length === 0 ? 'None are accepted.' : `Accepted: ${known.join(', ')}.`;
  return invalidArgument(
    name,
    'unknown',
    `Unknown argument "${name}" for ${endpoint}.${hint} ${takes}`,
  );
}

export function invalidArgument(
  argument: string,
  constraint: string,
  message: string,
): CatalogError {
  return new CatalogError('registry.invalid_argument', message, {
    details: { argument, constraint },
  });
}
