import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { TokenSource } from '@catalog/sdk/connection';
import type { Config } from '../config/types.ts';
import { deviceTokens } from './device-tokens.ts';
import type { IdentityOptions } from './identity-options.ts';
import { sessionTokens } from './session-token.ts';

/** Where the bearer tokens for the registry of a configuration come from. */
export function openTokenSource(config: Config, options: IdentityOptions = {}): TokenSource {
  const { identity, registry } = config;
  const { token } = identity;
  if (token !== undefined) {
    requireNamedByPerson(config, token.origin.name);
    return {
      token: () => Promise.resolve(token.value),
      refused: () => Promise.reject(givenTokenExpired(token.origin.name)),
    };
  }
  if (identity.provider.value !== 'injected-session-token') {
    return deviceTokens(registry?.value ?? '', config, options);
  }
  const session = sessionTokens(identity);
  return {
    ...session,
    token: async () => {
      const value = await session.token();
      if (value !== undefined) requireNamedByPerson(config, 'The session token of the runtime');
      return value;
    },
  };
}

function givenTokenExpired(name: string): CatalogError {
  return new CatalogError('auth.token_expired', `The token in ${name} has expired.`, {
    suggested_action: `Have its platform issue a new one. A person leaves ${name} out and runs \`catalog login\`.`,
  });
}

/**
 * A token from the environment belongs to no origin by itself. It goes to a registry that the same
 * environment, a flag or the person's own file names; a file that came with a clone cannot choose
 * who gets it (threat T51).
 */
function requireNamedByPerson({ registry, files }: Config, what: string): void {
  if (registry === undefined || registry.origin.kind === 'env') return;
  if (registry.origin.kind === 'flag' || registry.origin.kind === 'user') return;
  const { origin } = new URL(registry.value);
  const own = files.find((file) => file.origin.kind === 'user')?.content.defaults?.registry ?? '';
  if (URL.canParse(own) && new URL(own).origin === origin) return;
  throw new CatalogError(
    'config.invalid',
    `${what} is not sent to ${origin}: ${registry.origin.name} alone names that registry, and files of a workspace do not decide who gets a token.`,
    {
      details: { registry: origin },
      suggested_action: `If it is meant for it, say so: CATALOG_REGISTRY=${registry.value}`,
    },
  );
}
