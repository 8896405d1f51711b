import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';
import {
  MAX_NEAREST,
  type EngineHit,
  type EnginePoint,
  type EngineQuery,
  type VectorEngine,
} from '@catalog/core/ports/vector-engine';
import type { EmbeddedKind } from '@catalog/core/ports/vector-index';
import { z } from 'zod';
import type { SendRequest } from '../../egress/send-request.ts';
import { callEngine, type EngineCall, type EngineConnection } from '../call-engine.ts';
import { idPaths } from '../id-paths.ts';
import { hexOf, pointId } from '../point-id.ts';

export interface PineconeOptions {
  api_key: string;
  index: string;
  /** Host of the index; if undefined, the control plane is queried. */
  host: string | undefined;
  control_plane: string;
  namespace: string;
  /** Model that the engine embeds with; undefined if the index stores vectors. */
  inference_model: string | undefined;
}

const API_VERSION = '2026-07';

/** Points per request: vectors with 1536 numbers stay below the limit of 2 MB, and texts below the limit of 96. */
const BATCH_SIZE = 50;

/**
 * Opens Pinecone with its REST API. Each combination of model, kind and tenant has a namespace, so that a query never
 * reaches points of another tenant.
 */
export function openPinecone(options: PineconeOptions, send: SendRequest): VectorEngine {
  const { index, namespace } = options;
  const name = 'Pinecone';
  const headers = { 'api-key': options.api_key, 'x-pinecone-api-version': API_VERSION };
  let host = options.host === undefined ? undefined : withScheme(options.host);

  async function findHost(signal: AbortSignal | undefined): Promise<string> {
    if (host !== undefined) return host;
    const door = { name, url: options.control_plane, headers, send };
    const path = `/indexes/${encodeURIComponent(index)}`;
    const queryRequest = {
      method: 'GET',
      path,
      answer: described.nullable(),
      absent: null,
      urgent: true,
    } as const;
    const found = await callEngine(door, queryRequest, signal);
    if (found === null) throw refused(index, 'does not exist');
    host = withScheme(found.host);
    return host;
  }

  async function call<Answer>(
    queryRequest: EngineCall<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const door: EngineConnection = { name, url: await findHost(signal), headers, send };
    return callEngine(door, queryRequest, signal);
  }

  const describe = (signal?: AbortSignal): Promise<z.infer<typeof statistics>> =>
    call(
      { method: 'POST', path: '/describe_index_stats', body: {}, answer: statistics, urgent: true },
      signal,
    );
  const ofModel = (model: string): string => `${namespace}.${hexOf([model])}.`;
  const spaceOf = (tenant: Tenant, model: string, kind: EmbeddedKind): string =>
    `${ofModel(model)}${kind}.${tenant}`;

  return {
    name,
    batch_size: BATCH_SIZE,
    async check(signal) {
      const { dimension, metric = 'cosine' } = await describe(signal);
      if (metric !== 'cosine') throw refused(index, `uses the metric ${metric} instead of cosine`);
      return { dimensions: dimension };
    },
    async put(tenant, model, points, signal) {
      for (const [kind, some] of Map.groupBy(points, (point) => point.kind)) {
        const space = spaceOf(tenant, model, kind);
        const records = some.map((point) => toRecord(pointId(tenant, model, point), point));
        await call(
          options.inference_model === undefined
            ? putVectors(space, records)
            : putTexts(space, records),
          signal,
        );
      }
    },
    async remove(tenant, model, keys, signal) {
      for (const [kind, some] of Map.groupBy(keys, (key) => key.kind)) {
        const ids = some.map((key) => pointId(tenant, model, key));
        const body = { namespace: spaceOf(tenant, model, kind), ids };
        await call({ ...DELETE, body }, signal);
      }
    },
    async removeModel(model, signal) {
      const { namespaces = {} } = await describe(signal);
      for (const space of Object.keys(namespaces)) {
        if (!space.startsWith(ofModel(model))) continue;
        await call({ ...DELETE, body: { namespace: space, deleteAll: true } }, signal);
      }
    },
    async count(tenant, model, kind, signal) {
      const { namespaces } = await describe(signal);
      return namespaces?.[spaceOf(tenant, model, kind)]?.vectorCount ?? 0;
    },
    query(tenant, model, query, signal) {
      const space = spaceOf(tenant, model, query.kind);
      const ids = query.keys.map((key) => pointId(tenant, model, key));
      return queryNearest(space, ids, query, (queryRequest) => call(queryRequest, signal));
    },
  };
}

