import type { SignedKeySet } from '@catalog/contract/records/signature';

/** Published key set of the registry, which all tenants share. */
export interface StoredKeySet extends SignedKeySet {
  version: number;
}

export interface KeySetReads {
  /** Lists all published sets, oldest first. */
  list(): Promise<StoredKeySet[]>;
}

export interface KeySetWrites extends KeySetReads {
  add(set: StoredKeySet): Promise<void>;
}
