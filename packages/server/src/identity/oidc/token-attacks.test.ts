import { createServer, type Server } from 'node:net';
import { openProviderInTest, oidcSettings } from '@catalog/testkit/provider-in-test';
import {
  encode,
  newSigningKey,
  signatureOf,
  signText,
  signToken,
  signWithSecret,
  type SigningKey,
} from '@catalog/testkit/signing-key';
import {
  startTokenIssuer,
  TEST_AUDIENCE,
  type Claims,
  type TokenIssuer,
} from '@catalog/testkit/token-issuer';
import { describe, expect, onTestFinished, test } from 'vitest';

const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

function claimsOf({ issuer }: TokenIssuer, more: object = {}): Record<string, unknown> {
  const iat = Math.floor(Date.now() / 1000);
  return { iss: issuer, aud: TEST_AUDIENCE, sub: 'admin', iat, exp: iat + 600, ...more };
}

function signedAs(key: SigningKey, alg: unknown, by: string, claims: object): string {
  const input = `${encode(JSON.stringify({ alg, kid: key.kid }))}.${encode(JSON.stringify(claims))}`;
  return `${input}.${signatureOf(by, key.private_key, input).toString('base64url')}`;
}

describe('signatures', () => {
  test('each allowed algorithm is accepted with a matching key', async () => {
    const issuer = await startTokenIssuer();
    for (const algorithm of ALGORITHMS) await issuer.rotate(algorithm);
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    for (const key of issuer.keys) {
      expect(await codeOf(issuer.mint({}, { key })), key.algorithm).toBe('subject');
    }
  });

  test('60 forgeries are rejected', async () => {
    const issuer = await startTokenIssuer();
    for (const algorithm of ['RS256', 'ES384', 'EdDSA']) await issuer.rotate(algorithm);
    const [ec, rsa, ec384, ed] = issuer.keys;
    if (!ec || !rsa || !ec384 || !ed) throw new Error('four keys were made');
    const claims = claimsOf(issuer);
    const forgeries: [string, string][] = [];
    const add = (name: string, token: string): void => void forgeries.push([name, token]);
    const body = encode(JSON.stringify(claims));
    for (const alg of ['none', 'NONE', 'None', 'nOnE', '', null, undefined, 0, [], ['none'], {}]) {
      const header = encode(JSON.stringify({ alg, kid: ec.kid }));
      add(`${JSON.stringify(alg)} without a signature`, `${header}.${body}.`);
      add(`${JSON.stringify(alg)} with an old one`, `${header}.${body}.AAAA`);
    }
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      for (const key of [ec, rsa]) {
        const header = { alg, kid: key.kid };
        const der = key.public_key.export({ format: 'der', type: 'spki' });
        add(
          `${alg} with a public key as secret`,
          signWithSecret(key.public_key_pem, header, claims),
        );
        add(
          `${alg} with its trimmed text`,
          signWithSecret(key.public_key_pem.trim(), header, claims),
        );
        add(`${alg} with its bytes`, signWithSecret(der, header, claims));
        add(`${alg} with its JWK`, signWithSecret(JSON.stringify(key.jwk), header, claims));
      }
    }
    add('RS256 said of an EC key', signedAs(ec, 'RS256', 'ES256', claims));
    add('ES256 said of an RSA key', signedAs(rsa, 'ES256', 'RS256', claims));
    add('PS256 by a key for RS256', signedAs(rsa, 'PS256', 'PS256', claims));
    add('RS256 said, PS256 signed', signedAs(rsa, 'RS256', 'PS256', claims));
    add('RS512 by a key for RS256', signedAs(rsa, 'RS512', 'RS512', claims));
    add('ES256 by a key of ES384', signedAs(ec384, 'ES256', 'ES384', claims));
    add('ES384 by a key of ES256', signedAs(ec, 'ES384', 'ES256', claims));
    add('EdDSA said of an EC key', signedAs(ec, 'EdDSA', 'ES256', claims));
    add('Ed25519 instead of EdDSA', signedAs(ed, 'Ed25519', 'EdDSA', claims));
    add('ES256K', signedAs(ec, 'ES256K', 'ES256', claims));
    add('small letters', signedAs(ec, 'es256', 'ES256', claims));
    add('a space', signedAs(ec, 'ES256 ', 'ES256', claims));
    const good = signToken(ec, claims);
    const [header = '', payload = '', signature = ''] = good.split('.');
    add(
      'another payload',
      `${header}.${encode(JSON.stringify({ ...claims, sub: 'x' }))}.${signature}`,
    );
    add('half a signature', `${header}.${payload}.${signature.slice(0, 40)}`);
    add('a signature of zeros', `${header}.${payload}.${'A'.repeat(86)}`);
    const stranger = await newSigningKey('ES256', ec.kid);
    add('a stranger under a known name', signToken(stranger, claims));
    expect(forgeries.length).toBeGreaterThanOrEqual(60);
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(good)).toBe('subject');
    for (const [name, token] of forgeries) {
      expect(await codeOf(token), name).toBe('auth.untrusted_token');
    }
  });

  test('a key verifies only signatures of its declared type and algorithm', async () => {
    const issuer = await startTokenIssuer({ algorithm: 'RS256' });
    const [key] = issuer.keys;
    if (key === undefined) throw new Error('a key was made');
    // Without `alg`, an RSA key verifies every RSA algorithm.
    delete key.jwk.alg;
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(signedAs(key, 'PS512', 'PS512', claimsOf(issuer)))).toBe('subject');
    expect(await codeOf(signedAs(key, 'ES256', 'RS256', claimsOf(issuer)))).toBe(
      'auth.untrusted_token',
    );
  });
});