const described = z.object({ host: z.string() });
const statistics = z.object({
  dimension: z.int().optional(),
  metric: z.string().optional(),
  namespaces: z.record(z.string(), z.object({ vectorCount: z.int().optional() })).optional(),
});
/** Deletion request; a missing namespace is not an error. */
const DELETE = {
  method: 'POST',
  path: '/vectors/delete',
  answer: z.unknown(),
  absent: {},
} as const;

function withScheme(host: string): string {
  return /^https?:\/\//.test(host) ? host.replace(/\/+$/, '') : `https://${host}`;
}

function refused(index: string, trouble: string): CatalogError {
  return new CatalogError('config.invalid', `The Pinecone index ${index} ${trouble}.`, {
    details: { key: 'vector_backend.pinecone.index' },
    suggested_action:
      'Create an index of dense vectors with the dimension of the model and the metric cosine, and set vector_backend.pinecone.index to its name.',
  });
}

interface PineconeRecord {
  id: string;
  meaning: EnginePoint['meaning'];
  metadata: Record<string, string | number | readonly string[]>;
}

function toRecord(
  point_id: string,
  { layer, id, type, tags, meaning }: EnginePoint,
): PineconeRecord {
  const metadata = { point: point_id, layer, path: id, type, tags, paths: idPaths(id) };
  return { id: point_id, meaning, metadata };
}

function putVectors(namespace: string, records: readonly PineconeRecord[]): EngineCall<unknown> {
  const vectors = records.map(({ id, meaning, metadata }) => ({
    id,
    values: 'vector' in meaning ? [...meaning.vector] : [],
    metadata,
  }));
  const body = { namespace, vectors };
  return { method: 'POST', path: '/vectors/upsert', body, answer: z.unknown() };
}

function putTexts(namespace: string, records: readonly PineconeRecord[]): EngineCall<unknown> {
  const lines = records.map(({ id: _id, meaning, metadata }) =>
    JSON.stringify({ _id, ...metadata, text: 'text' in meaning ? meaning.text : '' }),
  );
  const path = `/records/namespaces/${encodeURIComponent(namespace)}/upsert`;
  return { method: 'POST', path, lines: lines.join('\n'), answer: z.unknown() };
}

const place = z.object({ layer: z.number(), path: z.string() });
const matches = z.object({
  matches: z.array(z.object({ score: z.number(), metadata: place })).default([]),
});
const hits = z.object({
  result: z.object({ hits: z.array(z.object({ _score: z.number(), fields: place })) }),
});

type QueryRequest = <Answer>(queryRequest: EngineCall<Answer>) => Promise<Answer>;

async function queryNearest(
  namespace: string,
  ids: readonly string[],
  query: EngineQuery,
  ask: QueryRequest,
): Promise<EngineHit[]> {
  const { kind, meaning } = query;
  const limit = Math.min(query.top_k, MAX_NEAREST);
  const filter = toFilter(ids, query);
  const toHit = ({ layer, path }: z.infer<typeof place>, similarity: number): EngineHit => ({
    layer,
    kind,
    id: path,
    similarity,
  });
  if ('text' in meaning) {
    const body = {
      query: { inputs: { text: meaning.text }, top_k: limit, filter },
      fields: ['layer', 'path'],
    };
    const path = `/records/namespaces/${encodeURIComponent(namespace)}/search`;
    const absent = { result: { hits: [] } };
    const { result } = await ask({
      method: 'POST',
      path,
      body,
      answer: hits,
      absent,
      urgent: true,
    });
    return result.hits.map(({ _score, fields }) => toHit(fields, _score));
  }
  const body = {
    namespace,
    vector: [...meaning.vector],
    topK: limit,
    filter,
    includeMetadata: true,
  };
  const absent = { matches: [] };
  const found = await ask({
    method: 'POST',
    path: '/query',
    body,
    answer: matches,
    absent,
    urgent: true,
  });
  return found.matches.map(({ score, metadata }) => toHit(metadata, score));
}

function toFilter(ids: readonly string[], { layers, type, tags, scope }: EngineQuery): object {
  return {
    $and: [
      { layer: { $in: layers } },
      ...(type === '' ? [] : [{ type: { $eq: type } }]),
      ...tags.map((tag) => ({ tags: { $in: [tag] } })),
      ...(scope === '' ? [] : [{ paths: { $in: [scope] } }]),
      ...(ids.length === 0 ? [] : [{ point: { $in: ids } }]),
    ],
  };
}
