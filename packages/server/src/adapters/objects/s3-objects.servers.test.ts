import { once } from 'node:events';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Objects } from '@catalog/core/ports/objects';
import { CERT, KEY } from '@catalog/testkit/loopback-certificate';
import { openTestBucket, type TestBucket } from '@catalog/testkit/s3-bucket';
import { startS3Proxy, type S3Proxy } from '@catalog/testkit/s3-proxy';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { IDLE_MS, openS3Client, type S3Options } from './s3-client.ts';
import { openS3Objects } from './s3-objects.ts';
import { MAX_PUT_BYTES } from './s3-write.ts';

const bytes = Buffer.alloc(300_000, 'catalog');
const hash = bytesHash(bytes);
const hex = hash.slice('sha256:'.length);
const FILE = { file_name: 'assets/logo.bin', media_type: 'application/octet-stream' };

async function openBucket(): Promise<TestBucket> {
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  return bucket;
}

async function openBehindProxy(): Promise<{
  objects: Objects;
  proxy: S3Proxy;
  bucket: TestBucket;
}> {
  const bucket = await openBucket();
  const proxy = await startS3Proxy(bucket.options.endpoint ?? '');
  onTestFinished(() => proxy.close());
  return { objects: openS3Objects({ ...bucket.options, endpoint: proxy.url }), proxy, bucket };
}

async function overwrite({ options }: TestBucket, content: Uint8Array): Promise<void> {
  await openS3Client(options).send(
    new PutObjectCommand({
      Bucket: options.bucket,
      Key: `${options.prefix}/1/${hex.slice(0, 2)}/${hex}`,
      Body: content,
    }),
  );
}

async function readSome(objects: Objects): Promise<{ length: number; failure: unknown }> {
  const found = await objects.open(1, hash);
  let length = 0;
  try {
    for await (const piece of found?.stream ?? []) length += piece.length;
    return { length, failure: undefined };
  } catch (failure) {
    return { length, failure };
  }
}

function methodsOf({ requests }: S3Proxy): string[] {
  return requests.map(({ method }) => method);
}

describe('S3 objects', () => {
  test('have keys of prefix, tenant and hash', async () => {
    const bucket = await openBucket();
    const objects = openS3Objects(bucket.options);
    await objects.put(1, hash, bytes);
    await objects.put(12, hash, bytes);
    expect(await bucket.list()).toEqual(
      [1, 12].map((tenant) => ({
        key: `${tenant}/${hex.slice(0, 2)}/${hex}`,
        size: bytes.length,
      })),
    );
    expect(await objects.list(1, { after: '', limit: 10 })).toHaveLength(1);
  });

  test('are sent once and only checked with HEAD later', async () => {
    const { objects, proxy } = await openBehindProxy();
    await objects.put(1, hash, bytes);
    expect(methodsOf(proxy)).toEqual(['HEAD', 'PUT', 'HEAD']);
    expect(proxy.requests[1]?.headers).toMatchObject({
      'if-none-match': '*',
      'x-amz-checksum-sha256': Buffer.from(hex, 'hex').toString('base64'),
    });
    proxy.requests.length = 0;
    await objects.put(1, hash, bytes);
    expect(methodsOf(proxy)).toEqual(['HEAD']);
  });

  test('accept ten concurrent writes of one object', async () => {
    const bucket = await openBucket();
    const writers = Array.from({ length: 10 }, () => openS3Objects(bucket.options));
    await Promise.all(writers.map((objects) => objects.put(1, hash, bytes)));
    expect(await bucket.list()).toHaveLength(1);
  });

  test('are sent in parts if they are large', async () => {
    const { objects, proxy } = await openBehindProxy();
    const large = Buffer.alloc(MAX_PUT_BYTES + 1_000_003, 'large');
    const name = bytesHash(large);
    await objects.put(1, name, large);
    expect(proxy.requests.filter(({ path }) => path.includes('partNumber'))).toHaveLength(3);
    const found = await objects.open(1, name);
    const read = Buffer.from(await new Response(found?.stream).arrayBuffer());
    expect(read.equals(large)).toBe(true);
    proxy.requests.length = 0;
    await objects.put(1, name, large);
    expect(methodsOf(proxy)).toEqual(['HEAD']);
  });

  test('have no leftover parts after a failed multipart upload', async () => {
    const { objects, proxy, bucket } = await openBehindProxy();
    const large = Buffer.alloc(MAX_PUT_BYTES + 1, 'large');
    proxy.fault = ({ path }) =>
      path.includes('partNumber=2') ? { kind: 'corrupt_request' } : undefined;
    await expect(objects.put(1, bytesHash(large), large)).rejects.toMatchObject({
      code: 'registry.unavailable',
    });
    const { bucket: Bucket, prefix: Prefix } = bucket.options;
    const { Uploads: uploads = [] } = await openS3Client(bucket.options).send(
      new ListMultipartUploadsCommand({ Bucket, Prefix }),
    );
    expect(uploads).toEqual([]);
    expect(await bucket.list()).toEqual([]);
  });

  test.each([
    ['changes a byte', Buffer.concat([bytes.subarray(0, 299_999), Buffer.from('!')])],
    ['cuts them short', bytes.subarray(0, 1000)],
    ['adds to them', Buffer.concat([bytes, bytes])],
  ])(
    'fail to read if another program %s, and are repaired by the next write',
    async (_, content) => {
      const bucket = await openBucket();
      const objects = openS3Objects(bucket.options);
      await objects.put(1, hash, bytes);
      await overwrite(bucket, content);
      const { length, failure } = await readSome(objects);
      expect(failure).toMatchObject({ code: 'registry.unavailable' });
      expect(length).toBeLessThan(content.length);
      await objects.put(1, hash, bytes);
      expect(await readSome(objects)).toEqual({ length: bytes.length, failure: undefined });
    },
  );
});