async function startCanary(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  return { port: address.port, connections: () => connections };
}

describe('token with an embedded key', () => {
  test('is rejected, and its URLs are not requested', async () => {
    const issuer = await startTokenIssuer();
    const canary = await startCanary();
    const evil = `https://127.0.0.1:${canary.port}/keys`;
    const own = await newSigningKey('ES256');
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    const headers = [
      { jku: evil },
      { x5u: evil },
      { jwk: own.jwk },
      { x5c: ['MIIB'] },
      { jku: evil, jwk: own.jwk, x5u: evil, kid: undefined },
      { jku: `${issuer.issuer}@127.0.0.1:${canary.port}` },
      { kid: evil },
      { kid: `${issuer.issuer}/keys` },
      { iss: evil },
    ];
    for (const header of headers) {
      pass(60_000);
      const token = signToken(own, claimsOf(issuer), header);
      expect(await codeOf(token), JSON.stringify(header)).toBe('auth.untrusted_token');
    }
    const foreign = signToken(own, claimsOf(issuer, { iss: `https://127.0.0.1:${canary.port}` }));
    expect(await codeOf(foreign)).toBe('auth.untrusted_token');
    expect(await codeOf(issuer.mint({}, { header: { jku: evil, x5u: evil, jwk: own.jwk } }))).toBe(
      'subject',
    );
    expect(canary.connections()).toBe(0);
    expect(
      issuer.requests.every((path) => path === '/keys' || path.startsWith('/.well-known')),
    ).toBe(true);
  });

  test('key ids are only compared with those of known keys', async () => {
    const issuer = await startTokenIssuer();
    const own = await newSigningKey('ES256');
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    const kids = [
      '../../../../dev/null',
      '/proc/self/environ',
      "x' OR '1'='1",
      '; DROP TABLE keys',
      '$(touch /tmp/x)',
      '__proto__',
      'constructor',
      'toString',
      '0',
      '',
      ' ',
      '\u0000',
      '*',
      'x'.repeat(5000),
      7,
      null,
      ['a'],
      { a: 1 },
      true,
    ];
    for (const kid of kids) {
      const token = signToken(own, claimsOf(issuer), { kid });
      expect(await codeOf(token), JSON.stringify(kid)).toBe('auth.untrusted_token');
    }
  });
});

