import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Settings } from './settings.ts';

/** SCIM token; the tenant is undefined on a registry with one tenant. */
export interface ScimToken {
  organization: string | undefined;
  token: string;
}

export function readScimTokens(
  settings: Pick<Settings, 'scim.tokens' | 'multi_tenant'>,
): ScimToken[] {
  return settings['scim.tokens'].map((entry) => {
    if (!settings.multi_tenant) return { organization: undefined, token: entry };
    const equals = entry.indexOf('=');
    return { organization: entry.slice(0, Math.max(0, equals)), token: entry.slice(equals + 1) };
  });
}

export function checkScimTokens(settings: Settings): void {
  const tokens = readScimTokens(settings).map(({ token }) => token);
  if (new Set(tokens).size < tokens.length) {
    throw new CatalogError('config.invalid', 'Two entries of scim.tokens have the same token.', {
      details: { key: 'scim.tokens' },
      suggested_action: 'Use a different token for each directory.',
    });
  }
  for (const { organization, token } of readScimTokens(settings)) {
    if (organization !== '' && token.trim() !== '') continue;
    throw new CatalogError(
      'config.invalid',
      settings.multi_tenant
        ? 'An entry of scim.tokens is not in the form tenant=token.'
        : 'An entry of scim.tokens is empty.',
      {
        details: { key: 'scim.tokens' },
        suggested_action: settings.multi_tenant
          ? 'Write each entry as tenant=token.'
          : 'Remove the entry, or set a long random token.',
      },
    );
  }
}
