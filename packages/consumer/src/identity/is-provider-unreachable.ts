import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { codeOf } from '@catalog/sdk/unreachable';

/** Prefix of error codes in responses of a provider. */
const RESPONSE_CODE_PREFIX = /^OAUTH_/;

export function isProviderUnreachable(error: unknown): boolean {
  return (
    error instanceof CatalogError &&
    error.code === 'auth.exchange_failed' &&
    error.cause !== undefined &&
    !RESPONSE_CODE_PREFIX.test(codeOf(error.cause))
  );
}