test('the other name of an issuer is compared and never requested', async () => {
  const issuer = await startTokenIssuer();
  const other = await startTokenIssuer({ authority: issuer.authority });
  issuer.discovery['access_token_issuer'] = other.issuer;
  const { accepted, codeOf } = openProviderInTest(oidcSettings(issuer));
  expect(await accepted(issuer.mint({ iss: other.issuer }))).toMatchObject({ subject: 'joan' });
  expect(await accepted(issuer.mint())).toMatchObject({ subject: 'joan' });
  expect(await codeOf(other.mint())).toBe('auth.untrusted_token');
  expect(await codeOf(other.mint({ iss: issuer.issuer }))).toBe('auth.untrusted_token');
  expect(other.requests).toEqual([]);
});

test('an issuer is compared exactly', async () => {
  const issuer = await startTokenIssuer();
  const { codeOf, identifyToken } = openProviderInTest(oidcSettings(issuer));
  const { port } = new URL(issuer.issuer);
  const names = [
    `${issuer.issuer}/`,
    issuer.issuer.toUpperCase(),
    `${issuer.issuer} `,
    `${issuer.issuer}#`,
    `https://localhost:${port}`,
    `https://127.0.0.1.:${port}`,
    `https://127.0.0.1:${port}\u0000`,
    `https://１27.0.0.1:${port}`,
    '',
    undefined,
    null,
    [issuer.issuer],
    { iss: issuer.issuer },
  ];
  for (const iss of names) {
    expect(await codeOf(issuer.mint({ iss })), JSON.stringify(iss)).toBe('auth.untrusted_token');
  }
  expect(await identifyToken(issuer.mint({ iss: 'https://evil.test\n\u001B[31m' }))).toMatchObject({
    message: expect.stringContaining(issuer.issuer),
    details: { token_iss: String.raw`https://evil.test\n\u{1b}[31m` },
  });
});

describe('token times', () => {
  test.each<[string, (now: number) => Claims, string]>([
    ['no exp', () => ({ exp: undefined }), 'auth.untrusted_token'],
    ['exp as a text', () => ({ exp: '4000000000' }), 'auth.untrusted_token'],
    ['exp null', () => ({ exp: null }), 'auth.untrusted_token'],
    ['exp true', () => ({ exp: true }), 'auth.untrusted_token'],
    ['exp as a list', () => ({ exp: [4_000_000_000] }), 'auth.untrusted_token'],
    ['exp past every date', () => ({ exp: 1e300 }), 'auth.untrusted_token'],
    ['exp zero', () => ({ exp: 0 }), 'auth.token_expired'],
    ['exp before all time', () => ({ exp: -1e300 }), 'auth.token_expired'],
    ['exp with a fraction', (now) => ({ exp: now + 60.5 }), 'subject'],
    ['expired an hour ago', (now) => ({ exp: now - 3600 }), 'auth.token_expired'],
    ['expired a moment ago', (now) => ({ exp: now }), 'auth.token_expired'],
    ['expired ten seconds ago', (now) => ({ exp: now - 10 }), 'auth.token_expired'],
    ['iat within the leeway', (now) => ({ iat: now + 10 }), 'subject'],
    ['expired and for another audience', () => ({ exp: 1, aud: 'x' }), 'auth.untrusted_token'],
    [
      'expired and of another issuer',
      () => ({ exp: 1, iss: 'https://x.test' }),
      'auth.untrusted_token',
    ],
    ['nbf in an hour', (now) => ({ nbf: now + 3600 }), 'auth.untrusted_token'],
    ['nbf in a minute and a half', (now) => ({ nbf: now + 90 }), 'auth.untrusted_token'],
    ['nbf within the leeway', (now) => ({ nbf: now + 10 }), 'subject'],
    ['nbf as a text', () => ({ nbf: '0' }), 'auth.untrusted_token'],
    ['nbf null', () => ({ nbf: null }), 'auth.untrusted_token'],
    ['iat in a year', (now) => ({ iat: now + 31_536_000 }), 'auth.untrusted_token'],
    ['iat as a text', () => ({ iat: 'now' }), 'auth.untrusted_token'],
    ['no iat', () => ({ iat: undefined }), 'subject'],
  ])('returns the expected result for a token with %s', async (_, claimsAt, code) => {
    const issuer = await startTokenIssuer();
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    const claims = claimsAt(Math.floor(Date.now() / 1000));
    expect(await codeOf(issuer.mint(claims))).toBe(code);
  });
});

