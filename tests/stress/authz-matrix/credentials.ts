import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@catalog/server/config/settings';
import { newSigningKey, signToken, type SigningKey } from '@catalog/testkit/signing-key';
import { startTokenIssuer, TEST_AUDIENCE, type TokenIssuer } from '@catalog/testkit/token-issuer';
import { callers, type CallerKind, type Mode } from './dimensions.ts';
import { TENANT_NAMES } from './fixture.ts';

const PROXY_SECRET = 'between the proxy and the registry';
const RUNTIME = 'https://runtime.test';
const SCIM_TOKEN = 'the-token-of-the-directory';
const HOUR = 3600;

export interface Credentials {
  settings(mode: Mode): Partial<Settings>;
  headersOf(mode: Mode, caller: CallerKind): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openCredentials(folder: string): Promise<Credentials> {
  const issuer = await startTokenIssuer({ keep: true });
  const runtime = await newSigningKey('ES256');
  const stranger = await newSigningKey('ES256');
  const keys_path = join(folder, 'runtime-keys.json');
  const { algorithm, public_key_pem } = runtime;
  writeFileSync(keys_path, JSON.stringify([{ issuer: RUNTIME, algorithm, public_key_pem }]));
  // Signing takes longer than a cell, so each credential is cached.
  const made = new Map<string, Readonly<Record<string, string>>>();
  return {
    settings: (mode) => ({
      ...providerSettings(mode, issuer, keys_path),
      ...tenantSettings(mode),
      open_writes: mode.open_writes,
    }),
    headersOf(mode, caller) {
      const key = `${mode.name} ${caller.name}`;
      const before = made.get(key);
      if (before !== undefined) return before;
      const headers = {
        ...identityHeaders(mode, caller, { issuer, runtime, stranger }),
        ...browserHeaders(caller),
      };
      made.set(key, headers);
      return headers;
    },
    close: () => issuer.close(),
  };
}

function tenantSettings({ tenancy }: Mode): Partial<Settings> {
  return {
    multi_tenant: tenancy === 'multi',
    'scim.tokens': [tenancy === 'multi' ? `${TENANT_NAMES.home}=${SCIM_TOKEN}` : SCIM_TOKEN],
    operator_admins: callers.filter(({ operator }) => operator).map(({ subject }) => subject),
  };
}

function providerSettings(mode: Mode, issuer: TokenIssuer, keys_path: string): Partial<Settings> {
  const audience = { 'identity_provider.audience': [TEST_AUDIENCE] };
  const settings: Record<Mode['provider'], Partial<Settings>> = {
    none: {},
    public: { public_mode: true },
    'trusted-headers': {
      'identity_provider.type': 'trusted-headers',
      'identity_provider.proxy_secret': PROXY_SECRET,
    },
    'injected-session-token': {
      'identity_provider.type': 'injected-session-token',
      'identity_provider.runtime_keys_path': keys_path,
      ...audience,
    },
    'oidc-jwt': {
      'identity_provider.type': 'oidc-jwt',
      'identity_provider.issuer': issuer.issuer,
      ca_file: issuer.ca_file,
      'egress.allowed_hosts': ['127.0.0.1'],
      ...audience,
    },
  };
  return settings[mode.provider];
}

interface Signers {
  issuer: TokenIssuer;
  runtime: SigningKey;
  stranger: SigningKey;
}

function identityHeaders(
  { provider }: Mode,
  caller: CallerKind,
  { issuer, runtime, stranger }: Signers,
): Record<string, string> {
  if (caller.credential === 'none') return {};
  if (provider === 'trusted-headers') return trustedHeaders(caller);
  const key = provider === 'oidc-jwt' ? issuer.keys[0] : runtime;
  if (key === undefined) throw new Error('the issuer has no key');
  const forger = { ...stranger, kid: key.kid };
  const token = signToken(caller.credential === 'forged' ? forger : key, {
    ...(provider === 'oidc-jwt' ? { iss: issuer.issuer } : { iss: RUNTIME, act: { sub: RUNTIME } }),
    ...claimsOf(caller),
  });
  return { authorization: `Bearer ${token}` };
}

function trustedHeaders(caller: CallerKind): Record<string, string> {
  const organization = organizationOf(caller);
  return {
    'x-catalog-proxy-secret': caller.credential === 'good' ? PROXY_SECRET : 'a guess',
    'x-catalog-user-sub': caller.subject,
    ...(caller.email === '' ? {} : { 'x-catalog-user-email': caller.email }),
    ...(caller.groups.length === 0 ? {} : { 'x-catalog-user-groups': caller.groups.join(',') }),
    ...(organization === undefined ? {} : { 'x-catalog-user-org': organization }),
  };
}

function claimsOf(caller: CallerKind): object {
  const now = Math.floor(Date.now() / 1000);
  const organization = organizationOf(caller);
  return {
    aud: caller.credential === 'other-audience' ? 'https://elsewhere.test' : TEST_AUDIENCE,
    sub: caller.subject,
    iat: now - HOUR,
    exp: caller.credential === 'expired' ? now - HOUR / 2 : now + 10 * HOUR,
    ...(caller.email === '' ? {} : { email: caller.email }),
    ...(caller.email_verified === undefined ? {} : { email_verified: caller.email_verified }),
    ...(caller.groups.length === 0 ? {} : { groups: caller.groups }),
    ...(organization === undefined ? {} : { org_id: organization }),
    ...(caller.scope === undefined ? {} : { scope: caller.scope }),
  };
}

function organizationOf({ organization }: CallerKind): string | undefined {
  if (organization === 'none') return undefined;
  return organization === 'unknown' ? 'nobody' : TENANT_NAMES[organization];
}

function browserHeaders({ browser }: CallerKind): Record<string, string> {
  if (browser === undefined) return {};
  return browser === 'foreign-origin'
    ? { origin: 'https://evil.example' }
    : { 'sec-fetch-site': browser };
}
