import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@catalog/core/json';
import { openProviderInTest, oidcSettings } from '@catalog/testkit/provider-in-test';
import { newSigningKey } from '@catalog/testkit/signing-key';
import { startTokenIssuer, type TokenIssuer } from '@catalog/testkit/token-issuer';
import { describe, expect, test } from 'vitest';
import type { StoredKeys } from './stored-keys.ts';
import { COOLDOWN_MS, MAX_STALE_MS, RETRY_MS } from './key-set.ts';

const TTL_MS = 300_000;
const LIFETIME = 4 * MAX_STALE_MS;

function longLived(issuer: TokenIssuer, claims = {}, options = {}): string {
  const exp = Math.floor((Date.now() + LIFETIME) / 1000);
  return issuer.mint({ exp, ...claims }, options);
}

describe('issuer keys', () => {
  test('are fetched once for concurrent requests', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    const tokens = Array.from({ length: 50 }, (_, at) => issuer.mint({ sub: `user-${at}` }));
    const codes = await Promise.all(tokens.map((token) => codeOf(token)));
    expect(new Set(codes)).toEqual(new Set(['subject']));
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  test('a new key is fetched after the cooldown if a token names it', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(issuer.mint())).toBe('subject');
    await issuer.rotate();
    expect(await codeOf(issuer.mint({ sub: 'early' }))).toBe('auth.untrusted_token');
    expect(issuer.keySetRequests()).toBe(1);
    pass(COOLDOWN_MS);
    expect(await codeOf(issuer.mint({ sub: 'later' }))).toBe('subject');
    expect(issuer.keySetRequests()).toBe(2);
  });

  test('500 tokens with unknown keys cause one request', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(issuer.mint())).toBe('subject');
    const stranger = await newSigningKey('ES256');
    const flood = (): Promise<string[]> =>
      Promise.all(
        Array.from({ length: 500 }, (_, at) =>
          codeOf(issuer.mint({}, { key: stranger, header: { kid: `made-up-${at}` } })),
        ),
      );
    expect(new Set(await flood())).toEqual(new Set(['auth.untrusted_token']));
    expect(issuer.keySetRequests()).toBe(1);
    pass(COOLDOWN_MS);
    expect(new Set(await flood())).toEqual(new Set(['auth.untrusted_token']));
    expect(issuer.keySetRequests()).toBe(2);
  });

  test('a withdrawn key is rejected once the set is no longer fresh, also for cached tokens', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    const token = longLived(issuer);
    expect(await codeOf(token)).toBe('subject');
    const [old] = issuer.keys;
    const next = await issuer.rotate();
    issuer.remove(old?.kid ?? '');
    expect(await codeOf(token)).toBe('subject');
    pass(TTL_MS + 1);
    expect(await codeOf(token)).toBe('auth.untrusted_token');
    expect(await codeOf(longLived(issuer, { sub: 'ann' }, { key: next }))).toBe('subject');
  });

  test('are refreshed in the background before they expire', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    const token = longLived(issuer);
    await codeOf(token);
    pass(TTL_MS * 0.9);
    expect(await codeOf(token)).toBe('subject');
    await expect.poll(() => issuer.keySetRequests()).toBe(2);
  });
});

