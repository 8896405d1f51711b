import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration, Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../tools/services/free-port.ts';
import { approveDevice } from './approve-device.ts';
import { createCertificateAuthority, type CertificateAuthority } from './certificate-authority.ts';
import {
  CLI_CLIENT_ID,
  PROVIDER_PASSWORD,
  PROVIDER_USERS,
  registrySettings,
  WEB_CLIENT,
  type ProviderServer,
} from './provider-users.ts';
import { newSigningKey } from './signing-key.ts';
import { TEST_AUDIENCE } from './token-issuer.ts';

export interface OidcProviderOptions {
  authority?: CertificateAuthority;
  redirect_uris?: readonly string[];
  audience?: string;
  /** Clients whose tokens have the client as their subject. */
  workloads?: readonly string[];
  token_seconds?: number;
  /** Claims in addition to those of a user. */
  claims?: Readonly<Record<string, unknown>>;
  /** True if the caller closes the server; otherwise the end of the test does. */
  keep?: true;
}

export interface OidcProviderServer extends ProviderServer {
  requests: string[];
  exchanges: URLSearchParams[];
  /** Replaces a response; returns true if it did. */
  overrideResponse: ((incoming: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

const TOKEN_SECONDS = 3600;
const DAY_SECONDS = 86_400;
const SCOPES = ['openid', 'offline_access', 'profile', 'email', 'groups'];

/** Starts `oidc-provider`, which is certified for the standards. */
export async function startOidcProvider(
  options: OidcProviderOptions = {},
): Promise<OidcProviderServer> {
  const authority = options.authority ?? (await createCertificateAuthority());
  const folder = mkdtempSync(join(tmpdir(), 'catalog-oidc-provider-'));
  const port = await freePort();
  const issuer = `https://127.0.0.1:${port}`;
  const provider = await makeProvider(issuer, options);
  const answer = provider.callback();
  const requests: string[] = [];
  const exchanges: URLSearchParams[] = [];
  const server = createServer(await authority.issue(), (incoming, response) => {
    const { method = '', url = '' } = incoming;
    requests.push(`${method} ${url}`);
    if (started.overrideResponse?.(incoming, response) === true) return;
    if (url.startsWith('/login/')) void login(provider, incoming, response);
    else void answer(incoming, response);
  });
  provider.on('grant.success', ({ oidc }) => exchanges.push(toForm(oidc.body)));
  provider.on('grant.error', ({ oidc }) => exchanges.push(toForm(oidc.body)));
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });

  async function close(): Promise<void> {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    await rm(folder, { recursive: true, force: true });
  }

  const started: OidcProviderServer = {
    issuer,
    ca: authority.cert,
    ca_file: authority.writeCert(folder),
    audience: [options.audience ?? TEST_AUDIENCE],
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device/auth`,
    settings: (redirect_uri) => registrySettings(started, redirect_uri),
    credentialsOf: (name) => ({ login: name, password: PROVIDER_PASSWORD }),
    approveDevice: (complete, name) =>
      approveDevice(complete, authority.cert, started.credentialsOf(name)),
    requests,
    exchanges,
    overrideResponse: undefined,
    close,
  };
  if (options.keep !== true) onTestFinished(close);
  return started;
}

async function makeProvider(issuer: string, options: OidcProviderOptions): Promise<Provider> {
  const { Provider: Made } = await import('oidc-provider');
  const { private_key, kid, algorithm } = await newSigningKey('ES256');
  const { audience = TEST_AUDIENCE, workloads = [] } = options;
  const key = { ...private_key.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' };
  const configuration: Configuration = {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: WEB_CLIENT.id,
        client_secret: WEB_CLIENT.secret,
        redirect_uris: [...(options.redirect_uris ?? [])],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
      {
        client_id: CLI_CLIENT_ID,
        token_endpoint_auth_method: 'none',
        redirect_uris: [],
        response_types: [],
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
      ...workloads.map((client_id) => ({
        client_id,
        client_secret: WEB_CLIENT.secret,
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
        id_token_signed_response_alg: 'ES256' as const,
      })),
    ],
    scopes: SCOPES,
    claims: { openid: ['sub'], email: ['email'], groups: ['groups'], profile: ['name'] },
    cookies: { keys: ['of the tests'] },
    ttl: {
      AccessToken: options.token_seconds ?? TOKEN_SECONDS,
      AuthorizationCode: 600,
      ClientCredentials: TOKEN_SECONDS,
      DeviceCode: 600,
      Grant: DAY_SECONDS,
      IdToken: TOKEN_SECONDS,
      Interaction: 600,
      RefreshToken: DAY_SECONDS,
      Session: DAY_SECONDS,
    },
    rotateRefreshToken: true,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...claimsOf(id) }),
    }),
    extraTokenClaims: (_context, token) =>
      'accountId' in token ? { ...claimsOf(token.accountId ?? ''), ...options.claims } : {},
    loadExistingGrant: async ({ oidc }) => grantAll(oidc.provider, oidc, audience),
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: workloads.length > 0 },
      revocation: { enabled: true },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: (context, form) => {
          context.body = page('Enter the code of your device', form);
        },
        userCodeConfirmSource: (context, form, _client, _device, code) => {
          context.body = page(`Is this the code of your device: ${code}?`, form);
        },
        successSource: (context) => {
          context.body = page('The device may go on', '');
        },
      },
      resourceIndicators: {
        enabled: true,
        // A client that requests no audience gets a token for the registry too.
        defaultResource: (_context, _client, requested) => requested ?? audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: SCOPES.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  };
  return new Made(issuer, configuration);
}

/** Grants all scopes without a page for consent. */
async function grantAll(
  provider: Provider,
  oidc: {
    account?: { accountId: string } | undefined;
    client?: { clientId: string } | undefined;
    params?: Record<string, unknown> | undefined;
  },
  audience: string,
): Promise<InstanceType<Provider['Grant']>> {
  const { account, client } = oidc;
  const grant = new provider.Grant({
    accountId: account?.accountId ?? '',
    clientId: client?.clientId ?? '',
  });
  grant.addOIDCScope(SCOPES.join(' '));
  const requested = oidc.params?.['resource'];
  grant.addResourceScope(typeof requested === 'string' ? requested : audience, SCOPES.join(' '));
  await grant.save();
  return grant;
}

function claimsOf(name: string): Record<string, unknown> {
  const user = PROVIDER_USERS.find((candidate) => candidate.name === name);
  return user === undefined
    ? {}
    : { email: user.email, email_verified: true, groups: user.groups, org_id: user.org_id };
}

async function login(
  provider: Provider,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (incoming.method !== 'POST') {
    const refuses = incoming.url?.endsWith('/abort') === true;
    if (refuses) {
      await provider.interactionFinished(incoming, response, { error: 'access_denied' });
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(page('Sign in', LOGIN_FORM.replace('ABORT', `${incoming.url ?? ''}/abort`)));
    return;
  }
  const form = new URLSearchParams(await readText(incoming));
  const accountId = form.get('login') ?? '';
  const isKnown = PROVIDER_USERS.some(({ name }) => name === accountId);
  const result =
    isKnown && form.get('password') === PROVIDER_PASSWORD
      ? { login: { accountId } }
      : { error: 'access_denied', error_description: 'unknown user or wrong password' };
  await provider.interactionFinished(incoming, response, result);
}

const LOGIN_FORM = `<form method="post">
<label>User <input name="login" type="text" autofocus></label>
<label>Password <input name="password" type="password"></label>
<button type="submit">Sign in</button>
</form>
<a href="ABORT">Cancel</a>`;

function page(title: string, inside: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${inside}</html>`;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function toForm(body: unknown): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  return form;
}
