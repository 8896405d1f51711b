import { existsSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Signer } from '@catalog/core/ports/signer';
import type { Settings } from '../../config/settings.ts';
import { createKeyFile, openKeyFiles } from './key-files.ts';

/**
 * Opens the configured signer; undefined if the registry does not sign. A registry in one file that has
 * published no keys gets its first key automatically, so that one setting is enough to start.
 */
export function openSigner(settings: Settings, hasPublishedKeys: boolean): Signer | undefined {
  const paths = settings.sign_key_path;
  if (settings.sign === undefined) {
    if (hasPublishedKeys) throw notConfigured();
    return undefined;
  }
  const [first, ...others] = paths;
  const isStandalone = settings['store.type'] === 'sqlite';
  if (first !== undefined && others.length === 0 && isStandalone && !hasPublishedKeys) {
    if (!existsSync(first)) createKeyFile(first);
  }
  return openKeyFiles(paths);
}

function notConfigured(): CatalogError {
  return new CatalogError(
    'config.signature_provider_unavailable',
    'This registry has announced that it signs every version, but `sign` is not set, so clients would reject new versions.',
    {
      details: { key: 'sign' },
      suggested_action:
        'Set sign to registry-key and sign_key_path to the key files. To turn signing off, run `catalog admin keys retire --all` with these settings first.',
    },
  );
}
