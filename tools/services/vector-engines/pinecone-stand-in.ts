import { z } from 'zod';
import { embedText } from '@catalog/testkit/test-embedder';
import {
  startLoopbackServer,
  type LoopbackAnswer,
  type LoopbackRequest,
  type LoopbackServer,
} from './loopback-server.ts';
import { nearestPoints, toUnit, valuesOf, type StoredPoint } from './nearest-points.ts';

/** Indexes are not created on demand. */
export interface PineconeIndex {
  dimension: number;
  embeds: boolean;
}

type Namespaces = Map<string, Map<string, StoredPoint>>;

/** Delay before a write becomes visible, as in Pinecone. */
const FRESHNESS_MS = 50;

/**
 * In-memory, with exact search: the part of Pinecone's published REST schema that the adapter uses. The
 * first path segment is the index, which is in the host name at Pinecone. The official client verifies
 * it.
 */
export async function startPineconeStandIn(
  api_key: string,
  indexes: Readonly<Record<string, PineconeIndex>>,
): Promise<LoopbackServer> {
  const kept = new Map<string, Namespaces>();
  const server = await startLoopbackServer((request) => {
    const { headers, method, path } = request;
    if (headers['api-key'] !== api_key) return failed(401, 'Invalid API Key');
    if (headers['x-pinecone-api-version'] === undefined) return failed(400, 'no version');
    const [, first = '', second = ''] = path.split('/');
    if (first === 'indexes' && method === 'GET') return describe(second);
    const index = Object.hasOwn(indexes, first) ? indexes[first] : undefined;
    if (index === undefined) return failed(404, 'Not Found');
    const namespaces = kept.get(first) ?? new Map();
    kept.set(first, namespaces);
    try {
      return dataPlane({ index, namespaces }, { ...request, path: path.slice(first.length + 1) });
    } catch (error) {
      if (!(error instanceof z.ZodError || error instanceof RangeError)) throw error;
      return failed(400, error.message);
    }
  });
  return server;

  function describe(name: string): LoopbackAnswer {
    if (!Object.hasOwn(indexes, name)) return failed(404, `Resource ${name} not found`);
    return {
      status: 200,
      body: {
        name,
        host: `${server.url}/${name}`,
        status: { ready: true, state: 'Ready' },
        deployment: { deployment_type: 'managed', cloud: 'aws', region: 'us-east-1' },
        schema: { fields: {} },
        deletion_protection: 'disabled',
      },
    };
  }
}

interface Place {
  index: PineconeIndex;
  namespaces: Namespaces;
}

const metadata = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const clause = z.record(
  z.string(),
  z.union([
    scalar,
    z.strictObject({ $eq: scalar }),
    z.strictObject({ $in: z.array(scalar).min(1) }),
  ]),
);
const filter = z.union([z.strictObject({ $and: z.array(clause).min(1) }), clause]);
const space = z.string().max(512).default('');
const upserting = z.object({
  namespace: space,
  vectors: z
    .array(
      z.object({ id: z.string(), values: z.array(z.number()), metadata: metadata.default({}) }),
    )
    .min(1)
    .max(1000),
});
const top_k = z.int().min(1).max(10_000);
const querying = z.object({
  namespace: space,
  vector: z.array(z.number()),
  topK: top_k,
  filter: filter.optional(),
  includeMetadata: z.boolean().default(false),
});
const deleting = z.object({
  namespace: space,
  ids: z.array(z.string()).min(1).max(1000).optional(),
  deleteAll: z.boolean().optional(),
});
const record = z.looseObject({ _id: z.string(), text: z.string() });
const searching = z.object({
  query: z.object({
    inputs: z.object({ text: z.string() }),
    top_k,
    filter: filter.optional(),
  }),
  fields: z.array(z.string()).optional(),
});

function dataPlane(place: Place, { method, path, body }: LoopbackRequest): LoopbackAnswer {
  const [, named = '', verb = ''] = /^\/records\/namespaces\/([^/]+)\/(\w+)$/.exec(path) ?? [];
  const namespace = decodeURIComponent(named);
  if (verb === 'upsert') return upsertRecords(place, namespace, body);
  const requested: unknown = body === '' ? {} : JSON.parse(body);
  if (verb === 'search') return searchRecords(place, namespace, requested);
  switch (`${method} ${path}`) {
    case 'POST /vectors/upsert':
      return upsertVectors(place, requested);
    case 'POST /query':
      return queryVectors(place, requested);
    case 'POST /vectors/delete':
      return deleteVectors(place, requested);
    case 'POST /describe_index_stats':
      return describeStatistics(place);
    default:
      return failed(404, 'Not Found');
  }
}

function upsertVectors({ index, namespaces }: Place, requested: unknown): LoopbackAnswer {
  const { namespace, vectors } = upserting.parse(requested);
  const points = vectors.map(({ id, values, metadata: payload }) => ({
    id,
    vector: checkDimension(index, values),
    payload,
  }));
  keep(namespaces, namespace, points);
  return { status: 200, body: { upsertedCount: points.length } };
}

