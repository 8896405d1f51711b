import { session } from '@catalog/contract/endpoints/browser';
import { grantAdmin } from '@catalog/contract/endpoints/access';
import { listLayers, registerLayer } from '@catalog/contract/endpoints/layers';
import { posture, type Posture } from '@catalog/contract/records/access';
import type { Settings } from '@catalog/server/config/settings';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { newSigningKey } from '@catalog/testkit/signing-key';
import { errorOf } from '@catalog/testkit/checked-response';
import { startTokenIssuer, TEST_AUDIENCE, type TokenIssuer } from '@catalog/testkit/token-issuer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const REDIRECT = 'https://catalog.test/v1/ui/auth/callback';

let issuer: TokenIssuer;
let server: RegistryServer;

function settings(): Partial<Settings> {
  return {
    'identity_provider.type': 'oidc-jwt',
    'identity_provider.issuer': issuer.issuer,
    'identity_provider.audience': [TEST_AUDIENCE],
    ca_file: issuer.ca_file,
    bootstrap_admins: ['joan'],
    'web_ui.enabled': true,
    'web_ui.auth': true,
    'web_ui.oauth_client_id': 'the-client',
    'web_ui.oauth_client_secret': 'the-client-secret',
    'web_ui.redirect_uri': REDIRECT,
    'web_ui.oauth_authorization_endpoint': `${issuer.issuer}/authorize`,
    'web_ui.oauth_token_endpoint': `${issuer.issuer}/token`,
  };
}

beforeAll(async () => {
  issuer = await startTokenIssuer({ keep: true });
  server = await startRegistry({ keep: true, settings: settings() });
});
afterAll(async () => {
  await server?.close();
  await issuer?.close();
});

type Headers = Record<string, string>;

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

function ask(headers: Headers = {}, registry = server): Promise<Posture> {
  return registry.call(session, { headers });
}

const BASE = {
  identity_provider_configured: true,
  public_mode: false,
  browser_auth: {
    enabled: true,
    sign_in_path: '/v1/ui/auth/sign-in',
    sign_out_path: '/v1/ui/auth/sign-out',
  },
} as const;
const ANONYMOUS = { ...BASE, layer_capabilities: { manage_any_layer: false } };

async function credentials(): Promise<[state: string, headers: Headers, answer: Posture][]> {
  const stranger = await newSigningKey('ES256');
  const past = Math.floor(Date.now() / 1000) - 3600;
  const good = issuer.mint({ sub: 'bob', email: 'bob@example.com' });
  const bob: Posture = { ...ANONYMOUS, subject: 'bob', email: 'bob@example.com' };
  return [
    ['none', {}, ANONYMOUS],
    ['a good bearer', bearer(good), bob],
    ['a good cookie', { cookie: `__Host-catalog_session=${good}` }, bob],
    [
      'an admin',
      bearer(issuer.mint()),
      { ...BASE, subject: 'joan', layer_capabilities: { manage_any_layer: true } },
    ],
    ['no e-mail', bearer(issuer.mint({ sub: 'bob', email: '' })), { ...ANONYMOUS, subject: 'bob' }],
    ['expired', bearer(issuer.mint({ exp: past, iat: past - 60 })), ANONYMOUS],
    ['forged', bearer(issuer.mint({}, { key: stranger })), ANONYMOUS],
    ['for another audience', bearer(issuer.mint({ aud: 'https://other.test' })), ANONYMOUS],
    ['of another issuer', bearer(issuer.mint({ iss: 'https://evil.example' })), ANONYMOUS],
    ['no token at all', bearer('not-a-token'), ANONYMOUS],
    ['of another scheme', { authorization: 'Basic am9hbjpqb2Fu' }, ANONYMOUS],
    [
      'a bad bearer beside a good cookie',
      { ...bearer('not-a-token'), cookie: `__Host-catalog_session=${good}` },
      ANONYMOUS,
    ],
  ];
}

