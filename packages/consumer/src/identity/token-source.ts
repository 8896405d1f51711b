import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Config } from '../config/types.ts';
import {
  forNamedRegistry,
  issuedForRegistry,
  requireNamedByUser,
  type ApprovedTokens,
} from '../trust/approve-tokens.ts';
import { deviceTokens } from './device-tokens.ts';
import type { IdentityOptions } from './identity-options.ts';
import { sessionTokens } from './session-token.ts';

export function openTokenSource(config: Config, options: IdentityOptions = {}): ApprovedTokens {
  const { identity, registry } = config;
  const { token } = identity;
  if (token !== undefined) {
    const { name } = token.origin;
    // Checked now and not at the first request, because the token was given for this run.
    requireNamedByUser(config, name);
    const given = {
      token: () => Promise.resolve(token.value),
      refused: () => Promise.reject(givenTokenExpired(name)),
    };
    return forNamedRegistry(given, config, name);
  }
  if (identity.provider.value !== 'injected-session-token') {
    return issuedForRegistry(deviceTokens(registry?.value ?? '', config, options));
  }
  return forNamedRegistry(sessionTokens(identity), config, 'The session token of the runtime');
}

function givenTokenExpired(name: string): CatalogError {
  return new CatalogError('auth.token_expired', `The token in ${name} has expired.`, {
    suggested_action: `Get a new token from the platform that issued it. Interactive users unset ${name} and run \`catalog login\`.`,
  });
}
