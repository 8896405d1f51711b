import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { installDex } from '../../../tools/services/dex-program.ts';
import { freePort } from '../../../tools/services/free-port.ts';
import { startServer, stopServer, waitUntilReady } from '../../../tools/services/server-process.ts';
import { approveDevice } from './approve-device.ts';
import { createCertificateAuthority, type CertificateAuthority } from './certificate-authority.ts';
import { exchange } from './http-exchange.ts';
import {
  CLI_CLIENT_ID,
  PROVIDER_PASSWORD,
  PROVIDER_USERS,
  registrySettings,
  WEB_CLIENT,
  type ProviderServer,
} from './provider-users.ts';

export interface DexOptions {
  authority?: CertificateAuthority;
  redirect_uris?: readonly string[];
  token_seconds?: number;
  /** True if the caller closes the server; otherwise the end of the test does. */
  keep?: true;
}

/** Bcrypt hash of `PROVIDER_PASSWORD`, from the documentation of Dex. */
const PASSWORD_HASH = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W';
const TOKEN_SECONDS = 3600;

/**
 * Starts Dex as an identity provider. Its access tokens are for the client that requested them, its subjects are
 * opaque, and it has no organizations.
 */
export async function startDex(options: DexOptions = {}): Promise<ProviderServer> {
  const authority = options.authority ?? (await createCertificateAuthority());
  const folder = mkdtempSync(join(tmpdir(), 'catalog-dex-'));
  const port = await freePort();
  const issuer = `https://127.0.0.1:${port}/dex`;
  const { program, web } = await installDex();
  const files = await authority.issueFiles(folder);
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(configuration({ issuer, port, web, ...files }, options)));
  const log = join(folder, 'log');
  const running = await startServer({
    program,
    words: ['serve', file],
    cwd: folder,
    log,
    shared: false,
  });
  await waitUntilReady(running, log, () => isResponding(issuer, authority.cert));

  async function close(): Promise<void> {
    await stopServer(running, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }

  const started: ProviderServer = {
    issuer,
    ca: authority.cert,
    ca_file: authority.writeCert(folder),
    audience: [WEB_CLIENT.id, CLI_CLIENT_ID],
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device/code`,
    settings: (redirect_uri) => ({
      ...registrySettings(started, redirect_uri),
      'identity_provider.subject_claim': 'preferred_username',
    }),
    credentialsOf: (name) => ({ login: `${name}@example.com`, password: PROVIDER_PASSWORD }),
    approveDevice: (complete, name) =>
      approveDevice(complete, authority.cert, started.credentialsOf(name)),
    close,
  };
  if (options.keep !== true) onTestFinished(close);
  return started;
}

interface Place {
  issuer: string;
  port: number;
  web: string;
  cert_file: string;
  key_file: string;
}

function configuration(place: Place, options: DexOptions): Record<string, unknown> {
  return {
    issuer: place.issuer,
    storage: { type: 'memory' },
    web: {
      https: `127.0.0.1:${place.port}`,
      tlsCert: place.cert_file,
      tlsKey: place.key_file,
    },
    frontend: { dir: place.web },
    logger: { level: 'warn' },
    expiry: {
      idTokens: `${options.token_seconds ?? TOKEN_SECONDS}s`,
      // The in-memory store of Dex hangs when it rotates a refresh token.
      refreshTokens: { disableRotation: true, reuseInterval: '24h' },
    },
    oauth2: { skipApprovalScreen: true, passwordConnector: 'local' },
    staticClients: [
      {
        id: WEB_CLIENT.id,
        name: 'Catalog, in the browser',
        secret: WEB_CLIENT.secret,
        redirectURIs: options.redirect_uris ?? [],
      },
      {
        id: CLI_CLIENT_ID,
        name: 'Catalog, on the command line',
        public: true,
        redirectURIs: ['/device/callback', `${new URL(place.issuer).pathname}/device/callback`],
      },
    ],
    enablePasswordDB: true,
    staticPasswords: PROVIDER_USERS.map(({ name, email, groups }) => ({
      email,
      hash: PASSWORD_HASH,
      username: name,
      preferredUsername: name,
      userID: `id-of-${name}`,
      groups,
    })),
  };
}

async function isResponding(issuer: string, ca: string): Promise<boolean> {
  const { origin, pathname } = new URL(issuer);
  try {
    const path = `${pathname}/.well-known/openid-configuration`;
    return (await exchange(origin, path, { ca })).status === 200;
  } catch {
    return false;
  }
}
