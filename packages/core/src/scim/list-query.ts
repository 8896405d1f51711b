import type { ScimValue } from './attribute.ts';
import { badRequest, shortenInput } from './scim-error.ts';

const DEFAULT_RESULTS = 100;
export const MAX_RESULTS = 200;

export interface ListQuery {
  filter: string | undefined;
  /** 1-based index of the first result. */
  start_index: number;
  count: number;
  projection: Projection;
}

/** Attributes of the response; at most one of the two lists is set. */
export interface Projection {
  attributes: readonly string[] | undefined;
  excluded: readonly string[] | undefined;
}

/**
 * Parses the query of a list. Names have any case, and unknown parameters are ignored, because directories add their
 * own.
 */
export function readListQuery(given: ReadonlyMap<string, ScimValue>): ListQuery {
  const filter = given.get('filter') ?? undefined;
  if (filter !== undefined && typeof filter !== 'string') {
    throw badRequest('invalidFilter', 'The filter must be a string.');
  }
  const count = readNumber(given, 'count', DEFAULT_RESULTS);
  return {
    filter: filter === undefined || filter.trim() === '' ? undefined : filter,
    start_index: Math.max(1, readNumber(given, 'startIndex', 1)),
    count: Math.min(MAX_RESULTS, Math.max(0, count)),
    projection: readProjection(given),
  };
}

export function readProjection(given: ReadonlyMap<string, ScimValue>): Projection {
  const attributes = readNames(given, 'attributes');
  const excluded = readNames(given, 'excludedAttributes');
  if (attributes !== undefined && excluded !== undefined) {
    throw badRequest('invalidValue', 'Use `attributes` or `excludedAttributes`, not both.');
  }
  return { attributes, excluded };
}

function readNumber(
  given: ReadonlyMap<string, ScimValue>,
  name: string,
  otherwise: number,
): number {
  const value = given.get(name.toLowerCase()) ?? otherwise;
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  const text = typeof value === 'string' ? `, but is "${shortenInput(value)}"` : '';
  throw badRequest('invalidValue', `"${name}" must be an integer${text}.`);
}

function readNames(
  given: ReadonlyMap<string, ScimValue>,
  name: string,
): readonly string[] | undefined {
  const value = given.get(name.toLowerCase()) ?? undefined;
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : [value];
  const names = list.flatMap((one) => {
    if (typeof one !== 'string')
      throw badRequest('invalidValue', `"${name}" must be a list of names.`);
    return one.split(',');
  });
  const wanted = names.map((one) => one.trim()).filter((one) => one !== '');
  return wanted.length === 0 ? undefined : wanted;
}
