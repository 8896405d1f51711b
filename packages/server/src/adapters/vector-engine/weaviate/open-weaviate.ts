import type { Tenant } from '@catalog/core/ports/tenant';
import {
  MAX_NEAREST,
  type EnginePoint,
  type VectorEngine,
} from '@catalog/core/ports/vector-engine';
import { z } from 'zod';
import type { SendRequest } from '../../egress/send-request.ts';
import { callEngine, unusable, type EngineCall, type EngineConnection } from '../call-engine.ts';
import { pointId } from '../point-id.ts';
import { hasObjects, readClass } from './read-class.ts';
import { countText, queryText } from './graphql-text.ts';
import { markOf, marksOf } from './marks.ts';

export interface WeaviateOptions {
  url: string;
  api_key: string;
  /** Name of the class, which starts with an uppercase letter. */
  collection: string;
  /** Module that embeds texts; undefined if the class stores vectors. */
  vectorizer: string | undefined;
}

const BATCH_SIZE = 100;

/**
 * Opens Weaviate with its REST and GraphQL APIs. The first write creates a missing class; until then, searches return
 * nothing. Every object and every filter has a token of the tenant.
 */
export function openWeaviate(options: WeaviateOptions, send: SendRequest): VectorEngine {
  const { api_key, collection, vectorizer } = options;
  const door: EngineConnection = {
    name: 'Weaviate',
    url: `${options.url}/v1`,
    headers: api_key === '' ? {} : { authorization: `Bearer ${api_key}` },
    send,
  };
  const call = <Answer>(batchRequest: EngineCall<Answer>, signal?: AbortSignal): Promise<Answer> =>
    callEngine(door, batchRequest, signal);
  const getClass = (signal?: AbortSignal): Promise<unknown> =>
    call(
      {
        method: 'GET',
        path: `/schema/${collection}`,
        answer: z.unknown(),
        absent: null,
        urgent: true,
      },
      signal,
    );

  /** Queries a class. Returns an empty result if the class does not exist yet. */
  async function queryClass<Answer>(
    text: string,
    answer: z.ZodType<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer | undefined> {
    const body = { query: text };
    try {
      const { data, errors } = await call({ ...GRAPHQL, body }, signal);
      const [error] = errors ?? [];
      if (error !== undefined) throw unusable(door.name, `request rejected: ${error.message}`);
      return answer.parse(data);
    } catch (error) {
      if (!hasObjects(await getClass(signal))) return undefined;
      throw error;
    }
  }

  async function removeWhere(where: object, signal: AbortSignal | undefined): Promise<void> {
    if (!hasObjects(await getClass(signal))) return;
    const body = { match: { class: collection, where }, output: 'minimal' };
    await call({ method: 'DELETE', path: '/batch/objects', body, answer: z.unknown() }, signal);
  }

  return {
    name: door.name,
    batch_size: BATCH_SIZE,
    async check(signal) {
      const found = await getClass(signal);
      readClass(found, { collection, vectorizer });
      if (found === null) return { dimensions: undefined };
      const path = `/objects?class=${collection}&limit=1&include=vector`;
      const { objects } = await call({ method: 'GET', path, answer: listed }, signal);
      return { dimensions: objects[0]?.vector?.length };
    },
    async put(tenant, model, points, signal) {
      const objects = points.map((point) => ({
        class: collection,
        id: pointId(tenant, model, point),
        ...toObject(tenant, model, point),
      }));
      const batchRequest = { method: 'POST', path: '/batch/objects', body: { objects } } as const;
      for (const { result } of await call({ ...batchRequest, answer: taken }, signal)) {
        const [error] = result?.errors?.error ?? [];
        if (error !== undefined) throw unusable(door.name, `request rejected: ${error.message}`);
      }
    },
    remove: (tenant, model, keys, signal) =>
      removeWhere(
        {
          path: ['id'],
          operator: 'ContainsAny',
          valueTextArray: keys.map((key) => pointId(tenant, model, key)),
        },
        signal,
      ),
    removeModel: (model, signal) =>
      removeWhere(
        { path: ['marks'], operator: 'ContainsAny', valueTextArray: [markOf('model', model)] },
        signal,
      ),
    async count(tenant, model, kind, signal) {
      const marks = [markOf('tenant', tenant), markOf('model', model), markOf('kind', kind)];
      const answer = z.object({ Aggregate: z.record(z.string(), counted) });
      const data = await queryClass(countText(collection, marks), answer, signal);
      return data?.Aggregate[collection]?.[0]?.meta.count ?? 0;
    },
    async query(tenant, model, query, signal) {
      const ids = query.keys.map((key) => pointId(tenant, model, key));
      const { layers, kind, meaning } = query;
      const text = queryText(collection, {
        meaning,
        all: [
          markOf('tenant', tenant),
          markOf('model', model),
          markOf('kind', kind),
          ...(query.type === '' ? [] : [markOf('type', query.type)]),
          ...query.tags.map((tag) => markOf('tag', tag)),
          ...(query.scope === '' ? [] : [markOf('path', query.scope)]),
        ],
        any: layers.map((layer) => markOf('layer', layer)),
        ids,
        limit: Math.min(query.top_k, MAX_NEAREST),
      });
      const answer = z.object({ Get: z.record(z.string(), nearest) });
      const data = await queryClass(text, answer, signal);
      return (data?.Get[collection] ?? []).map(({ layer, path: id, _additional }) => ({
        layer,
        kind,
        id,
        similarity: 1 - _additional.distance,
      }));
    },
  };
}

const messages = z.array(z.object({ message: z.string() })).nullish();
const answered = z.object({ data: z.unknown().optional(), errors: messages });
const GRAPHQL = { method: 'POST', path: '/graphql', answer: answered, urgent: true } as const;
const taken = z.array(
  z.object({ result: z.object({ errors: z.object({ error: messages }).nullish() }).nullish() }),
);
const listed = z.object({ objects: z.array(z.object({ vector: z.array(z.number()).optional() })) });
const counted = z.array(z.object({ meta: z.object({ count: z.int() }) }));
const nearest = z
  .array(
    z.object({
      layer: z.number(),
      path: z.string(),
      _additional: z.object({ distance: z.number() }),
    }),
  )
  .nullable();

function toObject(
  tenant: Tenant,
  model: string,
  point: EnginePoint,
): { vector?: readonly number[]; properties: Record<string, unknown> } {
  const { layer, id: path, meaning } = point;
  const properties = { layer, path, marks: marksOf(tenant, model, point) };
  return 'text' in meaning
    ? { properties: { ...properties, text: meaning.text } }
    : { properties, vector: [...meaning.vector] };
}
