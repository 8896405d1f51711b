import { attemptEach } from '@catalog/core/attempt-each';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requestStartIngests } from '../registry/ingest/request-start-ingests.ts';
import type { Registry } from '../registry/registry.ts';
import { compareTenants, type CompareTenants } from './compare-tenants.ts';

export interface StartTenants {
  first: Tenant | undefined;
  others: readonly Tenant[];
}

export interface StartOptions extends Pick<CompareTenants, 'onUnresponsive' | 'signal'> {
  onFailure: (cause: unknown) => void;
}

/**
 * Queues the ingests of a startup and compares the git layers of all tenants with their hosts. A failure affects only
 * its tenant.
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
