import {
  getLinkedFingerprint,
  sameFingerprint,
  type Fingerprint,
} from '@catalog/core/node/fingerprint';
import type { TokenSource } from '@catalog/sdk/connection';
import { now } from '../clock.ts';
import type { Config } from '../config/types.ts';
import { openNodeTransport } from '../source/node-transport.ts';
import { credentialPath } from './credential-files.ts';
import type { IdentityOptions } from './identity-options.ts';
import { isFresh, type StoredTokens } from './stored-tokens.ts';
import { findTokens, getTokens } from './token-store.ts';

/**
 * Returns a source of the user's tokens. They are read again when they expire or their file changes, because another
 * command may have renewed them. Without tokens, one sign-in is started if a user is present.
 */
export function deviceTokens(
  registry: string,
  { identity, proxy }: Config,
  { signIn }: IdentityOptions,
): TokenSource {
  const { origin } = new URL(registry);
  const file = credentialPath(identity.folder, origin);
  let seen: Fingerprint | undefined;
  let tokens: StoredTokens | undefined;
  let sign_in: Promise<void> | undefined;
  let renewing: Promise<string> | undefined;

  async function load(signal?: AbortSignal): Promise<StoredTokens | undefined> {
    if (findTokens(identity, origin) === undefined) {
      sign_in ??= signIn?.(registry);
      await sign_in;
    }
    return getTokens(identity, origin, signal);
  }

  function renew(old_token: string, signal?: AbortSignal): Promise<string> {
    async function run(): Promise<string> {
      const { refreshTokens } = await import('./refresh-tokens.ts');
      const transport = openNodeTransport(proxy);
      // The stored tokens may have changed.
      tokens = undefined;
      tokens = await refreshTokens(identity, origin, old_token, transport, signal);
      return tokens.access_token;
    }
    renewing ??= run().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  return {
    async token(signal) {
      const found = getLinkedFingerprint(file);
      if (!sameFingerprint(found, seen)) tokens = undefined;
      seen = found;
      if (tokens === undefined || !isFresh(tokens, now())) tokens = await load(signal);
      if (tokens === undefined || isFresh(tokens, now())) return tokens?.access_token;
      return renew(tokens.access_token, signal);
    },
    refused: (token, signal) => renew(token, signal),
    advice: `Sign in with \`catalog login --registry ${registry}\`.`,
  };
}
