import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { nearest } from '@catalog/core/text/nearest';
import { z } from 'zod';
import { describeIssue, pathOf } from './describe-issue.ts';

/** How one argument of a query is written. */
interface QueryArgument {
  name: string;
  /** May stand several times. */
  repeatable: boolean;
  numeric: boolean;
}

/** Turns what a request carries into what its row of the contract promises, or refuses it. */
export interface Binder {
  /** `search` is what stands after the question mark, encoded. */
  bindQuery(search: string): Readonly<Record<string, unknown>> | undefined;
  bindParams(params: Readonly<Record<string, string>>): Record<string, unknown> | undefined;
  bindBody(bytes: Uint8Array, contentType: string | undefined): unknown;
}

/** Queries whose arguments are kept, and how long one of them may be. */
const MOST_KEPT = 256;
const LONGEST_KEPT = 256;

export function createBinder(endpoint: Endpoint): Binder {
  const known = queryArguments(endpoint.query);
  // What many ask for they ask for in the same words; reading those costs as much as finding it.
  const kept = new Map<string, Readonly<Record<string, unknown>>>();
  return {
    bindQuery(search) {
      if (endpoint.open_query === true) return undefined;
      if (endpoint.query === undefined && search === '') return undefined;
      const before = kept.get(search);
      if (before !== undefined) return before;
      const values = readQuery(search, known, endpoint.name);
      if (endpoint.query === undefined) return undefined;
      const query = Object.freeze(parse(endpoint.query, values));
      if (kept.size >= MOST_KEPT) kept.clear();
      if (search.length <= LONGEST_KEPT) kept.set(search, query);
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

/** The schema inside of defaults and options. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? unwrap(schema.unwrap())
    : schema;
}

/** The arguments of a query by name. What the row does not name is refused: a misspelling must not pass. */
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
  // By the contract's own text of the name: that of the request would have to be looked up first.
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
    refuseBrokenText(result.data, []);
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
 * No text there is to ask for holds a NUL or half of a surrogate pair, and not every store can even
 * compare with one. Here once for every argument, so that whatever lies below answers the same.
 */
function refuseBrokenText(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') {
    if (isWholeText(value)) return;
    const argument = pathOf(path);
    throw invalidArgument(
      argument,
      'text',
      `"${argument}" contains a NUL character or half of a surrogate pair.`,
    );
  }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) refuseBrokenText(item, [...path, at]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      // The name itself is text of the sender where the contract lets him choose it.
      if (!isWholeText(name)) refuseBrokenText(name, path);
      refuseBrokenText(item, [...path, name]);
    }
  }
}

function isWholeText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The top-level names an issue is about. */
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
