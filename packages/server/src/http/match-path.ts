import type { Endpoint } from '@catalog/contract/endpoints/endpoint';

export type Match<Operation> =
  | { kind: 'operation'; operation: Operation; params: Readonly<Record<string, string>> }
  | { kind: 'method'; allow: readonly string[]; endpoint: Endpoint }
  | { kind: 'none' };

export interface PathMatcher<Operation> {
  /** Finds the operation of a request; `path` is encoded and has no query. */
  match(method: string, path: string): Match<Operation>;
}

interface PathEntry<Operation> {
  /** Segments of the pattern. A name in braces matches one segment; with an ellipsis, all remaining ones. */
  segments: readonly string[];
  byMethod: ReadonlyMap<string, Extract<Match<Operation>, { kind: 'operation' }>>;
  refusal: Extract<Match<Operation>, { kind: 'method' }>;
}

const NONE = { kind: 'none' } as const;
const NO_PARAMS = {};

/** Creates a path matcher. A path without parameters needs one map lookup; other paths are compared by segment. */
export function createPathMatcher<Operation extends { route: { endpoint: Endpoint } }>(
  operations: readonly Operation[],
): PathMatcher<Operation> {
  const fixed = new Map<string, PathEntry<Operation>>();
  const open: PathEntry<Operation>[] = [];
  for (const [path, sharing] of Map.groupBy(operations, ({ route }) => route.endpoint.path)) {
    const place = toPlace(path, sharing);
    if (path.includes('{')) open.push(place);
    else fixed.set(path, place);
  }
  return {
    match(method, path) {
      const place = fixed.get(path);
      if (place !== undefined) return place.byMethod.get(method) ?? place.refusal;
      return matchOpen(open, method, path.split('/'));
    },
  };
}

function toPlace<Operation extends { route: { endpoint: Endpoint } }>(
  path: string,
  sharing: readonly Operation[],
): PathEntry<Operation> {
  const [first] = sharing;
  if (first === undefined) throw new RangeError('a path without operations');
  const entries = sharing.flatMap((operation) =>
    operation.route.endpoint.methods.map(
      (method) => [method, { kind: 'operation', operation, params: NO_PARAMS }] as const,
    ),
  );
  return {
    segments: path.split('/'),
    byMethod: new Map(entries),
    refusal: {
      kind: 'method',
      allow: entries.map(([method]) => method),
      endpoint: first.route.endpoint,
    },
  };
}

function matchOpen<Operation>(
  places: readonly PathEntry<Operation>[],
  method: string,
  given: readonly string[],
): Match<Operation> {
  const place = places.find(({ segments }) => fits(segments, given));
  if (place === undefined) return NONE;
  const match = place.byMethod.get(method);
  return match === undefined
    ? place.refusal
    : { ...match, params: readParams(place.segments, given) };
}

function fits(segments: readonly string[], given: readonly string[]): boolean {
  const isLongEnough = isRest(segments.at(-1) ?? '')
    ? given.length >= segments.length
    : given.length === segments.length;
  return (
    isLongEnough &&
    segments.every((segment, at) => (isParam(segment) ? given[at] !== '' : segment === given[at]))
  );
}

function readParams(segments: readonly string[], given: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    if (isRest(segment)) {
      params[segment.slice(1, -REST_SUFFIX.length)] = given.slice(at).map(decodeParam).join('/');
    } else if (isParam(segment)) {
      params[segment.slice(1, -1)] = decodeParam(given[at] ?? '');
    }
  }
  return params;
}

const REST_SUFFIX = '...}';

function isRest(segment: string): boolean {
  return segment.endsWith(REST_SUFFIX);
}

function isParam(segment: string): boolean {
  return segment.startsWith('{');
}

/** Decodes a path segment. Invalid encodings stay as they are, because no resource matches them. */
function decodeParam(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