describe('S3 objects in a faulty store', () => {
  test.each([
    ['says yes and stores nothing', { kind: 'swallow' }],
    ['changes a byte on the way', { kind: 'corrupt_request' }],
    ['takes half', { kind: 'halve_request' }],
    ['is out of order', { kind: 'refuse', status: 503 }],
  ] as const)('fail to write if the store %s', async (_, fault) => {
    const { objects, proxy, bucket } = await openBehindProxy();
    proxy.fault = ({ method }) => (method === 'PUT' ? fault : undefined);
    await expect(objects.put(1, hash, bytes)).rejects.toMatchObject({
      code: 'registry.unavailable',
    });
    expect(await bucket.list()).toEqual([]);
  });

  test('fail to write if the store returns a wrong checksum', async () => {
    const { objects, proxy } = await openBehindProxy();
    proxy.fault = ({ method }) =>
      method === 'HEAD'
        ? { kind: 'answer_header', name: 'x-amz-checksum-sha256', value: `${'A'.repeat(43)}=` }
        : undefined;
    await expect(objects.put(1, hash, bytes)).rejects.toMatchObject({
      code: 'registry.unavailable',
      message: expect.stringContaining('the object is missing'),
    });
  });

  test('are read again to verify them if the store has no checksum', async () => {
    const bucket = await openBucket();
    await overwrite(bucket, bytes);
    const { proxy } = await openBehindProxy();
    const objects = openS3Objects({ ...bucket.options, endpoint: proxy.url });
    await objects.put(1, hash, bytes);
    expect(methodsOf(proxy)).toEqual(['HEAD', 'GET']);
  });

  test.each([
    ['changes a byte', { kind: 'corrupt_answer' }],
    ['breaks off', { kind: 'cut_answer' }],
    ['ends early and says that is all', { kind: 'halve_answer' }],
  ] as const)('fail to read if the store %s', async (_, fault) => {
    const { objects, proxy } = await openBehindProxy();
    await objects.put(1, hash, bytes);
    proxy.fault = ({ method }) => (method === 'GET' ? fault : undefined);
    const { length, failure } = await readSome(objects);
    expect(failure).toMatchObject({ code: 'registry.unavailable' });
    expect(length).toBeLessThan(bytes.length);
  });
});

describe('S3 objects in an unavailable store', () => {
  const SECRET = 'not-the-secret';

  test.each<[string, Partial<S3Options>, string]>([
    ['nothing listens there', { endpoint: 'http://127.0.0.1:1' }, 'connection refused'],
    [
      'the secret is wrong',
      { credentials: { access_key_id: 'nobody', secret_access_key: SECRET } },
      '',
    ],
    ['the bucket does not exist', { bucket: 'no-such-bucket' }, 'the bucket does not exist'],
  ])('fail without revealing the endpoint or the secret: %s', async (_, wrong, reason) => {
    const { options } = await openBucket();
    const objects = openS3Objects({ ...options, ...wrong });
    for (const use of [
      () => objects.probe(),
      () => objects.put(1, hash, bytes),
      () => objects.list(1, { after: '', limit: 1 }),
    ]) {
      const error: unknown = await use().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'registry.unavailable',
        message: expect.stringContaining(reason),
      });
      expect(JSON.stringify(error)).not.toMatch(/127\.0\.0\.1|not-the-secret/);
    }
  });

  test('reject with the abort reason if the caller canceled', async () => {
    const { options } = await openBucket();
    const objects = openS3Objects(options);
    const gone = new Error('gone');
    await expect(objects.put(1, hash, bytes, AbortSignal.abort(gone))).rejects.toBe(gone);
  });
});

