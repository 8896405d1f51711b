import { batchLoad, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { openTestBucket, type TestBucket } from '@catalog/testkit/s3-bucket';
import { startS3Proxy } from '@catalog/testkit/s3-proxy';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const RULE =
  '---\ntype: rule\nname: a\nversion: 1.0.0\ndescription: What to do about releases.\n---\nDo it.\n';
const SKILL = '---\nname: a\ndescription: Does what has to be done.\n---\nDo it.\n';
const LARGE = Buffer.alloc(INLINE_CUTOFF_BYTES + 1, 'x');
const LONG_MANIFEST = `---\ntype: skill\nversion: 1.0.0\n---\n<!-- ${'d'.repeat(INLINE_CUTOFF_BYTES)} -->\n`;

interface Served {
  server: RegistryServer;
  bucket: TestBucket;
}

async function serve(public_mode = false): Promise<Served> {
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  const server = await startRegistry({ settings: { ...bucket.settings, public_mode } });
  await server.ingest({
    'ops/a/ARTIFACT.md': LONG_MANIFEST,
    'ops/a/SKILL.md': SKILL,
    'ops/a/assets/model.bin': LARGE,
    'ops/small/ARTIFACT.md': RULE,
  });
  return { server, bucket };
}

async function fetchAll(answer: unknown): Promise<string[]> {
  const addresses = JSON.stringify(answer).match(/http:\/\/[^"]+/g) ?? [];
  return Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(address);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; /);
      return bytesHash(new Uint8Array(await response.arrayBuffer()));
    }),
  );
}

verifies(
  ['OBJ-05'],
  'responses with a bucket contain URLs of the bucket and never of /objects',
  async () => {
    const { server, bucket } = await serve();
    const loaded = await server.call(loadArtifact, { query: { id: 'ops/a' } });
    const batch = await server.call(batchLoad, { body: { ids: ['ops/a'] } });
    for (const answer of [loaded, batch]) {
      expect(JSON.stringify(answer)).not.toContain('/objects');
      expect(JSON.stringify(answer)).not.toContain(`"${server.url}`);
      expect((await fetchAll(answer)).toSorted()).toEqual(
        [bytesHash(LARGE), bytesHash(LONG_MANIFEST)].toSorted(),
      );
    }
    const { presigned_url = '', ...rest } = loaded.large_resources['assets/model.bin'] ?? {};
    expect(rest).toEqual({ content_hash: bytesHash(LARGE), size: LARGE.length });
    const url = new URL(presigned_url);
    expect(url.origin).toBe(bucket.options.endpoint);
    expect(url.searchParams.get('X-Amz-Expires')).toBe('300');
    expect(url.searchParams.get('response-content-disposition')).toContain('"model.bin"');
    expect(loaded.manifest_body_url).toContain('text%2Fmarkdown');
  },
);

describe('responses with expiring URLs', () => {
  test('are not cached, including in public mode', async () => {
    const { server } = await serve(true);
    const query = { id: 'ops/a', version: '1.0.0' };
    const large = await server.request(loadArtifact, { query });
    expect(large.headers['cache-control']).toBe('private, no-store');
    const small = await server.request(loadArtifact, { query: { ...query, id: 'ops/small' } });
    expect(small.headers['cache-control']).toContain('immutable');
  });

  test('return 304 to a client that has the content', async () => {
    const { server } = await serve();
    const { headers } = await server.request(loadArtifact, { query: { id: 'ops/a' } });
    const again = await server.request(loadArtifact, {
      query: { id: 'ops/a' },
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(again.status).toBe(304);
  });
});

test('/objects serves the same verified bytes to clients that cannot reach the bucket', async () => {
  const { server } = await serve();
  const path = `/objects/${bytesHash(LARGE)}`;
  const { status, raw } = await server.request(path);
  expect(status).toBe(200);
  expect(bytesHash(raw)).toBe(bytesHash(LARGE));
  expect((await server.request(path, { method: 'HEAD' })).headers['content-length']).toBe(
    String(LARGE.length),
  );
});

test.each([
  ['lies about the size', 'HEAD', { kind: 'answer_header', name: 'content-length', value: '7' }],
  ['changes a byte', 'GET', { kind: 'corrupt_answer' }],
  ['ends early and says that is all', 'GET', { kind: 'halve_answer' }],
] as const)(
  '/objects never completes a response with wrong bytes: the bucket %s',
  async (_, method, fault) => {
    const bucket = await openTestBucket();
    onTestFinished(() => bucket.empty());
    const proxy = await startS3Proxy(bucket.options.endpoint ?? '');
    onTestFinished(() => proxy.close());
    const server = await startRegistry({
      settings: { ...bucket.settings, 'object_store.endpoint': proxy.url },
    });
    await server.ingest({ 'ops/a/ARTIFACT.md': RULE, 'ops/a/model.bin': LARGE });
    proxy.fault = (request) => (request.method === method ? fault : undefined);
    const answer = server.request(`/objects/${bytesHash(LARGE)}`).then(({ raw }) => bytesHash(raw));
    expect(await answer.catch(() => 'cut')).toBe(method === 'HEAD' ? bytesHash(LARGE) : 'cut');
  },
);

test('an unreachable bucket fails only requests that need it, and readiness lists it', async () => {
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  const server = await startRegistry({
    settings: { ...bucket.settings, 'object_store.endpoint': 'http://127.0.0.1:1' },
  });
  await expect
    .poll(async () => (await server.request('/readyz')).body, { timeout: 10_000 })
    .toMatchObject({ mode: 'ready', degraded: ['object_store'] });
  expect((await server.request('/readyz')).status).toBe(200);
  await expect(
    server.ingest({ 'ops/a/ARTIFACT.md': RULE, 'ops/a/model.bin': LARGE }),
  ).rejects.toThrow('ingest.resource_store_failed');
  expect((await server.request(loadArtifact, { query: { id: 'ops/a' } })).status).toBe(404);
});
