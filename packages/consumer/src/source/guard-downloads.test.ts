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

function collect(sent: TransportRequest[]): Transport {
  return (one) => {
    sent.push(one);
    return Promise.resolve({ status: 200, header: () => undefined, chunks: async function* () {} });
  };
}

function requestOf(url: string): TransportRequest {
  const { signal } = new AbortController();
  return { url, method: 'GET', headers: {}, body: undefined, connect_ms: 1000, signal };
}

async function request(
  url: string,
  registry: string,
  object_hosts: readonly string[] = [],
  resolve = (host: string): Promise<readonly string[]> => Promise.resolve(NAMES[host] ?? []),
): Promise<TransportRequest[]> {
  const sent: TransportRequest[] = [];
  await guardDownloads(collect(sent), { registry, object_hosts }, resolve)(requestOf(url));
  return sent;
}

describe('registry with a public IP address', () => {
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

  test('can send a client to other public addresses, which are not resolved again', async () => {
    const [sent] = await request('https://bucket.example.com/model.bin', PUBLIC);
    expect(sent?.addresses).toEqual(['93.184.215.15', '2600::1']);
  });

  test('can send a client to a private host that the user listed', async () => {
    expect(await request('http://bucket.corp:9000/x', PUBLIC, ['bucket.corp:9000'])).toHaveLength(
      1,
    );
    await expect(
      request('http://bucket.corp:9001/x', PUBLIC, ['bucket.corp:9000']),
    ).rejects.toThrow('private address 10.1.2.4');
  });

  test('leaves names that only a proxy can resolve to the proxy', async () => {
    expect(await request('https://elsewhere.example.com/x', PUBLIC)).toHaveLength(1);
  });
});

const PRIVATE = [
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.10.1',
  '::1',
  'fd00::1',
  'fe80::1',
  '::ffff:10.1.2.3',
  '::ffff:7f00:1',
];

const NOT_PRIVATE = [
  '93.184.215.14',
  '2600::1',
  '::ffff:93.184.215.14',
  '64:ff9b::5db8:d70e',
  '64:ff9b::a01:203',
  '2002:5db8:d70e::1',
  '2001:0:53aa:64c::1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '0.0.0.0',
  '::',
  '168.63.129.16',
  'not-an-address',
];

describe('registry whose name has several IP addresses', () => {
  const REGISTRY = 'https://catalog.example.com';
  const DOWNLOAD = 'http://10.9.9.9/model.bin';
  const withAddresses = (...addresses: string[]) =>
    request(DOWNLOAD, REGISTRY, [], () => Promise.resolve(addresses));

  test('can refer to private hosts if all of its addresses are private', async () => {
    for (const first of PRIVATE) {
      expect(await withAddresses(first)).toHaveLength(1);
      for (const second of PRIVATE) expect(await withAddresses(first, second)).toHaveLength(1);
    }
  });

  test('cannot refer to private hosts if one address may be public', async () => {
    for (const other of NOT_PRIVATE) {
      for (const addresses of [
        [other],
        ...PRIVATE.flatMap((own) => [
          [own, other],
          [other, own],
          [own, own, other],
        ]),
      ]) {
        await expect(withAddresses(...addresses), addresses.join()).rejects.toThrow(
          'private address 10.9.9.9',
        );
      }
    }
  });

  test('cannot refer to private hosts if its name does not resolve', async () => {
    await expect(withAddresses()).rejects.toThrow('private address 10.9.9.9');
  });

  test.each(PRIVATE)(
    'can refer to private hosts if its URL has the address %s',
    async (address) => {
      const host = address.includes(':') ? `[${address}]` : address;
      expect(await request(DOWNLOAD, `http://${host}:8080`)).toHaveLength(1);
    },
  );
});

describe('registry whose IP address changes', () => {
  const REGISTRY = 'https://catalog.example.com';
  const METADATA = 'http://169.254.169.254/latest';

  function openClient(...resolutions: string[][]): {
    get: (url: string) => Promise<void>;
    sent: TransportRequest[];
  } {
    const sent: TransportRequest[] = [];
    const rest = resolutions.values();
    let clock = 0;
    const guarded = guardDownloads(
      collect(sent),
      { registry: REGISTRY, object_hosts: [] },
      () => Promise.resolve(rest.next().value ?? []),
      () => clock,
    );
    const get = async (url: string): Promise<void> => {
      clock += 61_000;
      await guarded(requestOf(url));
    };
    return { get, sent };
  }

  test('is reached at the addresses used for the check of private hosts', async () => {
    const { get, sent } = openClient(['10.1.2.3', '10.1.2.4'], ['10.1.2.5']);
    await get(`${REGISTRY}/v1/artifact`);
    await get(`${REGISTRY}/v1/artifact`);
    expect(sent.map(({ addresses }) => addresses)).toEqual([
      ['10.1.2.3', '10.1.2.4'],
      ['10.1.2.5'],
    ]);
  });

  test('cannot refer to private hosts after it was reached at a public address', async () => {
    const { get } = openClient(['93.184.215.14'], ['10.1.2.3'], ['10.1.2.3']);
    await get(`${REGISTRY}/v1/artifact`);
    await expect(get(METADATA)).rejects.toThrow('private address 169.254.169.254');
    await get(`${REGISTRY}/v1/artifact`);
    await expect(get(METADATA)).rejects.toThrow('private address 169.254.169.254');
  });

  test('cannot refer to private hosts once it moves to a public address', async () => {
    const { get } = openClient(['10.1.2.3'], ['93.184.215.14'], ['10.1.2.3']);
    await get('http://10.9.9.9/x');
    await get(`${REGISTRY}/v1/artifact`);
    await expect(get(METADATA)).rejects.toThrow('private address 169.254.169.254');
  });
});

test('a registry with a private IP address can refer to private hosts', async () => {
  expect(await request('http://bucket.corp/x', 'https://catalog.corp')).toHaveLength(1);
  expect(await request('http://127.0.0.1:9000/x', 'http://127.0.0.1:8080')).toHaveLength(1);
});
