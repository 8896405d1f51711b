import { join } from 'node:path';
import { openProviderInTest, type ProviderInTest } from '@catalog/testkit/provider-in-test';
import {
  newSigningKey,
  signToken,
  signWithSecret,
  type SigningKey,
} from '@catalog/testkit/signing-key';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { parseRuntimeKeys } from './runtime-keys.ts';

const RUNTIME = 'https://runtime.test';
const AUDIENCE = 'https://catalog.test';

interface Opened extends ProviderInTest {
  key: SigningKey;
}

function entryOf(key: SigningKey, issuer = RUNTIME, more: object = {}): object {
  return { issuer, algorithm: key.algorithm, public_key_pem: key.public_key_pem, ...more };
}

async function open(more: readonly object[] = [], algorithm = 'ES256'): Promise<Opened> {
  const key = await newSigningKey(algorithm);
  const folder = temporaryFolder();
  writeTree(folder, { 'keys.json': JSON.stringify([entryOf(key), ...more]) });
  const opened = openProviderInTest({
    'identity_provider.type': 'injected-session-token',
    'identity_provider.audience': [AUDIENCE, 'other'],
    'identity_provider.runtime_keys_path': join(folder, 'keys.json'),
  });
  return { ...opened, key };
}

function claims(more: object = {}): object {
  const iat = Math.floor(Date.now() / 1000);
  return { iss: RUNTIME, act: RUNTIME, aud: AUDIENCE, sub: 'joan', iat, exp: iat + 600, ...more };
}

test('a token of a registered runtime identifies the user it acts for', async () => {
  const { key, accepted } = await open();
  const token = signToken(key, claims({ email: 'a@b.c', groups: ['eng'], org_id: 'acme' }));
  const first = await accepted(token);
  expect(first).toMatchObject({
    subject: 'joan',
    email: 'a@b.c',
    email_verified: false,
    groups: ['eng'],
    organization: 'acme',
  });
  const verified = signToken(key, claims({ email: 'a@b.c', email_verified: true }));
  expect(await accepted(verified)).toMatchObject({ email: 'a@b.c', email_verified: true });
  expect(await accepted(token)).toBe(first);
});

test.each(['RS256', 'PS512', 'ES384', 'EdDSA'])('accepts signatures of %s', async (algorithm) => {
  const { key, codeOf } = await open([], algorithm);
  expect(await codeOf(signToken(key, claims()))).toBe('subject');
});

test('a runtime can have two keys during a rotation', async () => {
  const second = await newSigningKey('ES256');
  const { key, codeOf } = await open([entryOf(second)]);
  expect(await codeOf(signToken(key, claims()))).toBe('subject');
  expect(await codeOf(signToken(second, claims()))).toBe('subject');
  expect(await codeOf(signToken(second, claims({ exp: 1 })))).toBe('auth.token_expired');
});

test('a request without a bearer credential is anonymous', async () => {
  const { identify } = await open();
  expect(await identify()).toEqual({ kind: 'anonymous' });
  expect(await identify(['Authorization', 'Basic x'])).toEqual({ kind: 'anonymous' });
  expect(await identify(['Cookie', '__Host-catalog_session=x'])).toEqual({ kind: 'anonymous' });
});

test('act may be absent unless the runtime is registered with --require-act (SPEC-71)', async () => {
  const [second, strict] = [await newSigningKey('ES256'), await newSigningKey('ES256')];
  const STRICT = 'https://strict.test';
  const { key, codeOf } = await open([
    entryOf(strict, STRICT, { require_act: true }),
    entryOf(second, STRICT, { require_act: false }),
  ]);
  expect(await codeOf(signToken(key, claims({ act: undefined })))).toBe('subject');
  expect(await codeOf(signToken(strict, claims({ iss: STRICT, act: STRICT })))).toBe('subject');
  for (const signer of [strict, second]) {
    const token = signToken(signer, claims({ iss: STRICT, act: undefined }));
    expect(await codeOf(token)).toBe('auth.untrusted_runtime');
  }
});