describe('unavailable issuer', () => {
  test('the last keys are used for an hour; after that, tokens are rejected instead of treated as anonymous', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, advanceClocks: pass, log } = openProviderInTest(oidcSettings(issuer));
    const token = longLived(issuer);
    expect(await codeOf(token)).toBe('subject');
    await issuer.stop();
    for (let minutes = 5; minutes < 60; minutes += 5) {
      pass(5 * 60_000);
      expect(await codeOf(token), `${minutes} minutes`).toBe('subject');
      expect(await codeOf(longLived(issuer, { sub: `new-${minutes}` }))).toBe('subject');
    }
    pass(6 * 60_000);
    expect(await codeOf(token)).toBe('registry.unavailable');
    pass(60 * 60_000);
    expect(await codeOf(token)).toBe('registry.unavailable');
    expect(log.filter((line) => line.includes('failed to refresh'))).not.toHaveLength(0);
    await issuer.restart();
    pass(RETRY_MS);
    expect(await codeOf(token)).toBe('subject');
    expect(log.at(-1)).toContain('has recovered');
  });

  test('tokens with a known key do not wait for an issuer that hangs', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, advanceClocks: pass, provider } = openProviderInTest(oidcSettings(issuer));
    const token = longLived(issuer);
    expect(await codeOf(token)).toBe('subject');
    const hanging: ServerResponse[] = [];
    issuer.overrideResponse = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    pass(TTL_MS + 1);
    expect(await codeOf(token)).toBe('subject');
    issuer.overrideResponse = (_, response) => hanging.push(response) > 0;
    pass(RETRY_MS);
    expect(await codeOf(token)).toBe('subject');
    expect(await codeOf(longLived(issuer, { sub: 'ann' }))).toBe('subject');
    await expect.poll(() => hanging).toHaveLength(1);
    // The fetch is still pending, so no token has waited for it.
    expect(hanging.every(({ destroyed }) => !destroyed)).toBe(true);
    provider.close();
  });

  test('after another failed request, the keys are fetched at once but not repeatedly', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, provider } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(issuer.mint())).toBe('subject');
    await provider.check();
    provider.suspect();
    await expect.poll(() => issuer.keySetRequests()).toBe(2);
    await provider.check();
    await issuer.stop();
    provider.suspect();
    await expect.poll(() => provider.check().then(() => 'fine', String)).toMatch('Error');
    await issuer.restart();
    provider.suspect();
    await expect(provider.check()).rejects.toThrow();
    expect(issuer.keySetRequests()).toBe(2);
  });

  test('tokens cannot be verified at startup until the issuer responds', async () => {
    const issuer = await startTokenIssuer();
    await issuer.stop();
    const {
      identify,
      identifyToken,
      codeOf,
      advanceClocks: pass,
      log,
    } = openProviderInTest(oidcSettings(issuer));
    const token = issuer.mint();
    const unavailable = {
      code: 'registry.unavailable',
      message: expect.stringContaining("could not fetch the issuer's keys"),
      details: { retry_after_seconds: RETRY_MS / 1000 },
    };
    await expect(identifyToken(token)).rejects.toMatchObject(unavailable);
    expect(await identify()).toEqual({ kind: 'anonymous' });
    await expect.poll(() => log.join('\n')).toContain('requests with a token return 503');
    await issuer.restart();
    expect(await codeOf(token)).toBe('registry.unavailable');
    pass(RETRY_MS);
    expect(await codeOf(token)).toBe('subject');
  });

  test('is not requested again before the retry delay, for any number of tokens', async () => {
    const issuer = await startTokenIssuer();
    issuer.overrideResponse = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    for (let at = 0; at < 20; at += 1) await codeOf(issuer.mint({ sub: `user-${at}` }));
    expect(issuer.requests).toHaveLength(1);
    pass(RETRY_MS);
    await codeOf(issuer.mint());
    expect(issuer.requests).toHaveLength(2);
  });
});

describe('keys stored by another process', () => {
  function storedAgo(issuer: TokenIssuer, age_ms: number): StoredKeys & { saved: unknown[] } {
    const keys: JsonObject[] = JSON.parse(JSON.stringify(issuer.keys.map(({ jwk }) => jwk)));
    const saved: unknown[] = [];
    let reads = 0;
    return {
      saved,
      async load(of) {
        reads += 1;
        return reads === 1 ? { issuer: of, issuers: [of], keys, age_ms } : undefined;
      },
      save: async (fetched) => void saved.push(fetched),
    };
  }

  test.each([
    ['verify tokens at the start, and for the rest of an hour', MAX_STALE_MS - 60_000, 'subject'],
    ['of more than an hour ago verify nothing', MAX_STALE_MS + 1, 'registry.unavailable'],
  ])('%s', async (_, age_ms, expected) => {
    const issuer = await startTokenIssuer();
    await issuer.stop();
    const { codeOf, advanceClocks: pass } = openProviderInTest(
      oidcSettings(issuer),
      storedAgo(issuer, age_ms),
    );
    expect(await codeOf(longLived(issuer))).toBe(expected);
    const stranger = await newSigningKey('ES256');
    expect(await codeOf(longLived(issuer, {}, { key: stranger }))).not.toBe('subject');
    pass(60_001);
    expect(await codeOf(longLived(issuer, { sub: 'ann' }))).toBe('registry.unavailable');
  });

  test('are replaced by those of the issuer when it responds', async () => {
    const issuer = await startTokenIssuer();
    const former = storedAgo(issuer, 60_000);
    const [old] = issuer.keys;
    const withdrawn = longLived(issuer);
    await issuer.rotate();
    issuer.remove(old?.kid ?? '');
    await issuer.stop();
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer), former);
    expect(await codeOf(withdrawn)).toBe('subject');
    expect(former.saved).toEqual([]);
    await issuer.restart();
    pass(TTL_MS);
    expect(await codeOf(longLived(issuer, { sub: 'ann' }))).toBe('subject');
    expect(await codeOf(withdrawn)).toBe('auth.untrusted_token');
    expect(former.saved).toHaveLength(1);
  });

  test('do not replace newer keys of this process', async () => {
    const issuer = await startTokenIssuer();
    const older = storedAgo(issuer, 2 * TTL_MS);
    const [old] = issuer.keys;
    const withdrawn = longLived(issuer, { sub: 'ann' });
    await issuer.rotate();
    issuer.remove(old?.kid ?? '');
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer), older);
    expect(await codeOf(longLived(issuer))).toBe('subject');
    await issuer.stop();
    pass(TTL_MS + 1);
    expect(await codeOf(longLived(issuer, { sub: 'bob' }))).toBe('subject');
    expect(await codeOf(withdrawn)).not.toBe('subject');
  });

  test('omit private members', async () => {
    const issuer = await startTokenIssuer();
    const stored = storedAgo(issuer, 0);
    issuer.overrideResponse = (path, response) => {
      if (path !== '/keys') return false;
      const keys = issuer.keys.map(({ jwk }) => ({ ...jwk, d: 'c2VjcmV0', x5c: ['a'] }));
      response.end(JSON.stringify({ keys }));
      return true;
    };
    const { codeOf } = openProviderInTest(oidcSettings(issuer), stored);
    expect(await codeOf(issuer.mint())).toBe('subject');
    const { issuer: name } = issuer;
    const { kid, alg, kty, crv, x, y } = { ...issuer.keys[0]?.jwk };
    expect(stored.saved).toEqual([
      { issuer: name, issuers: [name], keys: [{ kid, alg, kty, crv, x, y }] },
    ]);
  });

  test('are optional: a failing store only adds a log line', async () => {
    const issuer = await startTokenIssuer();
    const fail = (): Promise<never> => Promise.reject(new Error('the store is unavailable'));
    const {
      codeOf,
      advanceClocks: pass,
      log,
    } = openProviderInTest(oidcSettings(issuer), {
      load: fail,
      save: fail,
    });
    const token = longLived(issuer);
    expect(await codeOf(token)).toBe('subject');
    await issuer.stop();
    pass(TTL_MS + 1);
    expect(await codeOf(token)).toBe('subject');
    await expect.poll(() => log.join('\n')).toContain('failed to store');
    await expect.poll(() => log.join('\n')).toContain('failed to read the stored keys');
  });
});

