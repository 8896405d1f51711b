import { openProviderInTest, oidcSettings } from '@catalog/testkit/provider-in-test';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

test('returns subject, e-mail, groups, organization and grants of a token', async () => {
  const issuer = await startTokenIssuer();
  const { accepted } = openProviderInTest(oidcSettings(issuer));
  const token = issuer.mint({
    sub: 'joan',
    email: 'joan@example.com',
    email_verified: true,
    groups: ['eng', 'eng', 'art'],
    org_id: 'acme',
    scope: 'openid catalog:read:finance/*',
    scp: ['catalog:load:finance/close@1.x'],
  });
  expect(await accepted(token)).toEqual({
    kind: 'subject',
    subject: 'joan',
    email: 'joan@example.com',
    email_verified: true,
    groups: ['art', 'eng'],
    organization: 'acme',
    grants: [
      { kind: 'read', path: 'finance', subtree: true, pin: '' },
      { kind: 'load', path: 'finance/close', subtree: false, pin: '1.x' },
    ],
  });
});

describe('claims', () => {
  test.each([
    ['a list', ['a', 'b'], ['a', 'b']],
    ['a single text, never split', 'a,b', ['a,b']],
    ['a text with a space', 'a b', ['a b']],
    [
      'things that are no names',
      ['a', 5, null, '', ' ', ['b'], { c: 1 }, '\u0000', 'x\uD800'],
      ['a'],
    ],
    ['a number', 7, []],
    ['an object', { a: true }, []],
    ['nothing', undefined, []],
  ])('reads groups from %s', async (_, groups, expected) => {
    const issuer = await startTokenIssuer();
    const { accepted } = openProviderInTest(oidcSettings(issuer));
    expect((await accepted(issuer.mint({ groups }))).groups).toEqual(expected);
  });

  test('a mapping renames groups and keeps unmapped ones', async () => {
    const issuer = await startTokenIssuer();
    const { accepted } = openProviderInTest({
      ...oidcSettings(issuer),
      'identity_provider.group_mapping': ['CN=eng,OU=it=engineers', 'x = one', 'x=two'],
    });
    const token = issuer.mint({ groups: ['CN=eng,OU=it', 'x', 'plain'] });
    expect((await accepted(token)).groups).toEqual(['engineers', 'one', 'plain', 'two']);
  });

  // An address without a verification flag is shown but does not grant access (SPEC-78).
  test.each([
    [undefined, 'a@b.c', false, true],
    [true, 'a@b.c', true, true],
    ['true', 'a@b.c', false, true],
    [false, '', false, false],
    ['false', 'a@b.c', false, true],
    [0, '', false, false],
    [null, 'a@b.c', false, true],
  ])('handles an e-mail with `email_verified` %j', async (flag, email, verified, trusted) => {
    const issuer = await startTokenIssuer();
    const token = issuer.mint({ email: 'a@b.c', email_verified: flag });
    const plain = openProviderInTest(oidcSettings(issuer));
    expect(await plain.accepted(token)).toMatchObject({ email, email_verified: verified });
    const trusting = openProviderInTest({
      ...oidcSettings(issuer),
      'identity_provider.trust_email': true,
    });
    expect(await trusting.accepted(token)).toMatchObject({ email, email_verified: trusted });
  });

  test.each([['acme'], ['ACME'], [' acme '], ['ac\u00e9me']])(
    'accepts org_id %j',
    async (org_id) => {
      const issuer = await startTokenIssuer();
      const { accepted } = openProviderInTest(oidcSettings(issuer));
      expect((await accepted(issuer.mint({ org_id }))).organization).toBe(org_id);
    },
  );

  test.each([[['acme']], [7], [true], [null], [{ id: 'acme' }], [''], ['a\u0000b']])(
    'ignores org_id %j',
    async (org_id) => {
      const issuer = await startTokenIssuer();
      const { accepted } = openProviderInTest(oidcSettings(issuer));
      expect((await accepted(issuer.mint({ org_id }))).organization).toBeUndefined();
    },
  );

  test('subject and groups are read only from the configured claims', async () => {
    const issuer = await startTokenIssuer();
    const { accepted, codeOf } = openProviderInTest({
      ...oidcSettings(issuer),
      'identity_provider.subject_claim': 'upn',
      'identity_provider.groups_claim': 'https://example.com/groups',
    });
    const token = issuer.mint({
      sub: 'admin',
      upn: 'joan',
      groups: ['admins'],
      'https://example.com/groups': ['eng'],
    });
    expect(await accepted(token)).toMatchObject({ subject: 'joan', groups: ['eng'] });
    for (const upn of [
      undefined,
      '',
      ' ',
      7,
      null,
      ['joan'],
      { a: 1 },
      'a\u0000',
      'x'.repeat(1025),
    ]) {
      expect(await codeOf(issuer.mint({ sub: 'admin', upn }))).toBe('auth.untrusted_token');
    }
  });

  test('ignores built-in object properties as claims', async () => {
    const issuer = await startTokenIssuer();
    for (const name of ['constructor', '__proto__', 'toString']) {
      const { codeOf } = openProviderInTest({
        ...oidcSettings(issuer),
        'identity_provider.subject_claim': name,
      });
      expect(await codeOf(issuer.mint({ sub: 'joan' }))).toBe('auth.untrusted_token');
    }
  });
});

