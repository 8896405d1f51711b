import { openProviderInTest } from '@catalog/testkit/provider-in-test';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const HEADERS = { 'identity_provider.type': 'trusted-headers' } as const;
const GUARDED = { ...HEADERS, 'identity_provider.proxy_secret': 'the proxy’s own' } as const;
/** UTF-8 bytes of a proxy, each of which Node reads as one character. */
const SECRET = [
  'X-Catalog-Proxy-Secret',
  Buffer.from('the proxy’s own').toString('latin1'),
] as const;

test('headers of the proxy identify the caller', async () => {
  const { identify } = openProviderInTest(GUARDED);
  const headers = [
    SECRET,
    ['X-Catalog-User-Sub', 'joan'],
    ['x-catalog-user-email', 'joan@example.com'],
    ['X-CATALOG-USER-GROUPS', ' eng, art ,, eng'],
    ['X-Catalog-User-Org', 'acme'],
  ] as const;
  const first = await identify(...headers);
  expect(first).toEqual({
    kind: 'subject',
    subject: 'joan',
    email: 'joan@example.com',
    email_verified: true,
    groups: ['art', 'eng'],
    organization: 'acme',
    grants: undefined,
  });
  expect(await identify(...headers)).toBe(first);
  expect(await identify(SECRET, ['X-Catalog-User-Sub', 'ann'])).not.toBe(first);
});

test('names are UTF-8, and groups are mapped', async () => {
  const { identify } = openProviderInTest({
    ...HEADERS,
    'identity_provider.group_mapping': ['eng=engineers'],
  });
  const wire = (text: string): string => Buffer.from(text).toString('latin1');
  expect(
    await identify(['X-Catalog-User-Sub', wire('żółw')], ['X-Catalog-User-Groups', wire('eng,ż')]),
  ).toMatchObject({ subject: 'żółw', groups: ['engineers', 'ż'] });
  expect(await identify(['X-Catalog-User-Sub', '\u00FF\u00FE'])).toMatchObject({
    code: 'registry.invalid_argument',
  });
});

describe('returns anonymous', () => {
  test.each([
    ['without the secret', undefined],
    ['with an empty one', ''],
    ['with another', 'x'],
    ['with its beginning', SECRET[1].slice(0, -1)],
    ['with more than it', `${SECRET[1]}x`],
    ['with its hash', '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'],
  ])('for a request %s (proxy secret)', async (_, secret) => {
    const { identify } = openProviderInTest(GUARDED);
    const more = secret === undefined ? [] : [['X-Catalog-Proxy-Secret', secret] as const];
    expect(await identify(['X-Catalog-User-Sub', 'admin'], ...more)).toEqual({ kind: 'anonymous' });
  });

  test.each([
    ['no subject', []],
    ['an empty one', [['X-Catalog-User-Sub', '  ']]],
    ['a name of control characters', [['X-Catalog-User-Sub', 'a\u0007']]],
    ['underscores', [['X_Catalog_User_Sub', 'admin']]],
    ['a mixed spelling', [['X-Catalog_User-Sub', 'admin']]],
    ['a subject inside another header', [['X-Forwarded-User', 'admin']]],
    ['groups alone', [['X-Catalog-User-Groups', 'admins']]],
    ['a bearer token', [['Authorization', 'Bearer x']]],
  ] as [string, [string, string][]][])('for headers with %s', async (_, headers) => {
    const { identify } = openProviderInTest(GUARDED);
    expect(await identify(SECRET, ...headers)).toEqual({ kind: 'anonymous' });
  });
});

describe('repeated header', () => {
  test.each(['Sub', 'Email', 'Groups', 'Org'])('X-Catalog-User-%s is rejected', async (name) => {
    const { identify } = openProviderInTest(GUARDED);
    const header = `X-Catalog-User-${name}`;
    const verdict = await identify(
      SECRET,
      ['X-Catalog-User-Sub', 'joan'],
      [header, 'a'],
      [header.toLowerCase(), 'a'],
    );
    expect(verdict).toMatchObject({
      kind: 'refused',
      code: 'registry.invalid_argument',
      details: { argument: header },
    });
  });

  test('X-Catalog-Proxy-Secret is rejected', async () => {
    const { identify } = openProviderInTest(GUARDED);
    const verdict = await identify(SECRET, SECRET, ['X-Catalog-User-Sub', 'joan']);
    expect(verdict).toMatchObject({ code: 'registry.invalid_argument' });
  });

  test('a value with a comma is not a repeated header', async () => {
    const { identify } = openProviderInTest(HEADERS);
    expect(await identify(['X-Catalog-User-Sub', 'joan, admin'])).toMatchObject({
      subject: 'joan, admin',
    });
  });
});

test('arbitrary header values identify only the subject that was sent', async () => {
  const { identify } = openProviderInTest(HEADERS);
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), async (sub, groups) => {
      const wire = (text: string): string => Buffer.from(text).toString('latin1');
      const verdict = await identify(
        ['X-Catalog-User-Sub', wire(sub)],
        ['X-Catalog-User-Groups', wire(groups)],
      );
      if (verdict.kind !== 'subject') return;
      expect(verdict.subject).toBe(sub.trim());
      for (const group of verdict.groups) expect(groups).toContain(group);
    }),
  );
});