describe('malformed tokens', () => {
  test('are rejected', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    const [key] = issuer.keys;
    if (key === undefined) throw new Error('a key was made');
    const header = JSON.stringify({ alg: 'ES256', kid: key.kid });
    const claims = JSON.stringify(claimsOf(issuer));
    const good = signText(key, header, claims);
    expect(await codeOf(good)).toBe('subject');
    const texts: string[] = [
      'x',
      '.',
      '..',
      'a.b',
      'a.b.c',
      'a.b.c.d.e',
      `${good}.`,
      `${good}.x`,
      `.${good}`,
      `${good}=`,
      good.replace('.', '..'),
      'null.null.null',
      signText(key, 'null', claims),
      signText(key, '[]', claims),
      signText(key, header, '[]'),
      signText(key, header, '"admin"'),
      signText(key, header, 'null'),
      signText(key, header, claims.slice(0, -1)),
      signText(key, header, `\uFEFF${claims}`),
      signText(key, `${header} x`, claims),
      signText(key, JSON.stringify({ alg: 'ES256', kid: key.kid, crit: ['exp'], exp: 1 }), claims),
      signText(key, JSON.stringify({ alg: 'ES256', kid: key.kid, crit: [] }), claims),
      signText(
        key,
        JSON.stringify({ alg: 'ES256', kid: key.kid, b64: false, crit: ['b64'] }),
        claims,
      ),
      signText(
        key,
        JSON.stringify({ alg: 'ES256', kid: key.kid, b64: true, crit: ['b64'] }),
        claims,
      ),
      signText(key, JSON.stringify({ alg: 'ES256', kid: key.kid, typ: 'logout+jwt' }), claims),
      signText(key, JSON.stringify({ alg: 'ES256', kid: key.kid, typ: 7 }), claims),
      JSON.stringify({ payload: encode(claims), signatures: [] }),
    ];
    for (const text of texts) expect(await codeOf(text), text).toBe('auth.untrusted_token');
  });

  test('are rejected if a claim or header is repeated', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    const [key] = issuer.keys;
    if (key === undefined) throw new Error('a key was made');
    const header = JSON.stringify({ alg: 'ES256', kid: key.kid });
    const claims = JSON.stringify(claimsOf(issuer));
    const twice = (more: string): string => `${claims.slice(0, -1)},${more}}`;
    for (const more of [
      '"sub":"root"',
      '"sub":"admin"',
      String.raw`"s\u0075b":"root"`,
      '"sub" :\n"root"',
      '"aud":[]',
      '"x":{"a":1,"b":{"a":2,"a":3}}',
      '"y":[{"z":1,"z":1}]',
    ]) {
      expect(await codeOf(signText(key, header, twice(more))), more).toBe('auth.untrusted_token');
    }
    const again = `${header.slice(0, -1)},"alg":"none"}`;
    expect(await codeOf(signText(key, again, claims))).toBe('auth.untrusted_token');
    // The same name in two objects or inside a string is not a repetition.
    const fine = twice(
      String.raw`"x":{"sub":"a"},"y":[{"sub":1},{"sub":2}],"z":"\",\"sub\":\"{[\""`,
    );
    expect(await codeOf(signText(key, header, fine))).toBe('subject');
  });

  test('are rejected without parsing if they are too long', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, identifyToken } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(issuer.mint({ filler: 'x'.repeat(8000) }))).toBe('subject');
    const huge = issuer.mint({ filler: 'x'.repeat(20_000) });
    expect(await identifyToken(huge)).toMatchObject({
      code: 'auth.untrusted_token',
      message: expect.stringContaining('too long'),
    });
    expect(
      await codeOf(issuer.mint({ deep: JSON.parse('['.repeat(2000) + ']'.repeat(2000)) })),
    ).toBe('subject');
    expect(await codeOf('A'.repeat(5_000_000))).toBe('auth.untrusted_token');
  });
});
