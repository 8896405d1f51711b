import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isProviderUnreachable } from '../identity/is-provider-unreachable.ts';

/**
 * Error codes of a missing or unusable response, after which cached data is used (SPEC-65). An internal error of the
 * registry counts too.
 */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'network.registry_unreachable',
  'registry.unavailable',
  'materialize.content_hash_mismatch',
  'materialize.fetch_failed',
  'materialize.invalid_base64',
]);

export function isUnreachable(error: unknown): boolean {
  return (
    (error instanceof CatalogError && UNREACHABLE.has(error.code)) || isProviderUnreachable(error)
  );
}