describe('rejects', () => {
  test.each<[string, object]>([
    ['of a runtime nobody registered', { iss: 'https://other.test', act: 'https://other.test' }],
    ['of no runtime', { iss: undefined, act: undefined }],
    ['of a runtime by another spelling', { iss: `${RUNTIME}/`, act: `${RUNTIME}/` }],
    ['with an act that is null', { act: null }],
    ['with the act of another', { act: 'https://other.test' }],
    ['with an act of another shape', { act: [RUNTIME] }],
    ['with an act that names nobody', { act: {} }],
    ['with the act of another inside', { act: { sub: 'joan' } }],
    ['without aud', { aud: undefined }],
    ['with an empty aud', { aud: [] }],
    ['for another audience', { aud: 'https://catalog.test/' }],
    ['without exp', { exp: undefined }],
    ['with an exp that is a text', { exp: '4000000000' }],
    ['that begins tomorrow', { nbf: 4_000_000_000 }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that is a number', { sub: 7 }],
  ])('a token %s', async (_, more) => {
    const { key, codeOf } = await open();
    expect(await codeOf(signToken(key, claims(more)))).toBe('auth.untrusted_runtime');
  });

  test('a token of another key, algorithm or runtime', async () => {
    const stranger = await newSigningKey('ES256');
    const neighbor = await newSigningKey('ES256');
    const { key, codeOf, identifyToken } = await open([
      entryOf(neighbor, 'https://neighbour.test'),
    ]);
    expect(await identifyToken(signToken(stranger, claims()))).toMatchObject({
      code: 'auth.untrusted_runtime',
      details: { runtime_iss: RUNTIME },
    });
    const tokens = [
      signToken(neighbor, claims()),
      signToken(key, claims({ iss: 'https://neighbour.test', act: 'https://neighbour.test' })),
      signToken(key, claims(), { alg: 'ES384' }),
      signToken(key, claims(), { alg: 'none' }),
      signWithSecret(key.public_key_pem, { alg: 'HS256' }, claims()),
      `${signToken(key, claims())}x`,
      'x',
    ];
    for (const token of tokens) expect(await codeOf(token)).toBe('auth.untrusted_runtime');
    expect(await codeOf(signToken(key, claims({ act: { sub: RUNTIME } })))).toBe('subject');
  });

  test('a cached token that has expired', async () => {
    const { key, codeOf, advanceClocks: pass } = await open();
    const token = signToken(key, claims());
    expect(await codeOf(token)).toBe('subject');
    pass(3_600_000);
    expect(await codeOf(token)).toBe('auth.token_expired');
  });
});

describe('keys file', () => {
  test('is rejected if any entry is invalid', async () => {
    const [ec, rsa] = [await newSigningKey('ES256'), await newSigningKey('RS256')];
    const private_pem = ec.private_key.export({ format: 'pem', type: 'pkcs8' }).toString();
    const good = entryOf(ec);
    const bad: unknown[] = [
      {},
      'x',
      null,
      [null],
      [{ ...good, kid: 'x' }],
      [{ ...good, require_act: 'yes' }],
      [{ ...good, issuer: '' }],
      [{ ...good, issuer: undefined }],
      [{ ...good, algorithm: 'HS256' }],
      [{ ...good, algorithm: 'none' }],
      [{ ...good, algorithm: 'ES384' }],
      [{ ...good, algorithm: 'constructor' }],
      [{ ...good, public_key_pem: rsa.public_key_pem }],
      [{ ...good, public_key_pem: 'x' }],
      [{ ...good, public_key_pem: private_pem }],
      [good, { ...good, public_key_pem: '' }],
    ];
    for (const entries of bad) {
      expect(() => parseRuntimeKeys(JSON.stringify(entries), 'keys.json')).toThrow(
        expect.objectContaining({ code: 'config.runtime_keys_unavailable' }),
      );
    }
    expect(parseRuntimeKeys(JSON.stringify([good, entryOf(rsa)]), 'keys.json')).toHaveLength(2);
  });
});
