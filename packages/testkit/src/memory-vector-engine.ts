import {
  MAX_NEAREST,
  type EngineInput,
  type EnginePoint,
  type VectorEngine,
} from '@catalog/core/ports/vector-engine';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { roundVector } from '@catalog/core/search/round-vector';
import type { Tenant } from '@catalog/core/ports/tenant';
import { embedText } from './test-embedder.ts';

interface KeptPoint extends EnginePoint {
  tenant: Tenant;
  model: string;
  vector: Float32Array;
}

/** Creates a vector engine that compares all vectors, as exactly as the stores. */
export function memoryVectorEngine({ dimensions }: { dimensions?: number } = {}): VectorEngine {
  const points = new Map<string, KeptPoint>();

  function toVector(meaning: EngineInput): Float32Array {
    const vector = 'text' in meaning ? embedText(meaning.text, dimensions ?? 384) : meaning.vector;
    if (dimensions === undefined || vector.length === dimensions) return roundVector(vector);
    throw new CatalogError('registry.unavailable', `It keeps vectors of ${dimensions} numbers.`);
  }

  return {
    name: 'the engine in memory',
    batch_size: 100,
    check: async () => ({ dimensions }),
    async put(tenant, model, added) {
      for (const point of added) {
        const vector = toVector(point.meaning);
        points.set(keyOf(tenant, model, point), { ...point, tenant, model, vector });
      }
    },
    async remove(tenant, model, keys) {
      for (const key of keys) points.delete(keyOf(tenant, model, key));
    },
    async removeModel(model) {
      for (const [key, point] of points) if (point.model === model) points.delete(key);
    },
    count: async (tenant, model, kind) =>
      [...points.values()].filter(
        (point) => point.tenant === tenant && point.model === model && point.kind === kind,
      ).length,
    async query(tenant, model, { kind, layers, meaning, type, tags, scope, keys, top_k }) {
      const query_vector = toVector(meaning);
      const wanted = new Set(keys.map((key) => keyOf(tenant, model, key)));
      return [...points.entries()]
        .filter(
          ([key, point]) =>
            point.tenant === tenant &&
            point.model === model &&
            point.kind === kind &&
            layers.includes(point.layer) &&
            (type === '' || point.type === type) &&
            tags.every((tag) => point.tags.includes(tag)) &&
            (scope === '' || point.id === scope || point.id.startsWith(`${scope}/`)) &&
            (keys.length === 0 || wanted.has(key)),
        )
        .map(([, { layer, id, vector }]) => ({
          layer,
          kind,
          id,
          similarity: dot(vector, query_vector),
        }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, Math.min(top_k, MAX_NEAREST));
    },
  };
}

function keyOf(
  tenant: Tenant,
  model: string,
  point: Pick<EnginePoint, 'layer' | 'kind' | 'id'>,
): string {
  return JSON.stringify([tenant, model, point.layer, point.kind, point.id]);
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
