import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultyProxy } from '@catalog/testkit/faulty-proxy';
import { startRegistry } from '@catalog/testkit/registry-server';
import { createRuntimePlace, unsignedToken } from '@catalog/testkit/runtime-place';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { now } from '../clock.ts';
import { signOut } from '../identity/sign-out.ts';
import { saveTokens } from '../identity/token-store.ts';
import { openNodeTransport } from '../source/node-transport.ts';

const ID = 'ops/check';
const FROM_CACHE = { status: 'offline', served_from_cache: true };
const HOUR_S = 60 * 60;

async function openStage() {
  const text = '---\nname: check\ndescription: Checks the fleet.\n---\nDo it.\n';
  const server = await startRegistry({ layers: { base: { [`${ID}/SKILL.md`]: text } } });
  const proxy = await startFaultyProxy(server.url);
  onTestFinished(() => proxy.close());
  const place = createRuntimePlace(temporaryFolder(), proxy.url);
  const signIn = (subject: string, seconds: number): Promise<void> =>
    saveTokens(
      place.configure().identity,
      proxy.url,
      {
        access_token: unsignedToken(subject),
        expires_at: Math.floor(now() / 1000) + seconds,
        refresh_token: 'another',
        token_endpoint: 'http://127.0.0.1:1/token',
        client_id: 'catalog',
      },
      'file',
    );
  return { proxy, place, signIn };
}

describe('cache of a signed-in user', () => {
  test('is served if the token has expired and cannot be renewed', async () => {
    const { proxy, place, signIn } = await openStage();
    await signIn('ada', HOUR_S);
    await place.open('always-revalidate').loadArtifact({ id: ID });
    await signIn('ada', -HOUR_S);
    const registry = place.open('always-revalidate');
    expect(await registry.loadArtifact({ id: ID })).toMatchObject(FROM_CACHE);
    await proxy.close();
    expect(await registry.searchArtifacts({})).toMatchObject({ ...FROM_CACHE, total_matched: 1 });
    expect(await place.open('offline-only').loadArtifact({ id: ID })).toMatchObject(FROM_CACHE);
  });

  test('is unavailable to all users after signing out, including the same one', async () => {
    const { proxy, place, signIn } = await openStage();
    await signIn('ada', HOUR_S);
    const registry = place.open('always-revalidate');
    await registry.loadArtifact({ id: ID });
    await registry.loadDomain({});
    expect(readdirSync(`${place.cache}/index`)).not.toEqual([]);
    await signOut(proxy.url, place.configure(), openNodeTransport({}));
    expect(readdirSync(`${place.cache}/index`)).toEqual([]);
    await proxy.close();
    const code = 'network.offline_cache_miss';
    for (const sign of [undefined, 'ada', 'bob']) {
      if (sign !== undefined) await signIn(sign, HOUR_S);
      const offline = place.open('offline-only');
      await expect(offline.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
      await expect(offline.searchArtifacts({})).rejects.toMatchObject({ code });
    }
  });
});

describe('cache with an injected token', () => {
  test('is not served to another user whose token replaces the first', async () => {
    const { proxy, place } = await openStage();
    const env: Record<string, string> = {
      CATALOG_IDENTITY_PROVIDER: 'injected-session-token',
      CATALOG_SESSION_TOKEN: unsignedToken('ada'),
    };
    const registry = place.open('always-revalidate', { env });
    await registry.loadArtifact({ id: ID });
    await proxy.close();
    expect(await registry.loadArtifact({ id: ID })).toMatchObject(FROM_CACHE);
    env['CATALOG_SESSION_TOKEN'] = unsignedToken('bob');
    const other = place.open('always-revalidate', { env });
    const code = 'network.registry_unreachable';
    await expect(other.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
  });

  test('is not served if the registry reports that the token has expired', async () => {
    const { proxy, place } = await openStage();
    const env = { CATALOG_TOKEN: unsignedToken('ada') };
    const registry = place.open('offline-first', { env });
    await registry.loadArtifact({ id: ID });
    const code = 'auth.token_expired';
    const body = { code, message: 'It has.', details: {}, retryable: false, suggested_action: '' };
    proxy.fault = { kind: 'answering', status: 401, body };
    await expect(registry.loadArtifact({ id: ID })).rejects.toMatchObject({ code });
    await expect(registry.searchArtifacts({})).rejects.toMatchObject({ code });
  });
});
