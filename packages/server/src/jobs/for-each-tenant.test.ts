import { sampleTenant } from '@catalog/core/conformance/samples.conformance';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { forEachTenant } from './for-each-tenant.ts';
import { listActiveTenants } from './list-active-tenants.ts';

test('a tenant in which something fails holds up no other, and the failure is told', async () => {
  const done: number[] = [];
  const { signal } = new AbortController();
  async function work(tenant: number): Promise<void> {
    if (tenant % 2 === 0) throw new Error(`no ${tenant}`);
    done.push(tenant);
  }
  await expect(forEachTenant([1, 2, 3, 4, 5], work, signal)).rejects.toThrow('no 2');
  expect(done).toEqual([1, 3, 5]);
});

test('no tenant comes after the signal', async () => {
  const done: number[] = [];
  const ending = new AbortController();
  async function work(tenant: number): Promise<void> {
    done.push(tenant);
    if (tenant === 2) ending.abort();
  }
  await forEachTenant([1, 2, 3], work, ending.signal);
  expect(done).toEqual([1, 2]);
});

test('the only tenant is active before it has a record, and as its record says afterwards', async () => {
  const { registry, close } = await openMemoryRegistry();
  onTestFinished(close);
  const { store } = registry;
  await store.transaction(({ tenants }) => tenants.create(sampleTenant('acme')));
  expect(await listActiveTenants(registry)).toEqual([1, 2]);
  const only = await store.transaction(({ tenants }) => tenants.create(sampleTenant('x'), 1));
  expect(await listActiveTenants(registry)).toEqual([1, 2]);
  await store.transaction(({ tenants }) => tenants.replace({ ...only, active: false }));
  expect(await listActiveTenants(registry)).toEqual([2]);
});
