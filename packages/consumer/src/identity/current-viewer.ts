import type { Config } from '../config/types.ts';
import { sessionTokens } from './session-token.ts';
import { viewerOf } from './subject-of.ts';
import { getTokens } from './token-store.ts';

/**
 * Whose view of the registry a cache may be asked for, found out without any network: an expired
 * token still says whose it was.
 */
export async function currentViewer(
  registry: string,
  { identity }: Pick<Config, 'identity'>,
  signal?: AbortSignal,
): Promise<string> {
  if (identity.token !== undefined) return viewerOf(identity.token.value);
  if (identity.provider.value === 'injected-session-token') {
    return viewerOf(await sessionTokens(identity).token(signal));
  }
  const tokens = await getTokens(identity, new URL(registry).origin, signal);
  return viewerOf(tokens?.access_token);
}
