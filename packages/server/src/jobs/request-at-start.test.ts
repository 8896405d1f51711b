import { sampleTenant } from '@catalog/core/conformance/samples.conformance';
import { newLayer } from '@catalog/testkit/layer-record';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { requestAtStart } from './request-at-start.ts';

test('git layers are compared even if the ingests of one tenant cannot be queued', async () => {
  const memory = await openMemoryRegistry();
  onTestFinished(() => memory.close());
  const { store, sources } = memory.registry;
  const other = await store.transaction(({ tenants }) => tenants.create(sampleTenant('acme')));
  const layer = newLayer({
    id: 'team',
    source_type: 'git',
    repo: 'https://git.example.com/team.git',
    source_state: 'read',
    last_ingested_ref: 'a'.repeat(40),
  });
  await store.transaction(({ layers }) => layers.create(1, layer));
  let hasFailed = false;
  const list: typeof store.layers.list = async (tenant, ...rest) => {
    if (tenant !== 1 && !hasFailed) {
      hasFailed = true;
      throw new Error('the connection was lost');
    }
    return store.layers.list(tenant, ...rest);
  };
  const registry = {
    ...memory.registry,
    store: { ...store, layers: { ...store.layers, list } },
    sources: { ...sources, git: { ...sources.git, probe: async () => 'b'.repeat(40) } },
  };
  const failures: unknown[] = [];
  await requestAtStart(
    registry,
    { first: 1, others: [other.tenant] },
    {
      onUnresponsive: () => undefined,
      onFailure: (cause) => void failures.push(cause),
      signal: new AbortController().signal,
    },
  );
  expect(failures).toMatchObject([{ message: 'the connection was lost' }]);
  const jobs = await store.jobs.list(1, 'team', 10);
  expect(jobs).toMatchObject([{ layer_id: 'team', state: 'queued' }]);
});