describe('GET /v1/ui/session', () => {
  verifies(
    [
      'POSTURE-01',
      'POSTURE-02',
      'POSTURE-03',
      'POSTURE-08',
      'POSTURE-09',
      'POSTURE-10',
      'POSTURE-15',
    ],
    'returns the same few fields for twelve credential states and rejects none',
    async () => {
      const states = await credentials();
      expect(states).toHaveLength(12);
      for (const [state, headers, answer] of states) {
        const { status, body, raw, headers: sent } = await server.request(session, { headers });
        expect([status, body], state).toEqual([200, answer]);
        expect(sent['cache-control']).toBe('no-store');
        for (const word of [issuer.issuer, 'the-client', TEST_AUDIENCE, REDIRECT, 'oidc']) {
          expect(raw.toString(), state).not.toContain(word);
        }
        if (answer.subject !== 'joan') expect(raw.toString()).not.toContain('joan');
      }
      const keys = states.map(([, , answer]) => Object.keys(answer).sort().join(' '));
      expect([...new Set(keys)].sort()).toEqual([
        'browser_auth email identity_provider_configured layer_capabilities public_mode subject',
        'browser_auth identity_provider_configured layer_capabilities public_mode',
        'browser_auth identity_provider_configured layer_capabilities public_mode subject',
      ]);
      expect(posture.safeParse({ ...ANONYMOUS, issuer: issuer.issuer }).success).toBe(false);
    },
  );

  verifies(
    ['POSTURE-04', 'POSTURE-05', 'POSTURE-06', 'POSTURE-07', 'POSTURE-12'],
    'distinguishes open, public and authenticating registries by booleans',
    async () => {
      const open = await startRegistry({ settings: { 'web_ui.enabled': true } });
      expect(await ask({}, open)).toEqual({
        identity_provider_configured: false,
        public_mode: false,
        browser_auth: { enabled: false },
        layer_capabilities: { manage_any_layer: true },
      });
      expect(await ask(bearer(issuer.mint()), open)).not.toHaveProperty('subject');
      const shown = await startRegistry({
        settings: { 'web_ui.enabled': true, public_mode: true },
      });
      expect(await ask({}, shown)).toEqual({
        identity_provider_configured: false,
        public_mode: true,
        browser_auth: { enabled: false },
        layer_capabilities: { manage_any_layer: true },
      });
      const behind = await startRegistry({
        settings: {
          'web_ui.enabled': true,
          'identity_provider.type': 'trusted-headers',
          'identity_provider.proxy_secret': 'of the proxy',
        },
      });
      const asserted = { 'x-catalog-proxy-secret': 'of the proxy', 'x-catalog-user-sub': 'bob' };
      expect(await ask(asserted, behind)).toEqual({
        identity_provider_configured: true,
        public_mode: false,
        browser_auth: { enabled: false },
        subject: 'bob',
        layer_capabilities: { manage_any_layer: false },
      });
    },
  );

  verifies(
    'POSTURE-11',
    'predicts administrator access from the role in the next request',
    async () => {
      const headers = bearer(issuer.mint({ sub: 'carla' }));
      expect((await ask(headers)).layer_capabilities).toEqual({ manage_any_layer: false });
      const joan = bearer(issuer.mint());
      await server.call(grantAdmin, { body: { user_id: 'carla' }, headers: joan });
      expect((await ask(headers)).layer_capabilities).toEqual({ manage_any_layer: true });
    },
  );

  verifies('POSTURE-13', 'predicts no access if the store is unavailable', async () => {
    const offline = await startRegistry({ settings: settings() });
    expect(await ask({}, offline)).toEqual(ANONYMOUS);
    await offline.registry.store.close();
    const { status, body } = await offline.request(session, { headers: bearer(issuer.mint()) });
    expect([status, body]).toEqual([200, { ...ANONYMOUS, subject: 'joan' }]);
    const refused = await offline.request(listLayers, { headers: bearer(issuer.mint()) });
    expect(refused.status).toBe(500);
  });

  verifies(
    'POSTURE-14',
    'is only a prediction, because each operation authorizes separately',
    async () => {
      const headers = bearer(issuer.mint({ sub: 'bob' }));
      expect((await ask(headers)).layer_capabilities).toEqual({ manage_any_layer: false });
      // The owner of the layer needs no administrator role.
      const git = { source_type: 'git', repo: 'https://git.example.com/bob.git' };
      const own = await server.request(registerLayer, { body: { id: 'of-bob', ...git }, headers });
      expect(own.status).toBe(201);
      const joan = bearer(issuer.mint());
      expect((await ask(joan)).layer_capabilities).toEqual({ manage_any_layer: true });
      const bad = await server.request(registerLayer, { body: { id: 'x y' }, headers: joan });
      expect(errorOf(bad.body)?.code).toBe('registry.invalid_argument');
    },
  );

  test('an unknown organization keeps the subject and has no capability', async () => {
    const several = await startRegistry({
      settings: { ...settings(), multi_tenant: true, bootstrap_admins: ['acme=joan'] },
    });
    const at = (org_id: string): Headers => bearer(issuer.mint({ org_id }));
    expect(await ask(at('acme'), several)).toMatchObject({
      subject: 'joan',
      layer_capabilities: { manage_any_layer: true },
    });
    expect(await ask(at('nowhere'), several)).toEqual({ ...ANONYMOUS, subject: 'joan' });
    expect(await ask({}, several)).toEqual(ANONYMOUS);
  });
});
