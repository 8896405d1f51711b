import { inParallel } from '@catalog/core/in-parallel';
import type { Tenant } from '@catalog/core/ports/tenant';

/**
 * Does something in one tenant after the other, or in `parallel` ones at a time, until the signal fires.
 * One in which it fails holds up no other; the first failure is thrown at the end.
 */
export async function forEachTenant(
  tenants: readonly Tenant[],
  work: (tenant: Tenant) => Promise<void>,
  signal: AbortSignal,
  parallel = 1,
): Promise<void> {
  const failures: unknown[] = [];
  await inParallel(tenants, { parallel }, async (tenant) => {
    if (signal.aborted) return;
    await work(tenant).catch((cause: unknown) => void failures.push(cause));
  });
  if (signal.aborted) return;
  if (failures.length > 0) throw failures[0];
}
