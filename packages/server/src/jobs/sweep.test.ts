import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startSweep } from './sweep.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('startSweep sweeps at startup and at every interval, one sweep at a time', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  let calls = 0;
  let release = (): void => {};
  const sweep = startSweep(open.registry, {
    interval_ms: 1000,
    listTenants: async () => {
      calls += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return [1];
    },
    onFailure: (cause) => expect.unreachable(String(cause)),
  });
  expect(calls).toBe(1);
  vi.advanceTimersByTime(3000);
  expect(calls).toBe(1);
  release();
  await settle();
  vi.advanceTimersByTime(1000);
  expect(calls).toBe(2);
  let isClosed = false;
  const close = async (): Promise<void> => {
    await sweep.close();
    isClosed = true;
  };
  const closed = close();
  await settle();
  expect(isClosed).toBe(false);
  release();
  await closed;
  vi.advanceTimersByTime(5000);
  expect(calls).toBe(2);
});

test('a sweep removes expired sessions and deliveries', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  const { registry } = open;
  const now = '2025-12-30T00:00:00.000Z';
  const delivery = { delivery_id: 'd', job: 'first', now };
  const session = { subject: 'ann', session_id: 's' };
  await registry.store.transaction(async (writes) => {
    const choice = { layer: 1, version: '1.0.0' };
    await writes.sessions.remember(1, session, 'a', choice, {
      now,
      expires_at: '2025-12-31T00:00:00.000Z',
    });
    await writes.sessions.remember(1, session, 'b', choice, {
      now,
      expires_at: '2026-12-31T00:00:00.000Z',
    });
    await writes.deliveries.record(1, 1, delivery);
  });
  const sweep = startSweep(registry, {
    interval_ms: 1000,
    listTenants: async () => [1],
    onFailure: (cause) => expect.unreachable(String(cause)),
  });
  await settle();
  await sweep.close();
  expect(await registry.store.sessions.get(1, session, 'a', now)).toBeUndefined();
  expect(await registry.store.sessions.get(1, session, 'b', now)).toBeDefined();
  const again = { ...delivery, job: 'second' };
  const known = await registry.store.transaction((writes) => writes.deliveries.record(1, 1, again));
  expect(known).toBeUndefined();
});

test('a failed sweep is reported, and the next one runs', async () => {
  const open = await openMemoryRegistry();
  onTestFinished(() => open.close());
  const failures: unknown[] = [];
  let calls = 0;
  const sweep = startSweep(open.registry, {
    interval_ms: 1000,
    listTenants: async () => {
      calls += 1;
      if (calls === 1) throw new Error('the store is locked');
      return [1];
    },
    onFailure: (cause) => failures.push(cause),
  });
  await settle();
  vi.advanceTimersByTime(1000);
  await settle();
  await sweep.close();
  expect([calls, failures]).toEqual([2, [new Error('the store is locked')]]);
});
