import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { codeOf } from '@catalog/sdk/unreachable';

/** How the codes begin that speak of an answer of the provider. */
const ANSWERED = /^OAUTH_/;

/** Whether tokens could not be renewed because the identity provider did not answer at all. */
export function isProviderAway(error: unknown): boolean {
  return (
    error instanceof CatalogError &&
    error.code === 'auth.exchange_failed' &&
    error.cause !== undefined &&
    !ANSWERED.test(codeOf(error.cause))
  );
}
