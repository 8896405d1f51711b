import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { codeOf } from '@catalog/sdk/unreachable';

/** Error codes of a response from the provider. */
const RESPONSE_CODE_PREFIX = /^OAUTH_/;

export function isProviderUnreachable(error: unknown): boolean {
  return (
    error instanceof CatalogError &&
    error.code === 'auth.exchange_failed' &&
    error.cause !== undefined &&
    !RESPONSE_CODE_PREFIX.test(codeOf(error.cause))
  );
}
