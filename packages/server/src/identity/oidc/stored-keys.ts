import type { IssuerKeys } from '@catalog/core/ports/issuers';
import type { Store } from '@catalog/core/ports/store';

type FetchedKeys = Omit<IssuerKeys, 'fetched_at'>;

/** Keys of the issuer, stored for all processes of the registry. */
export interface StoredKeys {
  load(issuer: string): Promise<(FetchedKeys & { age_ms: number }) | undefined>;
  save(keys: FetchedKeys): Promise<void>;
}

/** Stores keys in a store that `open` returns when needed. */
export function createStoredKeys(
  open: () => Pick<Store, 'issuers' | 'transaction' | 'now'>,
): StoredKeys {
  return {
    async load(issuer) {
      const store = open();
      const found = await store.issuers.get(issuer);
      if (found === undefined) return undefined;
      const { fetched_at, ...keys } = found;
      // A time in the future comes from another clock and does not make keys fresh.
      const age_ms = Math.abs(store.now().getTime() - Date.parse(fetched_at));
      return { ...keys, age_ms };
    },
    async save(keys) {
      const store = open();
      const fetched_at = store.now().toISOString();
      await store.transaction(({ issuers }) => issuers.put({ ...keys, fetched_at }));
    },
  };
}
