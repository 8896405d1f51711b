import { getQuota, grantAdmin, listAdmins } from '@catalog/contract/endpoints/access';
import { catalog, searchArtifacts } from '@catalog/contract/endpoints/discovery';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import {
  listLayers,
  registerLayer,
  reingestLayer,
  reorderLayers,
  restoreLayer,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { events } from '@catalog/contract/endpoints/operations';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { startTokenIssuer, TEST_AUDIENCE, type TokenIssuer } from '@catalog/testkit/token-issuer';
import { newSigningKey } from '@catalog/testkit/signing-key';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const READS: readonly Endpoint[] = [searchArtifacts, catalog, getQuota, listLayers];
const LAYER_WRITES: readonly [Endpoint, EndpointOptions][] = [
  [registerLayer, { body: { id: 'own', source_type: 'git', repo: 'https://git.example/x.git' } }],
  [updateLayer, { query: { id: 'own' }, body: { ref: 'next' } }],
  [unregisterLayer, { query: { id: 'own' } }],
  [restoreLayer, { query: { id: 'own' } }],
  [reingestLayer, { query: { id: 'own' } }],
];
const REORDER = { body: { order: ['own'] } };

let issuer: TokenIssuer;
let server: RegistryServer;
let refused: [code: string, token: string][];

beforeAll(async () => {
  issuer = await startTokenIssuer({ keep: true });
  server = await startRegistry({
    keep: true,
    settings: {
      'identity_provider.type': 'oidc-jwt',
      'identity_provider.issuer': issuer.issuer,
      'identity_provider.audience': [TEST_AUDIENCE],
      ca_file: issuer.ca_file,
      bootstrap_admins: ['root'],
    },
  });
  const past = Math.floor(Date.now() / 1000) - 3600;
  refused = [
    ['auth.token_expired', issuer.mint({ sub: 'root', exp: past })],
    ['auth.untrusted_token', issuer.mint({ sub: 'root' }, { key: await newSigningKey('ES256') })],
    ['auth.untrusted_token', issuer.mint({ sub: 'root', aud: 'https://other.test' })],
  ];
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function ask(token: string, row: Endpoint, options: EndpointOptions = {}) {
  return server.request(row, { ...options, headers: bearer(token) });
}

describe('a credential that fails verification', () => {
  verifies(
    ['LREAD-04', 'EVENT-36'],
    'is rejected with its own code by reads, lists, events and admin routes',
    async () => {
      for (const [code, token] of refused) {
        for (const row of [...READS, events, listAdmins]) {
          expect(await ask(token, row), row.name).toMatchObject({ status: 401, body: { code } });
        }
        const grant = await ask(token, grantAdmin, { body: { user_id: 'eve' } });
        expect(grant).toMatchObject({ status: 401, body: { code } });
      }
    },
  );

  verifies('LAUTH-12', 'is rejected by a reorder before its authorization rules', async () => {
    for (const [code, token] of refused) {
      const answer = await ask(token, reorderLayers, REORDER);
      expect(answer).toMatchObject({ status: 401, body: { code } });
    }
  });

  verifies('LAUTH-13', 'authorizes no other layer write', async () => {
    for (const [, token] of refused) {
      for (const [row, options] of LAYER_WRITES) {
        expect(await ask(token, row, options), row.name).toMatchObject({
          status: 403,
          body: { code: 'auth.forbidden', details: {} },
        });
      }
    }
    expect(await server.registry.store.layers.list(1)).toEqual([]);
  });

  verifies('EVENT-36', 'an accepted credential passes the same requests', async () => {
    const token = issuer.mint({ sub: 'ann' });
    const stream = await server.open('/v1/events', { headers: bearer(token) });
    expect(stream.status).toBe(200);
    stream.close();
    for (const row of READS) expect((await ask(token, row)).status, row.name).toBe(200);
    const [first] = LAYER_WRITES;
    expect((await ask(token, registerLayer, first?.[1])).status).toBe(201);
    expect((await ask(token, reorderLayers, REORDER)).status).toBe(200);
  });
});

test('an open stream ends at the first check after its token expires', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const exp = Math.floor(Date.now() / 1000) + 600;
  const headers = bearer(issuer.mint({ sub: 'ann', exp }));
  const stream = await server.open('/v1/events', { headers });
  let isOpen = true;
  void (async () => {
    while ((await stream.next()) !== undefined);
    isOpen = false;
  })();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isOpen).toBe(true);
  vi.setSystemTime((exp + 120) * 1000);
  // A check that started before the clock changed may still be in progress.
  const afterCheck = async (): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(1000);
    return isOpen;
  };
  await expect.poll(afterCheck, { timeout: 10_000 }).toBe(false);
});
