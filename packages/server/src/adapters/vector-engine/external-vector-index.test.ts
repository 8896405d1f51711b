import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { Store } from '@catalog/core/ports/store';
import type { VectorIndex, VectorModel } from '@catalog/core/ports/vector-index';
import {
  selfEmbeddingConformance,
  vectorEngineConformance,
} from '@catalog/core/conformance/vector-engine/vector-engine.conformance';
import { vectorIndexConformance } from '@catalog/core/conformance/vector-index/vector-index.conformance';
import { memoryVectorEngine } from '@catalog/testkit/memory-vector-engine';
import { describe } from 'vitest';
import { openSqliteStore } from '../store/sqlite/open-store.ts';
import { externalVectorIndex } from './external-vector-index.ts';

let tenants = 0;

describe('engine in memory', () => {
  const place = (dimensions: number) => ({
    engine: memoryVectorEngine({ dimensions }),
    model: 'test/engine',
    dimensions,
    newTenant: () => {
      tenants += 1;
      return tenants;
    },
  });
  vectorEngineConformance(async () => place(64));
  selfEmbeddingConformance(async () => place(384));
});

describe('vector index over an external engine', () => {
  vectorIndexConformance(openStore);
});

async function openStore(): Promise<Store> {
  const store = await openSqliteStore({ path: ':memory:' });
  const outside = externalVectorIndex(memoryVectorEngine(), store, { embeds: false });
  const models = new Set<string>();
  const vectors: VectorIndex = {
    ...outside,
    async addModel(model: VectorModel) {
      await outside.addModel(model);
      await store.embeddings.addModel({ ...model, external: true, now: NOW });
      models.add(model.name);
    },
    async dropModel(name) {
      await outside.dropModel(name);
      await store.embeddings.dropModel(name);
      models.delete(name);
    },
  };
  return {
    ...store,
    vectors,
    async transaction(work) {
      const result = await store.transaction(work);
      for (const model of models) await forgetRemoved(store, outside, model);
      return result;
    },
  };
}

const NOW = '2026-01-02T03:04:05.000Z';

async function forgetRemoved(store: Store, vectors: VectorIndex, model: string): Promise<void> {
  for (;;) {
    const claimed = await store.embeddings.claimWaiting({
      model,
      now: NOW,
      until: NOW,
      limit: 1000,
    });
    if (claimed.length === 0) return;
    for (const { tenant, layer, kind, id, removed } of claimed) {
      if (removed) await vectors.removeVectors(tenant, { layer, kind, model }, [id]);
    }
    await store.embeddings.finishWaiting(ONLY_TENANT, model, claimed);
  }
}