describe('invalid issuer documents', () => {
  test.each<[string, (issuer: TokenIssuer) => Record<string, unknown>]>([
    ['another issuer', () => ({ issuer: 'https://id.example.com' })],
    ['the issuer with a slash', ({ issuer }) => ({ issuer: `${issuer}/` })],
    ['no issuer', () => ({ issuer: undefined })],
    ['no key set', () => ({ jwks_uri: undefined })],
    ['a key set by http', () => ({ jwks_uri: 'http://127.0.0.1:1/keys' })],
    ['a key set in a file', () => ({ jwks_uri: 'file:///etc/passwd' })],
    ['a key set that is none', () => ({ jwks_uri: 7 })],
  ])('tokens cannot be verified with a discovery document that has %s', async (_, change) => {
    const issuer = await startTokenIssuer();
    Object.assign(issuer.discovery, change(issuer));
    const { codeOf, log } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(issuer.mint())).toBe('registry.unavailable');
    expect(issuer.keySetRequests()).toBe(0);
    await expect.poll(() => log.length).toBe(1);
  });

  test.each([
    ['a redirect', 302, ''],
    ['an error', 500, '{}'],
    ['something else than JSON', 200, '<html>'],
    ['a list', 200, '[]'],
    ['keys that are no list', 200, '{"keys": {"a": 1}}'],
    ['more than anybody reads', 200, `{"keys": [], "x": "${'x'.repeat(600_000)}"}`],
  ])('tokens cannot be verified with a key set that is %s', async (_, status, body) => {
    const issuer = await startTokenIssuer();
    issuer.overrideResponse = (path, response) => {
      if (path !== '/keys') return false;
      response.writeHead(status, { location: 'https://127.0.0.1:1/keys' }).end(body);
      return true;
    };
    const { codeOf, log } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(issuer.mint())).toBe('registry.unavailable');
    await expect.poll(() => log.join()).toContain('failed to fetch');
  });

  test('unusable keys are skipped and the others are used', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    issuer.overrideResponse = (path, response) => {
      if (path !== '/keys') return false;
      const odd = [
        null,
        'key',
        { kty: 'oct', k: 'c2VjcmV0', kid: 'a' },
        { kty: 'RSA', n: '!', e: 'AQAB' },
        { kty: 'EC', crv: 'P-999', x: 'a', y: 'b' },
        { kty: 'constructor' },
        { ...issuer.keys[0]?.jwk, use: 'enc' },
        { ...issuer.keys[0]?.jwk, key_ops: ['sign'] },
        { ...issuer.keys[0]?.jwk, alg: 'HS256' },
      ];
      response.end(JSON.stringify({ keys: [...odd, ...issuer.keys.map(({ jwk }) => jwk)] }));
      return true;
    };
    expect(await codeOf(issuer.mint())).toBe('subject');
  });
});

describe('token without a key id', () => {
  test('is verified with the only key, and rejected if there are several', async () => {
    const issuer = await startTokenIssuer();
    const { codeOf, advanceClocks: pass } = openProviderInTest(oidcSettings(issuer));
    const unnamed = (sub: string): string => issuer.mint({ sub }, { header: { kid: undefined } });
    expect(await codeOf(unnamed('one'))).toBe('subject');
    await issuer.rotate();
    pass(TTL_MS + 1);
    expect(await codeOf(unnamed('two'))).toBe('auth.untrusted_token');
  });

  test('a token is rejected if two keys have its key id', async () => {
    const issuer = await startTokenIssuer();
    const twin = await newSigningKey('ES256', issuer.keys[0]?.kid);
    issuer.keys.push(twin);
    const { codeOf } = openProviderInTest(oidcSettings(issuer));
    expect(await codeOf(issuer.mint())).toBe('auth.untrusted_token');
  });
});
