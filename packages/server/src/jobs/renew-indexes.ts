import { attemptEach } from '@catalog/core/attempt-each';
import type { Tenant } from '@catalog/core/ports/tenant';
import { indexKind } from '@catalog/core/search/index-kind';
import type { SearchLanguage } from '@catalog/core/search/language';
import type { Registry } from '../registry/registry.ts';
import { renewIndex } from '../registry/search/renew-index.ts';
import { startPeriodicTask, type PeriodicTask } from './periodic-task.ts';

/** Interval after which tenants created in the meantime get the configured language. */
const INTERVAL_MS = 3_600_000;

export interface RenewalOptions {
  language: SearchLanguage;
  listTenants: () => Promise<readonly Tenant[]>;
  onFailure: (cause: unknown) => void;
}

/** Rebuilds the search index of tenants with another language or an outdated term extraction. */
export function renewIndexes(
  { store }: Pick<Registry, 'store'>,
  { language, listTenants, onFailure }: RenewalOptions,
): PeriodicTask {
  const kind = indexKind(language);
  return startPeriodicTask({
    interval_ms: INTERVAL_MS,
    first: 'at_once',
    async round(signal) {
      const tenants = await listTenants();
      await attemptEach(tenants, (tenant) => renewIndex(store, tenant, kind, signal), signal);
    },
    onFailure,
  });
}
