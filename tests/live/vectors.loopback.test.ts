import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { whyNoWeaviate } from '../../tools/services/vector-engines/weaviate-server.ts';
import { verifies } from '@catalog/testkit/verifies';
import { openLiveBackend, type LiveBackend, type LiveVariables } from './live-backends.ts';
import { startLoopbackBackends, type LoopbackBackends } from './loopback-backends.ts';
import { defineVectorLane } from './vector-lane.ts';

/**
 * The live tests of every backend, with a `test.env` that leads to this machine: Weaviate is itself,
 * and embeds with a server that stands in for an inference engine; servers that stand in for Qdrant and
 * Pinecone are written from their published schemas, and judged by their own clients.
 */

let backends: LoopbackBackends;

beforeAll(async () => {
  backends = await startLoopbackBackends();
});
afterAll(() => backends.close());

describe('collections', () => {
  function open(backend: LiveBackend, given: LiveVariables) {
    const opened = openLiveBackend({ ...backends.variables, ...given }, backend, 'vectors');
    if (opened.kind === 'skipped') return expect.unreachable(opened.reason);
    return opened.engine;
  }

  verifies('VEC-03', 'are not made on demand', async () => {
    const missing = { CATALOG_QDRANT_COLLECTION: 'none', CATALOG_PINECONE_INDEX: 'none' };
    for (const backend of ['qdrant', 'pinecone'] as const) {
      const engine = open(backend, missing);
      const refused = { code: 'config.invalid', message: expect.stringContaining('not exist') };
      await expect(engine.check()).rejects.toMatchObject(refused);
      await expect(engine.put(1, 'm', [point(1536)])).rejects.toThrow();
      await expect(engine.check()).rejects.toMatchObject(refused);
    }
  });

  verifies('VEC-03', "are made by Weaviate's auto-schema with the first write", async (context) => {
    const reason = whyNoWeaviate();
    if (reason !== undefined) context.skip(reason);
    const name = `First${randomUUID().replaceAll('-', '')}`;
    const engine = open('weaviate', { CATALOG_WEAVIATE_COLLECTION: name });
    expect(await engine.check()).toEqual({ dimensions: undefined });
    expect(await engine.count(1, 'm', 'artifact')).toBe(0);
    await engine.put(1, 'm', [point(1536)]);
    expect(await engine.check()).toEqual({ dimensions: 1536 });
    expect(await engine.count(1, 'm', 'artifact')).toBe(1);
  });

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

defineVectorLane(() => backends.variables);