describe('audience', () => {
  const CONFIGURED = [[TEST_AUDIENCE], ['a', 'b'], [' a ', 'a', ''], ['a b', 'c,d'], ['A', 'ä']];
  const SHAPES: unknown[] = [
    undefined,
    null,
    '',
    ' ',
    [],
    [''],
    [' '],
    0,
    1,
    true,
    {},
    { a: 'a' },
    [[]],
    [['a']],
    [[TEST_AUDIENCE]],
    [null],
    [{}],
    'a',
    ' a',
    'a ',
    'A',
    'b',
    'aa',
    'a,b',
    'a b',
    ['a'],
    ['b', 'x'],
    ['x', 'y'],
    ['A', 'B'],
    ['a b'],
    'c,d',
    ['c', 'd'],
    'ä',
    'a\u0308',
    ['a', 5],
    TEST_AUDIENCE,
    `${TEST_AUDIENCE}/`,
    TEST_AUDIENCE.toUpperCase(),
    TEST_AUDIENCE.slice(0, -1),
    [TEST_AUDIENCE, 'other'],
  ];

  test.each(CONFIGURED)(
    'configured as %j, %j accepts only tokens for one of these',
    async (...configured) => {
      const issuer = await startTokenIssuer();
      const { codeOf } = openProviderInTest({
        ...oidcSettings(issuer),
        'identity_provider.audience': configured,
      });
      const accepted = configured.map((entry) => entry.trim()).filter((entry) => entry !== '');
      expect(SHAPES).toHaveLength(40);
      for (const aud of SHAPES) {
        const carried = Array.isArray(aud) ? aud : [aud];
        const expected = carried.some((one) => accepted.some((entry) => entry === one))
          ? 'subject'
          : 'auth.untrusted_token';
        expect(await codeOf(issuer.mint({ aud })), JSON.stringify(aud)).toBe(expected);
      }
    },
  );
});

test('claims of random types never identify an unintended subject', async () => {
  const issuer = await startTokenIssuer();
  const { identifyToken } = openProviderInTest(oidcSettings(issuer));
  const claim = fc.oneof(
    fc.constant(undefined),
    fc.jsonValue({ maxDepth: 2 }),
    fc.double(),
    fc.constantFrom(TEST_AUDIENCE, [TEST_AUDIENCE], issuer.issuer, 'joan', 4_000_000_000),
  );
  await fc.assert(
    fc.asyncProperty(
      claim,
      claim,
      claim,
      claim,
      claim,
      claim,
      async (iss, aud, sub, exp, nbf, iat) => {
        const verdict = await identifyToken(issuer.mint({ iss, aud, sub, exp, nbf, iat }));
        const seconds = Date.now() / 1000;
        const isTime = (value: unknown): value is number => typeof value === 'number';
        const isRight =
          iss === issuer.issuer &&
          (aud === TEST_AUDIENCE || (Array.isArray(aud) && aud.includes(TEST_AUDIENCE))) &&
          typeof sub === 'string' &&
          isTime(exp) &&
          exp > seconds - 30 &&
          (nbf === undefined || isTime(nbf)) &&
          (iat === undefined || isTime(iat));
        if (verdict.kind === 'subject') expect(isRight).toBe(true);
        else expect(verdict.kind).toBe('refused');
      },
    ),
    { numRuns: 500 },
  );
});

describe('verified token', () => {
  test('returns the same identity object for every later request', async () => {
    const issuer = await startTokenIssuer();
    const { accepted, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    const token = issuer.mint({ sub: 'joan' });
    const first = await accepted(token);
    expect(await accepted(token)).toBe(first);
    expect(await accepted(issuer.mint({ sub: 'ann' }))).not.toBe(first);
    pass(400_000);
    expect(await accepted(token)).toBe(first);
  });

  test('is rejected from the second in which it expires', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    const token = issuer.mint({ exp: Math.floor(Date.now() / 1000) + 1000 });
    expect(await codeOf(token)).toBe('subject');
    pass(900_000);
    expect(await codeOf(token)).toBe('subject');
    pass(95_000);
    expect(await codeOf(token)).toBe('subject');
    pass(5000);
    expect(await codeOf(token)).toBe('auth.token_expired');
  });
});

describe('location of the credential', () => {
  test('is only the configured header', async () => {
    const issuer = await startTokenIssuer();
    const { identify } = openProviderInTest({
      ...oidcSettings(issuer),
      'identity_provider.token_header': 'X-Forwarded-Access-Token',
    });
    const token = issuer.mint();
    expect(await identify(['X-Forwarded-Access-Token', `Bearer ${token}`])).toMatchObject({
      subject: 'joan',
    });
    expect(await identify(['Authorization', `Bearer ${token}`])).toEqual({ kind: 'anonymous' });
    const twice = [`Bearer ${token}`, `Bearer ${token}`].map(
      (value) => ['X-Forwarded-Access-Token', value] as const,
    );
    expect(await identify(...twice)).toMatchObject({ code: 'auth.untrusted_token' });
  });

  test.each([
    ['bearer TOKEN', 'subject'],
    ['BEARER  TOKEN ', 'subject'],
    ['Bearer TOKEN x', 'refused'],
    ['Bearer', 'anonymous'],
    ['Bearer ', 'anonymous'],
    ['Basic am9hbjpodXNo', 'anonymous'],
    ['BearerTOKEN', 'anonymous'],
    ['TOKEN', 'anonymous'],
    ['', 'anonymous'],
  ])('reads the header value %j', async (value, kind) => {
    const issuer = await startTokenIssuer();
    const { identify } = openProviderInTest(oidcSettings(issuer));
    const verdict = await identify(['Authorization', value.replace('TOKEN', issuer.mint())]);
    expect(verdict.kind).toBe(kind);
  });
});
