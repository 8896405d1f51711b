import { openSqliteStore } from '../adapters/store/sqlite/open-store.ts';
import { expect, onTestFinished, test } from 'vitest';
import { endLeasesOfAbsent, showPresence } from './presence.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const LATER = '2026-01-01T00:01:00.000Z';

test('endLeasesOfAbsent ends only the leases of dead workers', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
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
  await endLeasesOfAbsent(store);
  expect(await claim('other')).toBeUndefined();
  await gone.close();
  await endLeasesOfAbsent(store);
  expect(await claim('other')).toMatchObject({ record: { layer_id: 'b', attempts: 2 } });
  expect(await claim('other')).toBeUndefined();
  await here.close();
});