function upsertRecords({ index, namespaces }: Place, name: string, lines: string): LoopbackAnswer {
  if (!index.embeds) throw new RangeError('Integrated inference is not configured for this index');
  const records = lines.split('\n').map((line) => record.parse(JSON.parse(line)));
  if (records.length > 96) throw new RangeError('Batch size exceeds 96');
  const points = records.map(({ _id: id, ...fields }) => ({
    id,
    vector: toUnit([...embedText(fields.text, index.dimension)]),
    payload: fields,
  }));
  keep(namespaces, name, points);
  return { status: 201, body: {} };
}

function keep(namespaces: Namespaces, name: string, points: readonly StoredPoint[]): void {
  setTimeout(() => {
    const kept = namespaces.get(name) ?? new Map<string, StoredPoint>();
    namespaces.set(name, kept);
    for (const point of points) kept.set(point.id, point);
  }, FRESHNESS_MS);
}

function deleteVectors({ namespaces }: Place, requested: unknown): LoopbackAnswer {
  const { namespace, ids, deleteAll } = deleting.parse(requested);
  const kept = namespaces.get(namespace);
  if (kept === undefined) return failed(404, 'Namespace not found');
  setTimeout(() => {
    if (deleteAll === true) namespaces.delete(namespace);
    for (const id of ids ?? []) kept.delete(id);
  }, FRESHNESS_MS);
  return { status: 200, body: {} };
}

function describeStatistics({ index, namespaces }: Place): LoopbackAnswer {
  const counts = Array.from(namespaces, ([name, kept]) => [name, { vectorCount: kept.size }]);
  const totalVectorCount = Array.from(namespaces.values(), (kept) => kept.size).reduce(
    (sum, size) => sum + size,
    0,
  );
  return {
    status: 200,
    body: {
      dimension: index.dimension,
      metric: 'cosine',
      vectorType: 'dense',
      indexFullness: 0,
      totalVectorCount,
      namespaces: Object.fromEntries(counts),
    },
  };
}

function queryVectors({ index, namespaces }: Place, requested: unknown): LoopbackAnswer {
  const { namespace, vector, topK, filter: wanted, includeMetadata } = querying.parse(requested);
  const points = selectPoints(namespaces.get(namespace), wanted);
  const found = nearestPoints(points, checkDimension(index, vector), topK);
  const matches = found.map(({ id, score, payload }) => ({
    id,
    score,
    ...(includeMetadata && { metadata: payload }),
  }));
  return { status: 200, body: { matches, namespace, usage: { readUnits: 1 } } };
}

function searchRecords(
  { index, namespaces }: Place,
  name: string,
  requested: unknown,
): LoopbackAnswer {
  if (!index.embeds) throw new RangeError('Integrated inference is not configured for this index');
  const { query, fields } = searching.parse(requested);
  const points = selectPoints(namespaces.get(name), query.filter);
  const vector = toUnit([...embedText(query.inputs.text, index.dimension)]);
  const hits = nearestPoints(points, vector, query.top_k).map(({ id, score, payload }) => ({
    _id: id,
    _score: score,
    fields:
      fields === undefined ? payload : Object.fromEntries(fields.map((key) => [key, payload[key]])),
  }));
  return { status: 200, body: { result: { hits }, usage: { read_units: 1 } } };
}

function checkDimension({ dimension }: PineconeIndex, values: readonly number[]): Float64Array {
  if (values.every((value) => value === 0)) {
    throw new RangeError('Dense vectors must contain at least one non-zero value');
  }
  if (values.length === dimension) return toUnit(values);
  throw new RangeError(
    `Vector dimension ${values.length} does not match the dimension of the index ${dimension}`,
  );
}

function selectPoints(
  kept: ReadonlyMap<string, StoredPoint> | undefined,
  wanted: z.infer<typeof filter> | undefined,
): StoredPoint[] {
  const clauses = listClauses(wanted);
  return [...(kept?.values() ?? [])].filter(({ payload }) =>
    clauses.every((requested) =>
      Object.entries(requested).every(([key, condition]) => {
        const values = valuesOf(payload, key);
        return wantedValues(condition).some((value) => values.includes(value));
      }),
    ),
  );
}

function listClauses(wanted: z.infer<typeof filter> | undefined): z.infer<typeof clause>[] {
  if (wanted === undefined) return [];
  const { $and } = wanted;
  return Array.isArray($and) ? $and : [z.parse(clause, wanted)];
}

function wantedValues(condition: z.infer<typeof clause>[string]): readonly unknown[] {
  if (typeof condition !== 'object') return [condition];
  return '$in' in condition ? condition.$in : [condition.$eq];
}

function failed(code: number, message: string): LoopbackAnswer {
  return { status: code, body: { code, message, details: [] } };
}
