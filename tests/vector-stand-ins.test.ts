import { embedText } from '@catalog/testkit/test-embedder';
import { expect, onTestFinished, test } from 'vitest';
import { installClients } from '../tools/services/vector-engines/install-clients.ts';
import { startPineconeStandIn } from '../tools/services/vector-engines/pinecone-stand-in.ts';
import {
  QDRANT_MODEL,
  startQdrantStandIn,
} from '../tools/services/vector-engines/qdrant-stand-in.ts';

/** The official clients verify the stand-ins. */

const KEY = 'a-key';
const ONE = '00000000-0000-8000-8000-000000000001';
const OTHER = '00000000-0000-8000-8000-000000000002';
const INSTALLS = 300_000;

interface QdrantClient {
  createCollection(name: string, body: object): Promise<boolean>;
  getCollection(name: string): Promise<{ config: object; payload_schema: object }>;
  createPayloadIndex(name: string, body: object): Promise<object>;
  upsert(name: string, body: object): Promise<object>;
  query(name: string, body: object): Promise<{ points: object[] }>;
  count(name: string, body: object): Promise<{ count: number }>;
  delete(name: string, body: object): Promise<object>;
}

test(
  'the official Qdrant client works with the stand-in',
  async () => {
    const load = await installClients();
    const server = await startQdrantStandIn(KEY);
    onTestFinished(() => server.close());
    const { QdrantClient } = load('@qdrant/js-client-rest');
    const client: QdrantClient = new QdrantClient({ url: server.url, apiKey: KEY });
    const name = 'judged';
    expect(await client.createCollection(name, { vectors: { size: 4, distance: 'Cosine' } })).toBe(
      true,
    );
    const wait = true;
    const points = [
      { id: ONE, vector: [1, 0, 0, 0], payload: { tenant: 'a', tags: ['x', 'y'] } },
      { id: OTHER, vector: [1, 1, 0, 0], payload: { tenant: 'b', tags: ['y'] } },
    ];
    await client.upsert(name, { wait, points });
    const found = await client.query(name, { query: [2, 0, 0, 0], limit: 5, with_payload: true });
    expect(found.points).toEqual([
      { id: ONE, version: 0, score: 1, payload: points[0]?.payload },
      {
        id: OTHER,
        version: 0,
        score: expect.closeTo(Math.SQRT1_2, 5),
        payload: points[1]?.payload,
      },
    ]);
    const filter = { must: [{ key: 'tags', match: { any: ['x'] } }] };
    await expect(client.count(name, { filter, exact: true })).rejects.toThrow('Bad Request');
    await client.createPayloadIndex(name, { wait, field_name: 'tags', field_schema: 'keyword' });
    expect(await client.count(name, { filter, exact: true })).toMatchObject({ count: 1 });
    expect(await client.getCollection(name)).toMatchObject({
      config: { params: { vectors: { size: 4, distance: 'Cosine' } } },
      payload_schema: { tags: {} },
    });
    const short = [{ id: ONE, vector: [1, 0, 0] }];
    await expect(client.upsert(name, { wait, points: short })).rejects.toThrow('Bad Request');
    const document = { text: 'an invoice', model: QDRANT_MODEL };
    await client.upsert(name, { wait, points: [{ id: ONE, vector: document }] });
    const [best] = (await client.query(name, { query: document, limit: 1 })).points;
    expect(best).toMatchObject({ id: ONE, score: expect.closeTo(1, 5) });
    await client.delete(name, { wait, points: [ONE] });
    expect(await client.count(name, { exact: true })).toMatchObject({ count: 1 });
    const stranger: QdrantClient = new QdrantClient({ url: server.url, apiKey: 'another' });
    await expect(stranger.getCollection(name)).rejects.toThrow('Unauthorized');
  },
  INSTALLS,
);

interface PineconeIndexClient {
  describeIndexStats(): Promise<object>;
  upsert(options: { records: object[] }): Promise<void>;
  query(options: object): Promise<{ matches: object[] }>;
  deleteMany(options: { ids: string[] }): Promise<void>;
  upsertRecords(options: { records: object[] }): Promise<void>;
  searchRecords(options: object): Promise<{ result: { hits: object[] } }>;
}

interface PineconeClient {
  index(options: { name: string; namespace?: string; host?: string }): PineconeIndexClient;
}

test(
  'the official Pinecone client works with the stand-in',
  async () => {
    const load = await installClients();
    const server = await startPineconeStandIn(KEY, {
      vectors: { dimension: 4, embeds: false },
      texts: { dimension: 384, embeds: true },
    });
    onTestFinished(() => server.close());
    const { Pinecone } = load('@pinecone-database/pinecone');
    const client: PineconeClient = new Pinecone({ apiKey: KEY, controllerHostUrl: server.url });
    const index = client.index({ name: 'vectors', namespace: 'one' });
    await index.upsert({
      records: [
        { id: 'a', values: [1, 0, 0, 0], metadata: { tags: ['x', 'y'], layer: 1 } },
        { id: 'b', values: [1, 1, 0, 0], metadata: { tags: ['y'], layer: 2 } },
      ],
    });
    const vector = [2, 0, 0, 0];
    await expect
      .poll(async () => (await index.query({ vector, topK: 5 })).matches)
      .toMatchObject([{ id: 'a', score: 1 }, { id: 'b' }]);
    const filter = { $and: [{ tags: { $in: ['y'] } }, { layer: { $in: [2, 3] } }] };
    expect(
      (await index.query({ vector, topK: 5, filter, includeMetadata: true })).matches,
    ).toMatchObject([{ id: 'b', metadata: { tags: ['y'], layer: 2 } }]);
    expect(await index.describeIndexStats()).toMatchObject({
      dimension: 4,
      namespaces: { one: { recordCount: 2 } },
    });
    const other = client.index({ name: 'vectors', namespace: 'two' });
    expect((await other.query({ vector, topK: 5 })).matches).toEqual([]);
    const short = { records: [{ id: 'c', values: [1, 0] }] };
    await expect(index.upsert(short)).rejects.toThrow('dimension');
    await index.deleteMany({ ids: ['a'] });
    await expect
      .poll(async () => (await index.query({ vector, topK: 5 })).matches)
      .toMatchObject([{ id: 'b' }]);
    const texts = client.index({ name: 'texts', namespace: 'one' });
    await texts.upsertRecords({ records: [{ _id: 'a', text: 'an invoice', layer: 1 }] });
    const query = { inputs: { text: 'an invoice' }, topK: 3 };
    await expect
      .poll(async () => (await texts.searchRecords({ query, fields: ['layer'] })).result.hits)
      .toEqual([{ _id: 'a', _score: expect.closeTo(1, 5), fields: { layer: 1 } }]);
    const own = [...embedText('an invoice', 384)];
    expect((await texts.query({ vector: own, topK: 1 })).matches).toMatchObject([
      { id: 'a', score: expect.closeTo(1, 5) },
    ]);
    const stranger: PineconeClient = new Pinecone({
      apiKey: 'another',
      controllerHostUrl: server.url,
    });
    await expect(stranger.index({ name: 'vectors' }).describeIndexStats()).rejects.toThrow(
      'API key',
    );
  },
  INSTALLS,
);
