import { IncomingMessage } from 'node:http';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { Socket } from 'node:net';
import type { IdentityVerdict, VerifiedIdentity } from '@catalog/core/identity/caller';
import { resolveHost } from '@catalog/server/adapters/egress/check-address';
import { createSendRequest, type SendRequest } from '@catalog/server/adapters/egress/send-request';
import { loadSettings } from '@catalog/server/config/load';
import type { Settings } from '@catalog/server/config/settings';
import type { StoredKeys } from '@catalog/server/identity/oidc/stored-keys';
import { openIdentityProvider } from '@catalog/server/identity/open-provider';
import type { IdentityProvider } from '@catalog/server/identity/provider';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';
import { TEST_AUDIENCE, type TokenIssuer } from './token-issuer.ts';

export function oidcSettings({ issuer, ca_file }: TokenIssuer): Partial<Settings> {
  return {
    'identity_provider.type': 'oidc-jwt',
    'identity_provider.issuer': issuer,
    'identity_provider.audience': [TEST_AUDIENCE],
    ca_file,
  };
}

export interface ProviderInTest {
  provider: IdentityProvider;
  advanceClocks: (ms: number) => void;
  identify: (...headers: (readonly [name: string, value: string])[]) => Promise<IdentityVerdict>;
  identifyToken: (token: string) => Promise<IdentityVerdict>;
  /** Verifies a token. Throws if it is rejected. */
  accepted: (token: string) => Promise<VerifiedIdentity>;
  /** Returns the error code of a token; `subject` or `anonymous` if it is accepted. */
  codeOf: (token: string) => Promise<string>;
  log: string[];
}

const NO_STORED_KEYS: StoredKeys = {
  load: async () => undefined,
  save: async () => undefined,
};

/** Opens an identity provider like a server, without a registry. */
export function openProviderInTest(
  settings: Partial<Settings>,
  stored: StoredKeys = NO_STORED_KEYS,
): ProviderInTest {
  const folder = temporaryFolder();
  const loaded = loadSettings({ cwd: folder, home: folder, env: {}, flags: {} }).settings;
  const log: string[] = [];
  let passed = 0;
  const provider = openIdentityProvider(
    { ...loaded, ...settings },
    {
      send: sendAnywhere(settings.ca_file),
      stored,
      now: () => new Date(Date.now() + passed),
      monotonicMs: () => performance.now() + passed,
    },
  );
  onTestFinished(() => provider.close());
  const write = (fields: object, message: string): void => {
    log.push(JSON.stringify({ ...fields, message }));
  };
  void provider.prepare({ info: write, warn: write });

  async function identify(
    ...headers: (readonly [name: string, value: string])[]
  ): Promise<IdentityVerdict> {
    return provider.identify(requestWith(headers));
  }

  function identifyToken(token: string): Promise<IdentityVerdict> {
    return identify(['Authorization', `Bearer ${token}`]);
  }

  return {
    provider,
    advanceClocks: (ms) => (passed += ms),
    identify,
    identifyToken,
    async accepted(token) {
      const verdict = await identifyToken(token);
      if (verdict.kind === 'subject') return verdict;
      throw new Error(`the token was not accepted: ${JSON.stringify(verdict)}`);
    },
    async codeOf(token) {
      try {
        const verdict = await identifyToken(token);
        return verdict.kind === 'refused' ? verdict.code : verdict.kind;
      } catch (error) {
        if (error instanceof CatalogError) return error.code;
        throw error;
      }
    },
    log,
  };
}

/** Returns a sender without restrictions, so that a forbidden request would arrive. */
function sendAnywhere(ca_file: string | undefined): SendRequest {
  const proxy = { http: undefined, https: undefined, except: [] };
  return createSendRequest({ allowed_hosts: ['*'], proxy, ca_file }, resolveHost);
}

function requestWith(headers: readonly (readonly [string, string])[]): IncomingMessage {
  const incoming = new IncomingMessage(new Socket());
  for (const [name, value] of headers) {
    incoming.rawHeaders.push(name, value);
    const key = name.toLowerCase();
    const before = incoming.headers[key];
    incoming.headers[key] = before === undefined ? value : `${String(before)}, ${value}`;
  }
  return incoming;
}
