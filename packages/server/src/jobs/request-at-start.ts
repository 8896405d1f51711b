import { attemptEach } from '@catalog/core/attempt-each';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requestStartIngests } from '../registry/ingest/request-start-ingests.ts';
import type { Registry } from '../registry/registry.ts';
import { compareTenants, type CompareTenants } from './compare-tenants.ts';

export interface StartTenants {
  /** The tenant of the configuration, whose first ingests are queued already. */
  first: Tenant | undefined;
  others: readonly Tenant[];
}

export interface StartOptions extends Pick<CompareTenants, 'onUnresponsive' | 'signal'> {
  onFailure: (cause: unknown) => void;
}

/**
 * Queues what a start has to ingest, and compares the git layers of all tenants with their hosts. A tenant
 * for which one of the two fails keeps no other from it.
 */
export async function requestAtStart(
  registry: Registry,
  { first, others }: StartTenants,
  { onUnresponsive, onFailure, signal }: StartOptions,
): Promise<void> {
  const tenants = first === undefined ? others : [first, ...others];
  await attemptEach(others, (tenant) => requestStartIngests(registry, tenant), signal).catch(
    onFailure,
  );
  await compareTenants(registry, { tenants, trigger: 'start', onUnresponsive, signal }).catch(
    onFailure,
  );
}