test('openS3Objects connects through the proxy unless the host is excepted', async () => {
  const { options } = await openBucket();
  const proxy = await startS3Proxy(options.endpoint ?? '');
  onTestFinished(() => proxy.close());
  const reach = async (except: string[]): Promise<number> => {
    const egress = { ...options.egress, proxy: { http: proxy.url, https: undefined, except } };
    await openS3Objects({ ...options, egress }).probe();
    return proxy.requests.length;
  };
  expect(await reach(['127.0.0.1'])).toBe(0);
  expect(await reach([])).toBe(1);
});

test("openS3Objects trusts a certificate authority from the operator's file", async () => {
  const server = createServer({ cert: CERT, key: KEY }, (_, response) => void response.end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const folder = temporaryFolder();
  writeTree(folder, { 'ca.pem': CERT });
  const { options } = await openBucket();
  const probe = (ca_file: string | undefined): Promise<void> =>
    openS3Objects({
      ...options,
      endpoint: `https://127.0.0.1:${port}`,
      egress: { ...options.egress, ca_file },
    }).probe();
  await expect(probe(undefined)).rejects.toMatchObject({ code: 'registry.unavailable' });
  await probe(`${folder}/ca.pem`);
});

describe('presigned URL', () => {
  test('returns the object without credentials, with its type and file name', async () => {
    const { options } = await openBucket();
    const now = new Date();
    const objects = openS3Objects({ ...options, now: () => now });
    await objects.put(1, hash, bytes);
    const address = await objects.presign(1, hash, FILE);
    expect(address?.expires_at).toEqual(new Date(now.getTime() + 300_000));
    const answer = await fetch(address?.url ?? '');
    expect(bytesHash(new Uint8Array(await answer.arrayBuffer()))).toBe(hash);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="logo.bin"; filename*=UTF-8''logo.bin`,
    );
  });

  test('has the public endpoint and a signature for it', async () => {
    const { options } = await openBucket();
    const public_endpoint = options.endpoint?.replace('127.0.0.1', 'localhost');
    const objects = openS3Objects({ ...options, public_endpoint });
    await objects.put(1, hash, bytes);
    const { url = '' } = (await objects.presign(1, hash, FILE)) ?? {};
    expect(new URL(url).hostname).toBe('localhost');
    expect((await fetch(url)).status).toBe(200);
    const otherHostResponse = await fetch(url.replace('localhost', '127.0.0.1'));
    expect(otherHostResponse.status).toBe(403);
  });

  test('returns 403 for other objects, methods and parameters, and after it expires', async () => {
    const { options } = await openBucket();
    const objects = openS3Objects(options);
    await objects.put(1, hash, bytes);
    await objects.put(2, hash, bytes);
    const { url = '' } = (await objects.presign(1, hash, FILE)) ?? {};
    const old = openS3Objects({ ...options, now: () => new Date(Date.now() - 301_000) });
    const { url: expired = '' } = (await old.presign(1, hash, FILE)) ?? {};
    const refused = await Promise.all([
      fetch(url.replace('/1/', '/2/')),
      fetch(url, { method: 'PUT', body: 'x' }),
      fetch(url.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000')),
      fetch(url.replace('octet-stream', 'x-other')),
      fetch(expired),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });
});

test('openS3Objects retries after the idle timeout if the store hangs', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  const { options } = await openBucket();
  const objects = openS3Objects({ ...options, endpoint: `http://127.0.0.1:${port}` });
  const ended = new AbortController();
  const storing = objects.put(1, hash, bytes, ended.signal).catch(() => undefined);
  await once(server, 'connection');
  const started = performance.now();
  await once(server, 'connection');
  expect(performance.now() - started).toBeLessThan(IDLE_MS + 2_000);
  ended.abort();
  await storing;
});
