import type { Config } from '../config/types.ts';
import { sessionTokens } from './session-token.ts';
import { viewerOf } from './subject-of.ts';
import { getTokens } from './token-store.ts';

/** Identifies the viewer without network access. An expired token is sufficient. */
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
