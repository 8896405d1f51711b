import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressProblem } from '@catalog/core/network/address-problem';
import { checkAddress, type AddressCheck, type EgressRules } from './check-address.ts';

const RULES: EgressRules = {
  allowed_hosts: ['git.corp', 'build.corp:8443', '*.lab.corp'],
  proxy: { http: undefined, https: undefined, except: [] },
  ca_file: undefined,
};
const PROXIED: EgressRules = {
  ...RULES,
  proxy: { http: 'http://p:1', https: 'http://p:2', except: ['.corp', '192.0.2.1'] },
};

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['10.0.0.7'],
  'mixed.example': ['93.184.215.14', '10.0.0.7'],
  'metadata.example': ['169.254.169.254'],
  'git.corp': ['10.1.1.1'],
  'build.corp': ['10.1.1.2'],
  'a.lab.corp': ['10.1.1.3'],
  'lab.corp': ['10.1.1.4'],
};

async function check(
  scheme: string,
  host: string,
  port = 443,
  rules = RULES,
): Promise<AddressCheck['kind']> {
  const resolve = async (name: string): Promise<readonly string[]> => NAMES[name] ?? [];
  const { signal } = new AbortController();
  return (await checkAddress({ scheme, host, port }, rules, resolve, signal)).kind;
}

describe('checkAddress without a proxy', () => {
  test.each([
    ['https', 'public.example', 443, 'pinned'],
    ['ssh', 'public.example', 22, 'pinned'],
    ['http', 'public.example', 80, 'refused'],
    ['git', 'public.example', 9418, 'refused'],
    ['git', 'git.corp', 9418, 'refused'],
    ['file', 'git.corp', 0, 'refused'],
    ['ftp', 'git.corp', 21, 'refused'],
    ['https', 'private.example', 443, 'refused'],
    ['ssh', 'private.example', 22, 'refused'],
    ['https', 'mixed.example', 443, 'refused'],
    ['https', 'metadata.example', 443, 'refused'],
    ['https', 'nowhere.example', 443, 'refused'],
    ['https', '127.0.0.1', 443, 'refused'],
    ['https', '::1', 443, 'refused'],
    ['https', '::ffff:127.0.0.1', 443, 'refused'],
    ['https', '1.1.1.1', 443, 'pinned'],
    ['http', 'git.corp', 80, 'pinned'],
    ['https', 'git.corp', 443, 'pinned'],
    ['ssh', 'git.corp', 22, 'pinned'],
    ['https', 'build.corp', 8443, 'pinned'],
    ['https', 'build.corp', 443, 'refused'],
    ['https', 'a.lab.corp', 443, 'pinned'],
    ['https', 'lab.corp', 443, 'refused'],
    ['https', 'evilgit.corp', 443, 'refused'],
  ])('%s to %s at %s is %s', async (scheme, host, port, kind) => {
    expect(await check(scheme, host, port)).toBe(kind);
  });
});

test('checkAddress rejects unresolvable names from users, also behind a proxy', async () => {
  const resolve = async (name: string): Promise<readonly string[]> => NAMES[name] ?? [];
  const { signal } = new AbortController();
  const checkNamed = (host: string) =>
    checkAddress({ scheme: 'https', host, port: 443, user_named: true }, PROXIED, resolve, signal);
  expect(await checkNamed('nowhere.example')).toMatchObject({ kind: 'refused' });
  expect(await checkNamed('private.example')).toMatchObject({ kind: 'refused' });
  expect(await checkNamed('public.example')).toEqual({
    kind: 'proxied',
    proxy: 'http://p:2',
    addresses: NAMES['public.example'],
  });
});

describe('checkAddress behind a proxy', () => {
  test.each([
    ['https', 'public.example', 443, 'proxied'],
    ['https', 'nowhere.example', 443, 'proxied'],
    ['https', 'private.example', 443, 'refused'],
    ['https', '127.0.0.1', 443, 'refused'],
    ['ssh', 'public.example', 22, 'pinned'],
    ['http', 'git.corp', 80, 'pinned'],
  ])('%s to %s is %s', async (scheme, host, port, kind) => {
    expect(await check(scheme, host, port, PROXIED)).toBe(kind);
  });
});

test('checkAddress rejects a name if any of its addresses is not public, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.ipV4(), { minLength: 1, maxLength: 5 }), async (addresses) => {
      const { signal } = new AbortController();
      const destination = { scheme: 'https', host: 'any.example', port: 443 };
      const result = await checkAddress(destination, RULES, async () => addresses, signal);
      const good = addresses.every((address) => addressProblem(address) === undefined);
      expect(result.kind).toBe(good ? 'pinned' : 'refused');
    }),
  );
});

test('checkAddress resolves a name only once', async () => {
  let lookups = 0;
  const resolve = async (): Promise<readonly string[]> => {
    lookups += 1;
    return lookups === 1 ? ['93.184.215.14'] : ['127.0.0.1'];
  };
  const { signal } = new AbortController();
  const destination = { scheme: 'https', host: 'rebinding.example', port: 443 };
  const result = await checkAddress(destination, RULES, resolve, signal);
  expect(result).toEqual({ kind: 'pinned', addresses: ['93.184.215.14'] });
  expect(lookups).toBe(1);
});

test('checkAddress stops waiting for a name server when the signal aborts', async () => {
  const stop = new AbortController();
  const destination = { scheme: 'https', host: 'slow.example', port: 443 };
  const checking = checkAddress(destination, RULES, () => new Promise(() => {}), stop.signal);
  stop.abort();
  await expect(checking).rejects.toThrow('abort');
});
