import { attemptEach } from '@catalog/core/attempt-each';
import type { Tenant } from '@catalog/core/ports/tenant';
import { startComparisons } from '../registry/ingest/ref-comparisons.ts';
import {
  requestMovedIngests,
  type CompareOptions,
} from '../registry/ingest/request-moved-ingests.ts';
import type { Registry } from '../registry/registry.ts';

/** Maximum number of concurrent comparisons per tenant, so that a tenant with many layers does not delay others. */
const PARALLEL = 4;

export interface CompareTenants extends Omit<CompareOptions, 'comparisons'> {
  tenants: readonly Tenant[];
}

export async function compareTenants(
  registry: Registry,
  { tenants, ...options }: CompareTenants,
): Promise<void> {
  const comparisons = startComparisons();
  const compare = (tenant: Tenant): Promise<void> =>
    requestMovedIngests(registry, tenant, { ...options, comparisons });
  try {
    await attemptEach(tenants, compare, options.signal, PARALLEL);
  } finally {
    await comparisons.ended();
  }
}
