import { attemptEach } from '@catalog/core/attempt-each';
import type { Tenant } from '@catalog/core/ports/tenant';
import { indexKind } from '@catalog/core/search/index-kind';
import type { SearchLanguage } from '@catalog/core/search/language';
import type { Registry } from '../registry/registry.ts';
import { renewIndex } from '../registry/search/renew-index.ts';
import { startRounds, type Rounds } from './rounds.ts';

/** A tenant that is made while the registry serves has the language of the configuration by then. */
const INTERVAL_MS = 3_600_000;

export interface RenewalOptions {
  language: SearchLanguage;
  listTenants: () => Promise<readonly Tenant[]>;
  onFailure: (cause: unknown) => void;
}

/** Makes what is found by words anew where the language was another, or a release makes terms otherwise. */
export function renewIndexes(
  { store }: Pick<Registry, 'store'>,
  { language, listTenants, onFailure }: RenewalOptions,
): Rounds {
  const kind = indexKind(language);
  return startRounds({
    interval_ms: INTERVAL_MS,
    first: 'at_once',
    async round(signal) {
      const tenants = await listTenants();
      await attemptEach(tenants, (tenant) => renewIndex(store, tenant, kind, signal), signal);
    },
    onFailure,
  });
}
