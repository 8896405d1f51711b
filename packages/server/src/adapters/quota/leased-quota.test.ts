import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Availability } from '@catalog/core/ports/availability';
import type { Quota, QuotaLeases } from '@catalog/core/ports/quota';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { computeBucketSizes } from './bucket-sizes.ts';
import { createLeasedQuota } from './leased-quota.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createCluster(count: number) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const started = Date.now();
  const clock = (): number => Date.now() - started;
  const storeState = {
    leases: 0,
    wanted: [] as number[],
    mode: 'ready' as Availability['mode'],
    isLost: false,
    defect: undefined as Error | undefined,
  };
  const failures: unknown[] = [];
  const leases: QuotaLeases = {
    countProcesses: async () => count,
    async lease(tenant, kind, { rate, burst }, wanted) {
      storeState.leases += 1;
      storeState.wanted.push(wanted);
      if (storeState.defect !== undefined) throw storeState.defect;
      if (storeState.isLost) throw new CatalogError('registry.unavailable', 'The store is away.');
      const bucket = buckets.get(`${tenant} ${kind}`) ?? { tokens: burst, at: clock() };
      const brought = ((clock() - bucket.at) / 1000) * rate;
      const there = Math.min(burst, bucket.tokens + brought);
      const tokens = Math.min(wanted, Math.floor(there + 1e-9));
      buckets.set(`${tenant} ${kind}`, { tokens: there - tokens, at: clock() });
      if (tokens >= 1) return { kind: 'granted', tokens };
      return { kind: 'spent', retry_after_ms: Math.ceil(((1 - there) / rate) * 1000) };
    },
  };
  const availability = (): Availability =>
    storeState.mode === 'ready' ? { mode: 'ready' } : { mode: 'read_only', lag_seconds: 0 };
  const processes = Array.from({ length: count }, () =>
    createLeasedQuota({
      leases,
      availability,
      monotonicMs: clock,
      onFailure: (error) => void failures.push(error),
    }),
  );
  return { storeState, processes, clock, failures };
}

function createSingleProcess(count = 1): ReturnType<typeof createCluster> & { quota: Quota } {
  const made = createCluster(count);
  const [quota] = made.processes;
  if (quota === undefined) throw new Error('There is no process.');
  return { ...made, quota };
}

