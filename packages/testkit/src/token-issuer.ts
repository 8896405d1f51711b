import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort, listenOn } from '../../../tools/services/free-port.ts';
import { createCertificateAuthority, type CertificateAuthority } from './certificate-authority.ts';
import { newSigningKey, signToken, type SigningKey, type TokenHeader } from './signing-key.ts';
import { sendJson } from './fake-server.ts';

export const TEST_AUDIENCE = 'https://catalog.test';

export interface TokenIssuerOptions {
  authority?: CertificateAuthority;
  algorithm?: string;
  /** True if the caller closes the issuer; otherwise the end of the test does. */
  keep?: true;
}

/** Claims of a token; undefined ones are left out. */
export type Claims = Readonly<Record<string, unknown>>;

export interface MintOptions {
  key?: SigningKey;
  /** Overrides `alg`, `kid` and `typ` of the header. */
  header?: TokenHeader;
}

export interface TokenIssuer {
  /** Issuer as an HTTPS URL without a trailing slash. */
  issuer: string;
  authority: CertificateAuthority;
  /** Value for the setting `ca_file`. */
  ca_file: string;
  /** Keys, oldest first; a test can change the list. */
  keys: SigningKey[];
  /** Members that the discovery document has in addition to or instead of `issuer` and `jwks_uri`. */
  discovery: Record<string, unknown>;
  requests: string[];
  keySetRequests(): number;
  /** Replaces a response; returns true if it did. */
  overrideResponse: ((path: string, response: ServerResponse) => boolean) | undefined;
  rotate(algorithm?: string): Promise<SigningKey>;
  remove(kid: string): void;
  /** Signs a token for `TEST_AUDIENCE` that expires in ten minutes, unless `claims` differ. */
  mint(claims?: Claims, options?: MintOptions): string;
  stop(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

const LIFETIME_SECONDS = 600;

export async function startTokenIssuer(options: TokenIssuerOptions = {}): Promise<TokenIssuer> {
  const authority = options.authority ?? (await createCertificateAuthority());
  const certificate = await authority.issue();
  const keys = [await newSigningKey(options.algorithm ?? 'ES256')];
  const folder = mkdtempSync(join(tmpdir(), 'catalog-issuer-'));
  const requests: string[] = [];
  let server: Server | undefined;

  async function listen(port: number): Promise<Server> {
    const listening = createServer(certificate, ({ url: path = '' }, response) => {
      requests.push(path);
      if (issuing.overrideResponse?.(path, response) === true) return;
      if (path === '/.well-known/openid-configuration') sendJson(response, discoveryOf(issuing));
      else if (path === '/keys') sendJson(response, { keys: keys.map(({ jwk }) => jwk) });
      else sendJson(response, { error: 'not_found' }, { status: 404 });
    });
    await listenOn(listening, port);
    return listening;
  }

  async function takeDown(): Promise<void> {
    const open = server;
    server = undefined;
    await new Promise<void>((resolve) => {
      if (open === undefined) return resolve();
      open.close(() => resolve());
      open.closeAllConnections();
    });
  }

  async function close(): Promise<void> {
    await takeDown();
    await rm(folder, { recursive: true, force: true });
  }

  server = await listen(await freePort());
  const port = portOf(server);
  const issuing: TokenIssuer = {
    issuer: `https://127.0.0.1:${port}`,
    authority,
    ca_file: authority.writeCert(folder),
    keys,
    discovery: {},
    requests,
    keySetRequests: () => requests.filter((path) => path === '/keys').length,
    overrideResponse: undefined,
    async rotate(algorithm = options.algorithm ?? 'ES256') {
      const key = await newSigningKey(algorithm);
      keys.push(key);
      return key;
    },
    remove(kid) {
      const at = keys.findIndex((key) => key.kid === kid);
      if (at !== -1) keys.splice(at, 1);
    },
    mint(claims = {}, { key = keys.at(-1), header = {} } = {}) {
      if (key === undefined) throw new Error('The issuer has no key to sign with.');
      return signToken(key, { ...usualClaims(issuing.issuer), ...claims }, header);
    },
    stop: takeDown,
    async restart() {
      server ??= await listen(port);
    },
    close,
  };
  if (options.keep !== true) onTestFinished(close);
  return issuing;
}

function discoveryOf({ issuer, discovery }: TokenIssuer): Record<string, unknown> {
  return {
    issuer,
    jwks_uri: `${issuer}/keys`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    ...discovery,
  };
}

function usualClaims(iss: string): Claims {
  const iat = Math.floor(Date.now() / 1000);
  return { iss, aud: TEST_AUDIENCE, sub: 'joan', iat, exp: iat + LIFETIME_SECONDS };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  return address.port;
}
