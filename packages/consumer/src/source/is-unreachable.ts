import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isProviderAway } from '../identity/provider-away.ts';

/**
 * No answer, or none that can be used: for something that is cached that is the same (SPEC-65).
 * A registry that fails inside is as good as away.
 */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'network.registry_unreachable',
  'registry.unavailable',
  'materialize.content_hash_mismatch',
  'materialize.fetch_failed',
  'materialize.invalid_base64',
]);

export function isUnreachable(error: unknown): boolean {
  return (error instanceof CatalogError && UNREACHABLE.has(error.code)) || isProviderAway(error);
}
