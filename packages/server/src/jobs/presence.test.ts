import { listAudit } from '../registry/audit/list-audit.ts';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { endWorkOfAbsent, showPresence } from './presence.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-01T00:01:00.000Z';

test('endWorkOfAbsent ends only the leases of dead workers', async () => {
  const { registry, close } = await openMemoryRegistry();
  onTestFinished(close);
  const { store } = registry;
  const claim = (name: string) =>
    store.transaction(({ jobs }) => jobs.claim({ name, now: NOW, lease_until: LATER }));
  for (const layer_id of ['a', 'b']) {
    const request = { full: false, retry: [], trigger: 'poll' } as const;
    await store.transaction(({ jobs }) =>
      jobs.enqueue(1, { job: `of ${layer_id}`, layer_id, request, now: NOW }),
    );
  }
  const here = await showPresence(store.locks, 'here');
  const gone = await showPresence(store.locks, 'gone');
  expect(await claim('here')).toMatchObject({ record: { layer_id: 'a' } });
  expect(await claim('gone')).toMatchObject({ record: { layer_id: 'b' } });
  await endWorkOfAbsent(registry);
  expect(await claim('other')).toBeUndefined();
  await gone.close();
  await endWorkOfAbsent(registry);
  expect(await claim('other')).toMatchObject({ record: { layer_id: 'b', attempts: 2 } });
  expect(await claim('other')).toBeUndefined();
  await here.close();
});

test('endWorkOfAbsent records once that the last reads of a dead process are missing', async () => {
  const { registry, context, close } = await openMemoryRegistry();
  onTestFinished(close);
  const { store } = registry;
  const here = await showPresence(store.locks, 'here');
  for (const process of ['here', 'gone']) {
    await store.transaction(({ read_log }) => read_log.putWriter({ process, last_batch_at: NOW }));
  }
  await endWorkOfAbsent(registry);
  await endWorkOfAbsent(registry);
  const type = 'registry.reads_interrupted';
  const query = { type, order: 'oldest', limit: 10 } as const;
  const { records } = await listAudit(registry, context, query);
  expect(records.map(({ record }) => record)).toMatchObject([
    { process: 'gone', last_batch_at: NOW, 'caller.identity': 'system:audit' },
  ]);
  await here.close();
});
