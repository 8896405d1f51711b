import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isProviderUnreachable } from '../identity/is-provider-unreachable.ts';

/**
 * Error codes for a missing or unusable response. If data is cached, both are treated alike
 * (SPEC-65). An internal error of the registry counts as unreachable.
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
