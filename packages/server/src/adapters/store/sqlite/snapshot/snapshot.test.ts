import { sampleRequest, T1 } from '@catalog/core/conformance/samples.conformance';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../open-store.ts';
import { openSqliteSnapshot } from './snapshot.ts';

test('a snapshot contains only ended jobs, in the order of their requests', async () => {
  const path = `${temporaryFolder()}/registry.db`;
  const store = await openSqliteStore({ path });
  await store.transaction(async ({ jobs }) => {
    for (const [job, layer_id] of [
      ['second', 'a'],
      ['first', 'b'],
      ['waiting', 'c'],
    ] as const) {
      await jobs.enqueue(1, { job, layer_id, request: sampleRequest(), now: T1 });
    }
    const error = {
      code: 'registry.not_found',
      message: 'The layer was removed.',
      details: {},
      retryable: false,
      suggested_action: '',
    };
    for (const layer_id of ['b', 'a']) await jobs.cancel(1, layer_id, { error, now: T1 });
  });
  await store.close();

  const snapshot = await openSqliteSnapshot(path);
  const read: string[] = [];
  for await (const page of snapshot.read('jobs')) read.push(...page.map(({ job }) => job));
  await snapshot.close();
  expect(read).toEqual(['second', 'first']);
});
