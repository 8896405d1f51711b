import { describe, expect, test } from 'vitest';
import type { Transport, TransportRequest } from '@catalog/sdk/transport';
import { guardDownloads } from './guard-downloads.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'catalog.example.com': ['93.184.215.14'],
  'bucket.example.com': ['93.184.215.15', '2600::1'],
  'catalog.corp': ['10.1.2.3'],
  'bucket.corp': ['10.1.2.4'],
  'half.example.com': ['93.184.215.16', '127.0.0.1'],
  'mapped.example.com': ['::ffff:169.254.169.254'],
};

/** Requests `url` as a client of `registry` would, and returns what reached the network. */
async function request(
  url: string,
  registry: string,
  object_hosts: readonly string[] = [],
): Promise<TransportRequest[]> {
  const sent: TransportRequest[] = [];
  const transport: Transport = (one) => {
    sent.push(one);
    return Promise.resolve({ status: 200, header: () => undefined, chunks: async function* () {} });
  };
  const resolve = (host: string) => Promise.resolve(NAMES[host] ?? []);
  const guarded = guardDownloads(transport, { registry, object_hosts }, resolve);
  const signal = new AbortController().signal;
  const rest = { method: 'GET', headers: {}, body: undefined, connect_ms: 1000, signal };
  await guarded({ ...rest, url });
  return sent;
}

describe('a registry at a public address', () => {
  const PUBLIC = 'https://catalog.example.com';

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:8080/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://bucket.corp/model.bin',
    'http://half.example.com/model.bin',
    'http://mapped.example.com/model.bin',
  ])('cannot send a client to %s', async (url) => {
    await expect(request(url, PUBLIC)).rejects.toMatchObject({
      code: 'materialize.fetch_failed',
      message: expect.stringContaining(`at ${new URL(url).host}, which is the private address`),
      suggested_action: expect.stringContaining('object_hosts'),
    });
  });

  test('sends it to other public addresses, which are not resolved a second time', async () => {
    const [sent] = await request('https://bucket.example.com/model.bin', PUBLIC);
    expect(sent?.addresses).toEqual(['93.184.215.15', '2600::1']);
  });

  test('sends it to a private host that the user listed', async () => {
    expect(await request('http://bucket.corp:9000/x', PUBLIC, ['bucket.corp:9000'])).toHaveLength(
      1,
    );
    await expect(
      request('http://bucket.corp:9001/x', PUBLIC, ['bucket.corp:9000']),
    ).rejects.toThrow('private address 10.1.2.4');
  });

  test('leaves names that only a proxy knows to the proxy', async () => {
    expect(await request('https://elsewhere.example.com/x', PUBLIC)).toHaveLength(1);
  });
});

test('a registry at a private address may name private hosts', async () => {
  expect(await request('http://bucket.corp/x', 'https://catalog.corp')).toHaveLength(1);
  expect(await request('http://127.0.0.1:9000/x', 'http://127.0.0.1:8080')).toHaveLength(1);
});
