import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { sweepShared } from './sweep-shared.ts';

const { signal } = new AbortController();
const CHOICE = { layer: 1, version: '1.0.0' };

test('sweepShared removes all expired data in several transactions, until it is stopped', async () => {
  const { registry, close } = await openMemoryRegistry();
  onTestFinished(close);
  const now = registry.now().toISOString();
  const lasts = { now: '2025-12-30T00:00:00.000Z', expires_at: now };
  await registry.store.transaction(async ({ sessions }) => {
    for (let n = 0; n < 10_001; n += 1) {
      const session = { subject: `user${n % 10}`, session_id: `s${n}` };
      await sessions.remember(1, session, 'a', CHOICE, lasts);
    }
  });
  let transactions = 0;
  const stop = new AbortController();
  const store = { ...registry.store };
  store.transaction = (work) => {
    transactions += 1;
    stop.abort();
    return registry.store.transaction(work);
  };
  await sweepShared({ ...registry, store }, stop.signal);
  expect(transactions).toBe(1);
  await sweepShared({ ...registry, store }, signal);
  expect(transactions).toBe(4);
  expect(await registry.store.transaction(({ sessions }) => sessions.prune(now, 1))).toBe(0);
});
