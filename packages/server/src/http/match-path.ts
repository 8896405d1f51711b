import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { RegExpRouter } from 'hono/router/reg-exp-router';

/** What a path and a method lead to. */
export type Match<Operation> =
  | { kind: 'operation'; operation: Operation; params: Readonly<Record<string, string>> }
  /** The path exists, but not with this method. */
  | { kind: 'method'; allow: readonly string[]; endpoint: Endpoint }
  | { kind: 'none' };

export interface PathMatcher<Operation> {
  /** `path` as it was sent, still encoded, without the query. */
  match(method: string, path: string): Match<Operation>;
}

const NONE = { kind: 'none' } as const;
const NO_PARAMS = {};

/**
 * Finds the row of a request. Hono's router does the search; its context and its adapter for Node are
 * not used: together they cost a fifth of what a whole request costs (docs/decisions).
 */
export function createPathMatcher<Operation extends { route: { endpoint: Endpoint } }>(
  operations: readonly Operation[],
): PathMatcher<Operation> {
  const router = new RegExpRouter<Match<Operation>>();
  for (const [path, sharing] of byPath(operations)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const operation of sharing) {
      for (const method of operation.route.endpoint.methods) {
        router.add(method, pattern, { kind: 'operation', operation, params: NO_PARAMS });
      }
    }
    // Matches too where a method does, and then comes second.
    router.add('ALL', pattern, refusalOf(sharing));
  }
  return {
    match(method, path) {
      const [handlers, stash] = router.match(method, path);
      const [first] = handlers;
      if (first === undefined) return NONE;
      const [match, places] = first;
      if (match.kind !== 'operation' || stash === undefined || stash.length === 0) return match;
      return { ...match, params: readParams(places, stash) };
    },
  };
}

function byPath<Operation extends { route: { endpoint: Endpoint } }>(
  operations: readonly Operation[],
): Map<string, Operation[]> {
  return Map.groupBy(operations, ({ route }) => route.endpoint.path);
}

function refusalOf(
  sharing: readonly { route: { endpoint: Endpoint } }[],
): Extract<Match<never>, { kind: 'method' }> {
  const [first] = sharing;
  if (first === undefined) throw new RangeError('a path without operations');
  const allow = [...new Set(sharing.flatMap(({ route }) => route.endpoint.methods))];
  return { kind: 'method', allow, endpoint: first.route.endpoint };
}

function readParams(
  places: Readonly<Record<string, string | number>>,
  stash: readonly string[],
): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, place] of Object.entries(places)) {
    params[name] = decodeParam(stash[Number(place)] ?? '');
  }
  return params;
}

/** Text that encodes nothing is taken as it stands: it names nothing there is. */
function decodeParam(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
