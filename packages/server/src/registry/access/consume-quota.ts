import type { CallContext, Registry } from '../registry.ts';

const RATES = { search: 'search_qps', materialize: 'materialize_rate' } as const;

export function consumeQuota(
  registry: Registry,
  { tenant, record }: CallContext,
  kind: keyof typeof RATES,
  amount: number,
): Promise<void> | undefined {
  const rate = record?.quota[RATES[kind]] ?? 0;
  return rate === 0 ? undefined : registry.quota.take(tenant, kind, rate, amount);
}
