import { join } from 'node:path';
import { createKeyFile, openKeyFiles } from '@catalog/server/adapters/signer/key-files';
import type { Settings } from '@catalog/server/config/settings';

/** Key files of a registry, newest first, with the ids of their public keys. */
export interface RegistryKeys {
  paths: string[];
  key_ids: string[];
}

/** Creates private keys of a registry in a folder. */
export function createRegistryKeys(folder: string, count = 1): RegistryKeys {
  const paths = Array.from({ length: count }, (_, at) => join(folder, `registry-${at}.key`));
  for (const path of paths) createKeyFile(path);
  return { paths, key_ids: openKeyFiles(paths).keys.map(({ key_id }) => key_id) };
}

/** Settings of a registry that signs with the keys. */
export function signsWith({ paths }: Pick<RegistryKeys, 'paths'>): Partial<Settings> {
  return { sign: 'registry-key', sign_key_path: paths };
}
