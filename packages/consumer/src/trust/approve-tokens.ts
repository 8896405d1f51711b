import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { TokenSource } from '@catalog/sdk/connection';
import type { Config } from '../config/types.ts';
import { approve, type Approved } from './approved.ts';

export type ApprovedTokens = Approved<TokenSource>;

export function issuedForRegistry(tokens: TokenSource): ApprovedTokens {
  return approve(tokens);
}

/**
 * Approves tokens from the environment for a registry that the environment, a flag or the user's own file names. A file
 * of a clone cannot choose their recipient (T51).
 */
export function forNamedRegistry(
  tokens: TokenSource,
  config: Pick<Config, 'registry' | 'files'>,
  what: string,
): ApprovedTokens {
  return approve({
    ...tokens,
    token: async (signal) => {
      const value = await tokens.token(signal);
      if (value !== undefined) requireNamedByUser(config, what);
      return value;
    },
  });
}

/** Throws if only workspace files name the registry. */
export function requireNamedByUser(
  { registry, files }: Pick<Config, 'registry' | 'files'>,
  what: string,
): void {
  if (registry === undefined || registry.origin.kind === 'env') return;
  if (registry.origin.kind === 'flag' || registry.origin.kind === 'user') return;
  const { origin } = new URL(registry.value);
  const own = files.find((file) => file.origin.kind === 'user')?.content.defaults?.registry ?? '';
  if (URL.canParse(own) && new URL(own).origin === origin) return;
  throw new CatalogError(
    'config.invalid',
    `${what} is not sent to ${origin}: only ${registry.origin.name} names that registry, and a file of the workspace cannot decide who receives a token.`,
    {
      details: { registry: origin },
      suggested_action: `If you trust that registry, name it yourself: CATALOG_REGISTRY=${registry.value}`,
    },
  );
}
