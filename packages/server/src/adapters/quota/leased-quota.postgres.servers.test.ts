import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Quota } from '@catalog/core/ports/quota';
import type { Store } from '@catalog/core/ports/store';
import { openForTest } from '@catalog/core/conformance/samples.conformance';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { expect, test } from 'vitest';
import { monotonicMs } from '../clock.ts';
import { openPostgresStore } from '../store/postgres/open-store.ts';
import { computeBucketSizes } from './bucket-sizes.ts';
import { createLeasedQuota } from './leased-quota.ts';

const RATE = 50;

async function openTwo(): Promise<Store[]> {
  const { dsn } = await temporaryDatabase();
  const stores: Store[] = [];
  for (const name of ['one', 'two']) {
    const store = await openForTest(() => openPostgresStore({ dsn }));
    await store.locks.take(name, AbortSignal.timeout(10_000));
    stores.push(store);
  }
  return stores;
}

function quotaOf(store: Store): Quota {
  return createLeasedQuota({
    leases: store.quota,
    availability: () => store.availability(),
    monotonicMs,
  });
}

async function isAdmitted(quota: Quota, tenant: number): Promise<boolean> {
  try {
    await quota.take(tenant, 'search', RATE, 1);
    return true;
  } catch (error) {
    if (error instanceof CatalogError) return false;
    throw error;
  }
}

test('countProcesses counts both processes', async () => {
  for (const { quota } of await openTwo()) expect(await quota.countProcesses()).toBe(2);
});

test('createLeasedQuota admits no more than the limit across two processes', async () => {
  const quotas = (await openTwo()).map(quotaOf);
  const started = monotonicMs();
  let admitted = 0;
  let refused = 0;
  await Promise.all(
    quotas.map(async (quota) => {
      while (monotonicMs() - started < 3000) {
        if (await isAdmitted(quota, 1)) admitted += 1;
        else refused += 1;
        await delay(1);
      }
    }),
  );
  const seconds = (monotonicMs() - started) / 1000;
  expect(refused).toBeGreaterThan(0);
  expect(admitted).toBeGreaterThan(0);
  expect(admitted).toBeLessThanOrEqual(RATE * seconds + computeBucketSizes(RATE, 1).burst);
  expect(await Promise.all(quotas.map((quota) => isAdmitted(quota, 2)))).toEqual([true, true]);
});
