import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { codeOf } from '@catalog/sdk/unreachable';

/** Error codes of a response from the provider. */
const ANSWERED = /^OAUTH_/;

export function isProviderAway(error: unknown): boolean {
  return (
    error instanceof CatalogError &&
    error.code === 'auth.exchange_failed' &&
    error.cause !== undefined &&
    !ANSWERED.test(codeOf(error.cause))
  );
}
