import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';
import {
  MAX_NEAREST,
  type EnginePoint,
  type EngineQuery,
  type EngineInput,
  type VectorEngine,
} from '@catalog/core/ports/vector-engine';
import { z } from 'zod';
import type { SendRequest } from '../../egress/send-request.ts';
import { callEngine, type EngineCall, type EngineConnection } from '../call-engine.ts';
import { idPaths } from '../id-paths.ts';
import { pointId } from '../point-id.ts';

export interface QdrantOptions {
  url: string;
  api_key: string;
  collection: string;
  /** Model that the engine embeds with; undefined if the server stores vectors. */
  inference_model: string | undefined;
}

const BATCH_SIZE = 100;

/** Fields with an index, because a cluster may reject filters on other fields. */
const INDEXED = {
  tenant: { type: 'keyword', is_tenant: true },
  model: 'keyword',
  kind: 'keyword',
  layer: 'integer',
  type: 'keyword',
  tags: 'keyword',
  paths: 'keyword',
} as const;

/** Opens Qdrant with its REST API. Every point and every filter contains the tenant. */
export function openQdrant(options: QdrantOptions, send: SendRequest): VectorEngine {
  const { api_key, collection, inference_model } = options;
  const door: EngineConnection = {
    name: 'Qdrant',
    url: `${options.url}/collections/${encodeURIComponent(collection)}`,
    headers: api_key === '' ? {} : { 'api-key': api_key },
    send,
  };
  const call = <Answer>(engineCall: EngineCall<Answer>, signal?: AbortSignal): Promise<Answer> =>
    callEngine(door, engineCall, signal);
  const toWire = (meaning: EngineInput): unknown =>
    'text' in meaning ? { text: meaning.text, model: inference_model } : [...meaning.vector];

  return {
    name: door.name,
    batch_size: BATCH_SIZE,
    async check(signal) {
      const found = await call(DESCRIBE, signal);
      const dimensions = checkVectors(collection, found?.result.config.params.vectors);
      const known = found?.result.payload_schema ?? {};
      for (const [field_name, field_schema] of Object.entries(INDEXED)) {
        if (Object.hasOwn(known, field_name)) continue;
        const body = { field_name, field_schema };
        await call({ method: 'PUT', path: '/index?wait=true', body, answer: done }, signal);
      }
      return { dimensions };
    },
    async put(tenant, model, points, signal) {
      const body = {
        points: points.map((point) => ({
          id: pointId(tenant, model, point),
          vector: toWire(point.meaning),
          payload: toPayload(tenant, model, point),
        })),
      };
      await call({ method: 'PUT', path: '/points?wait=true', body, answer: done }, signal);
    },
    async remove(tenant, model, keys, signal) {
      const body = { points: keys.map((key) => pointId(tenant, model, key)) };
      await call({ method: 'POST', path: '/points/delete?wait=true', body, answer: done }, signal);
    },
    async removeModel(model, signal) {
      const body = { filter: { must: [equals('model', model)] } };
      await call({ method: 'POST', path: '/points/delete?wait=true', body, answer: done }, signal);
    },
    async count(tenant, model, kind, signal) {
      const must = [equals('tenant', String(tenant)), equals('model', model), equals('kind', kind)];
      const body = { filter: { must }, exact: true };
      return (await call({ method: 'POST', path: '/points/count', body, answer: counted }, signal))
        .result.count;
    },
    async query(tenant, model, query, signal) {
      const body = {
        query: toWire(query.meaning),
        filter: { must: toConditions(tenant, model, query) },
        limit: Math.min(query.top_k, MAX_NEAREST),
        with_payload: ['layer', 'path'],
      };
      const { result } = await call(
        { method: 'POST', path: '/points/query', body, answer: nearest, urgent: true },
        signal,
      );
      return result.points.map(({ score, payload: { layer, path } }) => ({
        layer,
        kind: query.kind,
        id: path,
        similarity: score,
      }));
    },
  };
}

const done = z.object({ status: z.literal('ok') });
const counted = z.object({ result: z.object({ count: z.int() }) });
const nearest = z.object({
  result: z.object({
    points: z.array(
      z.object({ score: z.number(), payload: z.object({ layer: z.int(), path: z.string() }) }),
    ),
  }),
});
const described = z.object({
  result: z.object({
    config: z.object({ params: z.object({ vectors: z.unknown() }) }),
    payload_schema: z.record(z.string(), z.unknown()).optional(),
  }),
});
const DESCRIBE = {
  method: 'GET',
  path: '',
  answer: described.nullable(),
  absent: null,
  urgent: true,
} as const;
const oneVector = z.object({ size: z.int(), distance: z.string() });

/** Checks the collection that the operator created: it needs one unnamed vector with cosine similarity. */
function checkVectors(collection: string, vectors: unknown): number {
  const read = oneVector.safeParse(vectors);
  if (read.success && read.data.distance === 'Cosine') return read.data.size;
  const trouble =
    vectors === undefined
      ? 'does not exist'
      : read.success
        ? `uses the distance ${read.data.distance} instead of Cosine`
        : 'has named vectors';
  throw new CatalogError('config.invalid', `The Qdrant collection ${collection} ${trouble}.`, {
    details: { key: 'vector_backend.qdrant.collection' },
    suggested_action:
      'Create a collection with one unnamed vector of the size of the model and the distance Cosine, and set vector_backend.qdrant.collection to its name.',
  });
}

function toPayload(tenant: Tenant, model: string, point: EnginePoint): Record<string, unknown> {
  const { layer, kind, id, type, tags } = point;
  return { tenant: String(tenant), model, kind, layer, path: id, type, tags, paths: idPaths(id) };
}

interface Condition {
  key?: string;
  match?: { value: string } | { any: readonly number[] };
  has_id?: readonly string[];
}

function equals(key: keyof typeof INDEXED, value: string): Condition {
  return { key, match: { value } };
}

function toConditions(tenant: Tenant, model: string, query: EngineQuery): Condition[] {
  const { kind, layers, type, tags, scope, keys } = query;
  return [
    equals('tenant', String(tenant)),
    equals('model', model),
    equals('kind', kind),
    { key: 'layer', match: { any: layers } },
    ...(type === '' ? [] : [equals('type', type)]),
    ...tags.map((tag) => equals('tags', tag)),
    ...(scope === '' ? [] : [equals('paths', scope)]),
    ...(keys.length === 0 ? [] : [{ has_id: keys.map((key) => pointId(tenant, model, key)) }]),
  ];
}
