import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { weaviateUnavailableReason } from '../../tools/services/vector-engines/weaviate-server.ts';
import { verifies } from '@catalog/testkit/verifies';
import { openLiveBackend, type LiveBackend, type LiveVariables } from './live-backends.ts';
import { startLoopbackBackends, type LoopbackBackends } from './loopback-backends.ts';
import { defineVectorTests } from './define-vector-tests.ts';

/**
 * Weaviate is real and embeds with a stand-in for an inference engine. The stand-ins for Qdrant and
 * Pinecone implement their published schemas and are tested with the official clients.
 */

let backends: LoopbackBackends;

beforeAll(async () => {
  backends = await startLoopbackBackends();
});
afterAll(() => backends.close());

describe('vector collections', () => {
  function open(backend: LiveBackend, given: LiveVariables) {
    const opened = openLiveBackend({ ...backends.variables, ...given }, backend, 'vectors');
    if (opened.kind === 'skipped') return expect.unreachable(opened.reason);
    return opened.engine;
  }

  verifies('VEC-03', 'are not created on demand', async () => {
    const missing = { CATALOG_QDRANT_COLLECTION: 'none', CATALOG_PINECONE_INDEX: 'none' };
    for (const backend of ['qdrant', 'pinecone'] as const) {
      const engine = open(backend, missing);
      const refused = { code: 'config.invalid', message: expect.stringContaining('not exist') };
      await expect(engine.check()).rejects.toMatchObject(refused);
      await expect(engine.put(1, 'm', [point(1536)])).rejects.toThrow();
      await expect(engine.check()).rejects.toMatchObject(refused);
    }
  });

  verifies(
    'VEC-03',
    "are created by Weaviate's auto-schema on the first write",
    async (context) => {
      const reason = weaviateUnavailableReason();
      if (reason !== undefined) context.skip(reason);
      const name = `First${randomUUID().replaceAll('-', '')}`;
      const engine = open('weaviate', { CATALOG_WEAVIATE_COLLECTION: name });
      expect(await engine.check()).toEqual({ dimensions: undefined });
      expect(await engine.count(1, 'm', 'artifact')).toBe(0);
      await engine.put(1, 'm', [point(1536)]);
      expect(await engine.check()).toEqual({ dimensions: 1536 });
      expect(await engine.count(1, 'm', 'artifact')).toBe(1);
    },
  );

  function point(dimensions: number) {
    const vector = new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
    return {
      layer: 1,
      kind: 'artifact',
      id: 'a',
      type: 'skill',
      tags: [],
      meaning: { vector },
    } as const;
  }
});

defineVectorTests(() => backends.variables);
