import type { KeySet } from '@catalog/core/signing/key-set';
import type { Registry } from '../registry.ts';
import { loadPublishedKeys } from './published-keys.ts';

/** Keys of a registry, as an operator sees them. */
export interface ListedKeys {
  /** Undefined if the registry has not announced signing. */
  set: KeySet | undefined;
  /** Ids of the private keys in `sign_key_path`; the first one signs. */
  available: readonly string[];
}

export async function listKeys({ store, signer }: Registry): Promise<ListedKeys> {
  const available = signer?.keys.map(({ key_id }) => key_id) ?? [];
  return { set: await loadPublishedKeys(store), available };
}
