import type { Tenant } from '@catalog/core/ports/tenant';

/**
 * Does something in one tenant after the other, until the signal fires. One in which it fails holds up
 * no other; the first failure is thrown at the end.
 */
export async function forEachTenant(
  tenants: readonly Tenant[],
  work: (tenant: Tenant) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (const tenant of tenants) {
    if (signal.aborted) return;
    await work(tenant).catch((cause: unknown) => void failures.push(cause));
  }
  if (failures.length > 0) throw failures[0];
}