async function attempt(
  quota: Quota,
  { tenant = 1, rate = 50, amount = 1 }: { tenant?: number; rate?: number; amount?: number } = {},
): Promise<CatalogError | undefined> {
  try {
    await quota.take(tenant, 'search', rate, amount);
    return undefined;
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
}

interface Demand {
  rate: number;
  milliseconds: number;
  asks: (process: number, millisecond: number) => number;
}

async function admit(
  { processes }: Pick<ReturnType<typeof createCluster>, 'processes'>,
  { rate, milliseconds, asks }: Demand,
): Promise<number[]> {
  const admitted: number[] = [];
  for (let at = 0; at < milliseconds; at += 1) {
    for (const [index, quota] of processes.entries()) {
      for (let ask = 0; ask < asks(index, at); ask += 1) {
        if ((await attempt(quota, { rate })) === undefined) admitted.push(at);
      }
    }
    await vi.advanceTimersByTimeAsync(1);
  }
  return admitted;
}

function maxPerSecond(admitted: readonly number[]): number {
  let maxCount = 0;
  let from = 0;
  for (const [index, at] of admitted.entries()) {
    while ((admitted[from] ?? at) <= at - 1000) from += 1;
    maxCount = Math.max(maxCount, index - from + 1);
  }
  return maxCount;
}

describe('quota across processes', () => {
  test('admits the limit on average and at most 20% more per second under excess demand', async () => {
    const made = createCluster(2);
    const admitted = await admit(made, {
      rate: 50,
      milliseconds: 30_000,
      asks: (process, at) => Number(at % 4 === process),
    });
    expect(admitted.length / 1500).toBeGreaterThan(0.95);
    expect(admitted.length / 1500).toBeLessThan(1.05);
    expect(maxPerSecond(admitted)).toBeLessThanOrEqual(60);
    expect(made.storeState.leases / 30).toBeLessThanOrEqual(50);
  });

  test.each([1, 2, 7, 20, 300, 5000])('reaches a limit of %i under excess demand', async (rate) => {
    const made = createCluster(2);
    const every = Math.max(1, Math.floor(1000 / (4 * rate)));
    const at_once = Math.max(1, Math.ceil(rate / 500));
    const admitted = await admit(made, {
      rate,
      milliseconds: 10_000,
      asks: (_, at) => (at % every === 0 ? at_once : 0),
    });
    const { burst } = computeBucketSizes(rate, 2);
    expect(admitted.length).toBeGreaterThanOrEqual(Math.floor(rate * 10 * 0.95));
    expect(admitted.length).toBeLessThanOrEqual(rate * 10 * 1.05 + burst);
    expect(made.storeState.leases).toBeLessThanOrEqual(10 * 60);
  });

  test('admits per second no more than the rate, the bucket and the tokens of the processes', async () => {
    const histories = fc.record({
      rate: fc.integer({ min: 1, max: 400 }),
      count: fc.integer({ min: 1, max: 5 }),
      stretches: fc.array(
        fc.record({
          milliseconds: fc.integer({ min: 1, max: 1500 }),
          process: fc.integer({ min: 0, max: 5 }),
          every: fc.integer({ min: 1, max: 400 }),
          at_once: fc.integer({ min: 0, max: 40 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(histories, async ({ rate, count, stretches }) => {
        const made = createCluster(count);
        const plan = stretches.flatMap((stretch) =>
          Array.from({ length: stretch.milliseconds }, () => stretch),
        );
        const admitted = await admit(made, {
          rate,
          milliseconds: plan.length,
          asks: (process, at) => {
            const { process: leasesBefore, every = 1, at_once = 0 } = plan[at] ?? {};
            const sendsRequests = leasesBefore === process || leasesBefore === 5;
            return sendsRequests && at % every === 0 ? at_once : 0;
          },
        });
        const { burst, block } = computeBucketSizes(rate, count);
        expect(maxPerSecond(admitted)).toBeLessThanOrEqual(rate + burst + count * block);
        if (rate >= 10 * Math.max(count, 1.5)) {
          expect(maxPerSecond(admitted)).toBeLessThanOrEqual(1.2 * rate);
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe('quota of one process', () => {
  test('admits and rejects from memory', async () => {
    const { quota, storeState } = createSingleProcess();
    expect(quota.take(1, 'search', 50, 1)).toBeInstanceOf(Promise);
    await vi.advanceTimersByTimeAsync(0);
    expect(quota.take(1, 'search', 50, 1)).toBeUndefined();
    const refusals: CatalogError[] = [];
    for (let ask = 0; ask < 1000; ask += 1) {
      const refusal = await attempt(quota);
      if (refusal !== undefined) refusals.push(refusal);
    }
    expect(refusals.length).toBeGreaterThan(990);
    expect(storeState.leases).toBeLessThan(6);
    expect(refusals[0]).toMatchObject({ code: 'quota.search_qps_exceeded', retryable: true });
    expect(refusals[0]?.details).toMatchObject({ limit: 50, retry_after_seconds: 0.05 });
  });

  test('shares one lease between waiting requests', async () => {
    const { quota, storeState } = createSingleProcess();
    const answers = Array.from({ length: 4 }, () => quota.take(1, 'materialize', 50, 1));
    for (const answer of answers) await answer;
    expect(storeState.leases).toBe(1);
  });

  test('leases a block plus the tokens of waiting requests', async () => {
    const { quota, storeState } = createSingleProcess();
    const { block } = computeBucketSizes(400, 1);
    await quota.take(1, 'search', 400, 1);
    expect(storeState.wanted).toEqual([block + 1]);
    await vi.advanceTimersByTimeAsync(100);
    while (storeState.leases === 1) await quota.take(1, 'search', 400, 1);
    // A few tokens of the first block were left when the next block was leased.
    const [, next = 0] = storeState.wanted;
    expect(next).toBeGreaterThan(block / 2);
    expect(next).toBeLessThan(block);
  });

  test('rejects loads with their own error code', async () => {
    const { quota } = createSingleProcess();
    await quota.take(1, 'materialize', 1, 1);
    expect(() => quota.take(1, 'materialize', 1, 1)).toThrow(
      expect.objectContaining({ code: 'quota.materialize_rate_exceeded' }),
    );
  });

  test('applies a changed rate to the next request', async () => {
    const { quota } = createSingleProcess();
    expect(await attempt(quota, { rate: 1 })).toBeUndefined();
    expect(await attempt(quota, { rate: 1 })).toBeDefined();
    await vi.advanceTimersByTimeAsync(20);
    expect(await attempt(quota, { rate: 1 })).toBeDefined();
    expect(await attempt(quota, { rate: 1000 })).toBeUndefined();
    expect(await attempt(quota, { rate: 1 })).toBeUndefined();
    expect(await attempt(quota, { rate: 1 })).toMatchObject({ details: { limit: 1 } });
  });

  test('limits each tenant separately', async () => {
    const { quota } = createSingleProcess();
    while ((await attempt(quota, { rate: 5 })) === undefined);
    expect(await attempt(quota, { rate: 5 })).toBeDefined();
    expect(await attempt(quota, { tenant: 2, rate: 5 })).toBeUndefined();
    await quota.take(1, 'materialize', 5, 1);
  });

  test('discards unused leased tokens after a second', async () => {
    const { quota, storeState } = createSingleProcess();
    await quota.take(1, 'search', 100, 1);
    expect(quota.take(1, 'search', 100, 1)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1100);
    const before = storeState.leases;
    await quota.take(1, 'search', 100, 1);
    expect(storeState.leases).toBe(before + 1);
  });
});

describe('batch above the available tokens', () => {
  test('is admitted and blocks later requests until its debt is paid', async () => {
    const { quota } = createSingleProcess();
    expect(await attempt(quota, { rate: 10, amount: 50 })).toBeUndefined();
    const refusal = await attempt(quota, { rate: 10 });
    expect(refusal?.details['retry_after_seconds']).toBeGreaterThan(4);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await attempt(quota, { rate: 10 })).toBeDefined();
    await vi.advanceTimersByTimeAsync(1500);
    expect(await attempt(quota, { rate: 10 })).toBeUndefined();
  });

  test('does not exceed the average rate with repeated batches', async () => {
    const made = createCluster(2);
    let loaded = 0;
    for (let at = 0; at < 60_000; at += 20) {
      for (const quota of made.processes) {
        if ((await attempt(quota, { rate: 10, amount: 50 })) === undefined) loaded += 50;
      }
      await vi.advanceTimersByTimeAsync(20);
    }
    // Each process may lack up to one batch at the end.
    expect(loaded).toBeGreaterThanOrEqual(600 * 0.95);
    expect(loaded).toBeLessThanOrEqual(600 + 2 * 50);
  });
});

describe('quota without leases', () => {
  test.each(['read_only', 'lost'] as const)(
    'limits each process to its share (%s)',
    async (kind) => {
      const made = createCluster(2);
      for (const quota of made.processes) await attempt(quota);
      if (kind === 'lost') made.storeState.isLost = true;
      else made.storeState.mode = 'read_only';
      await vi.advanceTimersByTimeAsync(1000);
      const leasesBefore = made.storeState.leases;
      const admitted = await admit(made, {
        rate: 50,
        milliseconds: 30_000,
        asks: (_, at) => at % 2,
      });
      expect(admitted.length / 1500).toBeGreaterThan(0.95);
      expect(admitted.length / 1500).toBeLessThan(1.05);
      expect(maxPerSecond(admitted)).toBeLessThanOrEqual(60);
      expect(made.storeState.leases - leasesBefore).toBeLessThanOrEqual(
        kind === 'lost' ? 2 * 31 : 0,
      );
    },
  );

  test('leases again after the store recovers', async () => {
    const { quota, storeState } = createSingleProcess();
    storeState.isLost = true;
    expect(await attempt(quota)).toBeUndefined();
    storeState.isLost = false;
    await vi.advanceTimersByTimeAsync(2000);
    const before = storeState.leases;
    expect(await attempt(quota)).toBeUndefined();
    expect(storeState.leases).toBe(before + 1);
  });

  test('reports an unexpected error once until a lease succeeds, and limits to the share', async () => {
    const { quota, storeState, failures } = createSingleProcess();
    const fail = async (): Promise<void> => {
      storeState.defect = new Error('relation "quota_buckets" does not exist');
      for (let second = 0; second < 3; second += 1) {
        expect(await attempt(quota)).toBeUndefined();
        await vi.advanceTimersByTimeAsync(1100);
      }
    };
    await fail();
    expect(failures).toEqual([storeState.defect]);
    storeState.defect = undefined;
    await vi.advanceTimersByTimeAsync(2000);
    expect(await attempt(quota)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1100);
    await fail();
    expect(failures).toHaveLength(2);
  });

  test('leaves the report of an unavailable store to the store', async () => {
    const { quota, storeState, failures } = createSingleProcess();
    storeState.isLost = true;
    expect(await attempt(quota)).toBeUndefined();
    expect(failures).toEqual([]);
  });
});
