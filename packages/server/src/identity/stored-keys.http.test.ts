import { runDirectSql } from '@catalog/testkit/direct-sql';
import { oidcSettings } from '@catalog/testkit/provider-in-test';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openTestBackend, type TestBackend } from '@catalog/testkit/test-backend';
import { startTokenIssuer, type TokenIssuer } from '@catalog/testkit/token-issuer';
import { describe, expect, onTestFinished, test } from 'vitest';

const HOUR_MS = 3_600_000;

async function openBackend(): Promise<TestBackend> {
  const backend = await openTestBackend(temporaryFolder());
  onTestFinished(() => backend.close());
  return backend;
}

async function storeKeys(backend: TestBackend, issuer: TokenIssuer): Promise<void> {
  const settings = oidcSettings(issuer);
  const server = await startRegistry({ settings, backend, keep: true });
  await expect.poll(() => server.registry.store.issuers.get(issuer.issuer)).toBeDefined();
  await server.close();
}

async function statusWithout(backend: TestBackend, issuer: TokenIssuer): Promise<number> {
  const server = await startRegistry({ settings: oidcSettings(issuer), backend });
  return statusOf(server, issuer.mint());
}

async function statusOf(server: RegistryServer, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await server.request('/v1/whoami', { headers })).status;
}

describe('registry that starts while its issuer is unavailable', () => {
  test('verifies tokens with the keys stored by another process (SPEC-14)', async () => {
    const [issuer, backend] = [await startTokenIssuer(), await openBackend()];
    await storeKeys(backend, issuer);
    await issuer.stop();
    expect(await statusWithout(backend, issuer)).toBe(200);
  });

  test('uses only keys of its own issuer', async () => {
    const [issuer, other, backend] = [
      await startTokenIssuer(),
      await startTokenIssuer(),
      await openBackend(),
    ];
    await storeKeys(backend, other);
    await issuer.stop();
    expect(await statusWithout(backend, issuer)).toBe(503);
  });

  test.each([
    ['are more than an hour old', -HOUR_MS - 1000],
    ['have a time that is more than an hour in the future', 2 * HOUR_MS],
  ])('returns 503 if the stored keys %s', async (_, offset_ms) => {
    const [issuer, backend] = [await startTokenIssuer(), await openBackend()];
    await storeKeys(backend, issuer);
    await issuer.stop();
    const fetched_at = new Date(Date.now() + offset_ms).toISOString();
    await runDirectSql(backend.settings, `UPDATE issuer_keys SET fetched_at = '${fetched_at}'`);
    expect(await statusWithout(backend, issuer)).toBe(503);
  });
});
