import { z } from 'zod';
import { embedText } from '@catalog/testkit/test-embedder';
import {
  startLoopbackServer,
  type LoopbackAnswer,
  type LoopbackServer,
} from './loopback-server.ts';
import { nearestPoints, toUnit, valuesOf, type StoredPoint } from './nearest-points.ts';

interface Collection {
  size: number;
  distance: string;
  indexed: Record<string, unknown>;
  points: Map<string, StoredPoint>;
}

export const QDRANT_MODEL = 'sentence-transformers/all-minilm-l6-v2';

/**
 * In-memory, with exact search: the part of Qdrant's published REST schema that the adapter uses. Like
 * a Qdrant cluster, it rejects filters on a field without an index. The official client verifies it.
 */
export async function startQdrantStandIn(api_key: string): Promise<LoopbackServer> {
  const collections = new Map<string, Collection>();
  return startLoopbackServer(({ method, path, headers, body }) => {
    if (headers['api-key'] !== api_key) return failed(401, 'Must provide an API key');
    if (path === '/') return { status: 200, body: { title: 'qdrant', version: '1.19.0' } };
    const [, name = '', rest = ''] = /^\/collections\/([^/]+)(.*)$/.exec(path) ?? [];
    const requested: unknown = body === '' ? {} : JSON.parse(body);
    if (rest === '' && method === 'PUT') return done(createCollection(name, requested));
    const collection = collections.get(name);
    if (collection === undefined) {
      return failed(404, `Not found: Collection \`${name}\` doesn't exist!`);
    }
    const operation = operations[`${method} ${rest}`];
    if (operation === undefined) return failed(404, `no ${method} ${path}`);
    try {
      return done(operation(collection, requested));
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error;
      return failed(400, error.message);
    }
  });

  function createCollection(name: string, requested: unknown): boolean {
    const { vectors } = newCollection.parse(requested);
    collections.set(name, { ...vectors, indexed: {}, points: new Map() });
    return true;
  }
}

function done(result: unknown): LoopbackAnswer {
  return { status: 200, body: { result, status: 'ok', time: 0.001 } };
}

function failed(status: number, error: string): LoopbackAnswer {
  return { status, body: { status: { error }, time: 0.001 } };
}

const newCollection = z.object({
  vectors: z.object({ size: z.int().min(1), distance: z.enum(['Cosine', 'Dot', 'Euclid']) }),
});
const pointId = z.union([z.uuid(), z.int().min(0)]).transform(String);
const document = z.object({ text: z.string(), model: z.literal(QDRANT_MODEL) });
const meaning = z.union([z.array(z.number()), document]);
const keyword = z.union([z.string(), z.int()]);
const condition = z.union([
  z.strictObject({
    key: z.string(),
    match: z.union([z.strictObject({ value: keyword }), z.strictObject({ any: z.array(keyword) })]),
  }),
  z.strictObject({ has_id: z.array(pointId) }),
]);
const filter = z.strictObject({ must: z.array(condition) });
const newPoints = z.object({
  points: z.array(
    z.object({
      id: pointId,
      vector: meaning,
      payload: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});
const removal = z.union([z.object({ points: z.array(pointId) }), z.object({ filter })]);
const newIndex = z.object({
  field_name: z.string(),
  field_schema: z.union([z.string(), z.object({ type: z.string() })]),
});
const counting = z.object({ filter: filter.optional(), exact: z.boolean().optional() });
const asking = z.object({
  query: meaning,
  filter: filter.optional(),
  limit: z.int().min(1).default(10),
  with_payload: z.union([z.boolean(), z.array(z.string())]).default(false),
});

type Operation = (collection: Collection, requested: unknown) => unknown;

const operations: Readonly<Record<string, Operation>> = {
  'GET ': ({ size, distance, indexed, points }) => ({
    status: 'green',
    points_count: points.size,
    segments_count: 1,
    config: { params: { vectors: { size, distance } } },
    payload_schema: indexed,
  }),
  'PUT /index': ({ indexed }, requested) => {
    const { field_name, field_schema } = newIndex.parse(requested);
    indexed[field_name] = { data_type: field_schema };
    return { operation_id: 0, status: 'completed' };
  },
  'PUT /points': (collection, requested) => {
    const added = newPoints.parse(requested).points.map(({ id, vector, payload }) => ({
      id,
      vector: toVector(collection, vector),
      payload,
    }));
    for (const point of added) collection.points.set(point.id, point);
    return { operation_id: 0, status: 'completed' };
  },
  'POST /points/delete': (collection, requested) => {
    const removed = removal.parse(requested);
    const ids =
      'points' in removed
        ? removed.points
        : selectPoints(collection, removed.filter).map(({ id }) => id);
    for (const id of ids) collection.points.delete(id);
    return { operation_id: 0, status: 'completed' };
  },
  'POST /points/count': (collection, requested) => ({
    count: selectPoints(collection, counting.parse(requested).filter).length,
  }),
  'POST /points/query': (collection, requested) => {
    const { query, filter: wanted, limit, with_payload } = asking.parse(requested);
    const candidates = selectPoints(collection, wanted);
    const found = nearestPoints(candidates, toVector(collection, query), limit);
    return {
      points: found.map(({ id, score, payload }) => ({
        id,
        version: 0,
        score,
        ...(with_payload !== false && { payload: pick(payload, with_payload) }),
      })),
    };
  },
};

function toVector({ size }: Collection, given: z.infer<typeof meaning>): Float64Array {
  const values = Array.isArray(given) ? given : [...embedText(given.text, size)];
  if (values.length === size) return toUnit(values);
  throw new RangeError(
    `Wrong input: Vector dimension error: expected dim: ${size}, got ${values.length}`,
  );
}

function pick(
  payload: Record<string, unknown>,
  wanted: true | readonly string[],
): Record<string, unknown> {
  if (wanted === true) return payload;
  return Object.fromEntries(wanted.map((key) => [key, payload[key]]));
}

function selectPoints(
  { points, indexed }: Collection,
  wanted: z.infer<typeof filter> | undefined,
): StoredPoint[] {
  const conditions = wanted?.must ?? [];
  for (const requested of conditions) {
    if ('has_id' in requested || Object.hasOwn(indexed, requested.key)) continue;
    throw new RangeError(`Bad request: Index required but not found for "${requested.key}"`);
  }
  return [...points.values()].filter((point) =>
    conditions.every((requested) => fits(point, requested)),
  );
}

function fits({ id, payload }: StoredPoint, requested: z.infer<typeof condition>): boolean {
  if ('has_id' in requested) return requested.has_id.includes(id);
  const wanted: readonly unknown[] =
    'any' in requested.match ? requested.match.any : [requested.match.value];
  return valuesOf(payload, requested.key).some((value) => wanted.includes(value));
}

export async function createQdrantCollection(
  url: string,
  api_key: string,
  name: string,
  size: number,
): Promise<void> {
  const answer = await fetch(`${url}/collections/${name}`, {
    method: 'PUT',
    headers: { 'api-key': api_key },
    body: JSON.stringify({ vectors: { size, distance: 'Cosine' } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
