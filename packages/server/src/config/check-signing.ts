import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SettingKey, Settings } from './settings.ts';
import { BUILT_IN, type SettingOrigin } from './sourced.ts';

/** Signing mode of the specification: a key of the registry. */
const REGISTRY_KEY = 'registry-key';

export function checkSigning(
  { sign, sign_key_path: paths, 'store.type': store }: Settings,
  origins: Readonly<Record<SettingKey, SettingOrigin>>,
): void {
  const hasPaths = origins.sign_key_path !== BUILT_IN;
  if (sign === undefined) {
    if (!hasPaths) return;
    throw new CatalogError(
      'config.invalid',
      `sign_key_path is set (${origins.sign_key_path.name}), but sign is not, so nothing would be signed.`,
      {
        details: { key: 'sign', fields: ['sign', 'sign_key_path'] },
        suggested_action: `Set sign to ${REGISTRY_KEY}, or remove sign_key_path.`,
      },
    );
  }
  if (sign !== REGISTRY_KEY) {
    throw new CatalogError(
      'config.invalid_sign_mode',
      `The signing mode ${sign} (${origins.sign.name}) is unknown.`,
      { details: { key: 'sign', value: sign } },
    );
  }
  if (paths.length > 0 && (hasPaths || store === 'sqlite')) return;
  throw new CatalogError(
    'config.signature_provider_unavailable',
    `sign is ${sign} (${origins.sign.name}), but sign_key_path is not set. The processes of a registry on PostgreSQL share one key, so none of them creates it.`,
    {
      details: { key: 'sign_key_path' },
      suggested_action:
        'Create a key with `openssl genpkey -algorithm ed25519 -out registry.key`, mount it for every process, and set sign_key_path.',
    },
  );
}
