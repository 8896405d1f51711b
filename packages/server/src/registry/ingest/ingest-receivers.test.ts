import type { StoreWrites } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test, vi } from 'vitest';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: What to do.\n---\nDo it.\n';
const PACKAGES = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`ops/a${index}`, { 'ARTIFACT.md': RULE }]),
);

async function recordIngest(receivers: number): Promise<string[]> {
  const open = await openMemoryRegistry();
  onTestFinished(open.close);
  const { store } = open.registry;
  await open.addLayer('x');
  for (let index = 0; index < receivers; index += 1) {
    await store.transaction((writes) => writes.receivers.add(ONLY_TENANT, newReceiver(index)));
  }
  const before = await store.receivers.list(ONLY_TENANT);
  const calls: string[] = [];
  const transaction = store.transaction.bind(store);
  vi.spyOn(store, 'transaction').mockImplementation((work) =>
    transaction((writes) => work(recordCalls(writes, calls))),
  );
  expect((await open.ingest('x', { packages: PACKAGES })).accepted).toBe(20);
  expect((await store.outbox.bounds(ONLY_TENANT)).newest).toBeGreaterThanOrEqual(21);
  expect(await store.receivers.list(ONLY_TENANT)).toEqual(before);
  expect(await store.dispatches.depth()).toMatchObject({ pending: 0 });
  return calls;
}

function newReceiver(index: number) {
  return {
    id: `r${index}`,
    url: 'https://hooks.example.com/catalog',
    secret: 'a secret',
    previous_secret: null,
    previous_secret_until: null,
    event_filter: null,
    debounce_ms: null,
    ordered: false,
    disabled_by: null,
    created_at: '2026-01-02T03:04:05.000Z',
    cursor: 0,
    window_end: null,
    paused_until: null,
    failure_count: 0,
    failing_since: null,
    last_delivery: null,
    last_failure: null,
  };
}

function recordCalls(writes: StoreWrites, calls: string[]): StoreWrites {
  return new Proxy(writes, {
    get(target, name: keyof StoreWrites) {
      const part: object = target[name];
      return new Proxy(part, {
        get(functions, called) {
          calls.push(`${name}.${String(called)}`);
          return Reflect.get(functions, called);
        },
      });
    },
  });
}

test('an ingest writes no rows for receivers, regardless of their number', async () => {
  const calls = await recordIngest(10);
  expect(calls).toContain('outbox.append');
  expect(calls.filter((call) => /^(?:receivers|dispatches)\./.test(call))).toEqual([]);
  expect(calls).toEqual(await recordIngest(0));
});
