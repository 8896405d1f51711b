import {
  selfEmbeddingConformance,
  vectorEngineConformance,
  type EnginePlace,
} from '@catalog/core/conformance/vector-engine/vector-engine.conformance';
import type { VectorEngine } from '@catalog/core/ports/vector-engine';
import { afterAll, beforeAll, describe } from 'vitest';
import type { LoopbackServer } from '../../../../../tools/services/vector-engines/loopback-server.ts';
import { startPineconeStandIn } from '../../../../../tools/services/vector-engines/pinecone-stand-in.ts';
import {
  createQdrantCollection,
  QDRANT_MODEL,
  startQdrantStandIn,
} from '../../../../../tools/services/vector-engines/qdrant-stand-in.ts';
import { resolveHost } from '../egress/check-address.ts';
import { createSendRequest } from '../egress/send-request.ts';
import { openPinecone } from './pinecone/open-pinecone.ts';
import { openQdrant } from './qdrant/open-qdrant.ts';

const KEY = 'a-key';
const send = createSendRequest(
  {
    allowed_hosts: ['127.0.0.1'],
    proxy: { http: undefined, https: undefined, except: [] },
    ca_file: undefined,
  },
  resolveHost,
);

let tenants = 0;

function placeOf(engine: VectorEngine, dimensions: number): EnginePlace {
  return {
    engine,
    dimensions,
    model: `conformance/${dimensions}`,
    newTenant: () => {
      tenants += 1;
      return tenants;
    },
  };
}

describe('Qdrant test server', () => {
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await startQdrantStandIn(KEY);
    await createQdrantCollection(server.url, KEY, 'vectors', 64);
    await createQdrantCollection(server.url, KEY, 'texts', 384);
  });
  afterAll(() => server.close());

  async function open(collection: string, inference_model?: string): Promise<VectorEngine> {
    const engine = openQdrant({ url: server.url, api_key: KEY, collection, inference_model }, send);
    await engine.check();
    return engine;
  }

  vectorEngineConformance(async () => placeOf(await open('vectors'), 64));
  selfEmbeddingConformance(async () => placeOf(await open('texts', QDRANT_MODEL), 384));
});

describe('Pinecone test server', () => {
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await startPineconeStandIn(KEY, {
      vectors: { dimension: 64, embeds: false },
      texts: { dimension: 384, embeds: true },
    });
  });
  afterAll(() => server.close());

  function open(index: string, inference_model?: string): VectorEngine {
    return openPinecone(
      {
        api_key: KEY,
        index,
        host: undefined,
        control_plane: server.url,
        namespace: 'catalog',
        inference_model,
      },
      send,
    );
  }

  vectorEngineConformance(async () => placeOf(open('vectors'), 64));
  selfEmbeddingConformance(async () => placeOf(open('texts', 'multilingual-e5-large'), 384));
});
