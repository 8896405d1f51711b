import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { recordFailedIngest } from './request-ingest.ts';
import { requestRetries } from './request-retries.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

test('requestRetries queues failed ingests of layers that are still registered', async () => {
  const { registry, addLayer, close } = await openMemoryRegistry();
  onTestFinished(close);
  const began = registry.now().getTime();
  await addLayer('base');
  await addLayer('gone', { deleted_at: new Date(began).toISOString() });
  const error = new CatalogError('registry.unavailable', 'The object store does not respond.');
  await registry.store.transaction(async (writes) => {
    for (const layer_id of ['base', 'gone']) {
      const wanted = { layer_id, full: false, trigger: 'webhook' } as const;
      await recordFailedIngest(registry, writes, ONLY_TENANT, wanted, error);
    }
  });
  const listStates = async (): Promise<string[]> => {
    const jobs = await registry.store.jobs.list(ONLY_TENANT, '', 10);
    return jobs.map(({ layer_id, state }) => `${layer_id} ${state}`).toSorted();
  };
  registry.now = () => new Date(began + 2 * MINUTE_MS);
  await requestRetries(registry, ONLY_TENANT, DAY_MS);
  expect(await listStates()).toEqual(['base failed', 'base queued', 'gone failed']);
});
