import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isAddress } from '../config/is-address.ts';
import type { Config } from '../config/types.ts';
import { readClaims } from './subject-of.ts';
import { findTokens, getTokens } from './token-store.ts';

/** State of the sign-in from the local token, which the registry has not verified. */
export type SignInState =
  | { kind: 'not-needed' }
  | { kind: 'signed-out' }
  | {
      kind: 'signed-in';
      /** Source of the token: `keychain`, `file`, or the name of an environment variable. */
      source: string;
      subject: string | undefined;
      /** Expiry in seconds since the epoch. */
      expires_at: number | undefined;
      renewable: boolean;
    }
  /** A token exists but cannot be read now. */
  | { kind: 'unreadable'; message: string };

export async function getSignInState(config: Config, signal?: AbortSignal): Promise<SignInState> {
  const { registry, identity } = config;
  if (registry === undefined || !isAddress(registry.value)) return { kind: 'not-needed' };
  if (identity.token !== undefined) {
    return stateOf(identity.token.value, identity.token.origin.name);
  }
  try {
    if (identity.provider.value === 'injected-session-token') {
      const { sessionTokens } = await import('./session-token.ts');
      const token = await sessionTokens(identity).token(signal);
      const { session_token_file: file, session_token_env } = identity;
      const source = file === undefined ? session_token_env.value : file.origin.name;
      return token === undefined ? { kind: 'signed-out' } : stateOf(token, source);
    }
    return await getStoredState(config, registry.value, signal);
  } catch (error) {
    if (error instanceof CatalogError) return { kind: 'unreadable', message: error.message };
    throw error;
  }
}

async function getStoredState(
  { identity }: Config,
  registry: string,
  signal?: AbortSignal,
): Promise<SignInState> {
  const { origin } = new URL(registry);
  const place = findTokens(identity, origin);
  const tokens = await getTokens(identity, origin, signal);
  if (place === undefined || tokens === undefined) return { kind: 'signed-out' };
  const { subject, expires_at, refresh_token } = tokens;
  return {
    kind: 'signed-in',
    source: place.kind,
    subject,
    expires_at,
    renewable: refresh_token !== undefined,
  };
}

function stateOf(token: string, source: string): SignInState {
  const { subject, expires_at } = readClaims(token) ?? {};
  return { kind: 'signed-in', source, subject, expires_at, renewable: false };
}
