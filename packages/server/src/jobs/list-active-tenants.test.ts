import { sampleTenant } from '@catalog/core/conformance/samples.conformance';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { listActiveTenants } from './list-active-tenants.ts';

test('listActiveTenants includes the default tenant without a record, and follows its record afterwards', async () => {
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
