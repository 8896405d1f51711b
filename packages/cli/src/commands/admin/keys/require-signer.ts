import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Signer } from '@catalog/core/ports/signer';
import type { Registry } from '@catalog/server/registry/registry';

/** Returns the signer of the registry, and throws if its settings do not enable signing. */
export function requireSigner({ signer }: Registry): Signer {
  if (signer !== undefined) return signer;
  throw new CatalogError(
    'config.signature_provider_unavailable',
    'These settings do not enable signing.',
    {
      details: { key: 'sign' },
      suggested_action: 'Set sign to registry-key, as for `catalog serve`.',
    },
  );
}
