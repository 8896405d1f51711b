import type { Availability } from '@catalog/core/ports/availability';
import type { Store } from '@catalog/core/ports/store';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestIngest } from '../ingest/request-ingest.ts';
import { waitForIngest } from './wait-for-ingest.ts';

const NEVER = new AbortController().signal;

let open: MemoryRegistry;
let job: string;
let listening: number;
let store: Store;

beforeEach(async () => {
  open = await openMemoryRegistry();
  await open.addLayer('base');
  const { registry } = open;
  listening = 0;
  store = {
    ...registry.store,
    onCommit: (listener) => {
      listening += 1;
      const stop = registry.store.onCommit(listener);
      return () => {
        listening -= 1;
        stop();
      };
    },
  };
  const queued = await registry.store.transaction((writes) =>
    requestIngest(registry, writes, 1, { layer_id: 'base', full: true, trigger: 'reingest' }),
  );
  ({ job } = queued);
});

afterEach(() => open.close());

test('waitForIngest returns the job after its end and removes its listener', async () => {
  const ended = waitForIngest(store, 1, job, NEVER);
  await open.runWaiting();
  expect(await ended).toMatchObject({ job, state: 'done', report: { layer: 'base' } });
  expect(await waitForIngest(store, 1, job, NEVER)).toMatchObject({ state: 'done' });
  expect(listening).toBe(0);
});

test('detects an end that another process committed', async () => {
  const deaf: Store = { ...store, onCommit: () => () => {} };
  const ended = waitForIngest(deaf, 1, job, NEVER);
  await open.runWaiting();
  expect(await ended).toMatchObject({ state: 'done' });
});

test("rejects when the caller's signal aborts", async () => {
  const controller = new AbortController();
  const ended = waitForIngest(store, 1, job, controller.signal);
  controller.abort();
  await expect(ended).rejects.toThrow(/abort/i);
  expect(listening).toBe(0);
  await expect(waitForIngest(store, 1, job, controller.signal)).rejects.toThrow(/abort/i);
});

test('rejects an unknown job', async () => {
  await expect(waitForIngest(store, 1, 'unknown', NEVER)).rejects.toMatchObject({
    code: 'registry.not_found',
  });
  expect(listening).toBe(0);
});

test('reports an interruption if the read moved to a standby without the job', async () => {
  let availability: Availability = { mode: 'ready' };
  const moving: Store = {
    ...store,
    availability: () => availability,
    jobs: {
      ...store.jobs,
      get: () => {
        availability = { mode: 'read_only', lag_seconds: 0 };
        return Promise.resolve(undefined);
      },
    },
  };
  await expect(waitForIngest(moving, 1, job, NEVER)).rejects.toMatchObject({
    code: 'registry.read_only',
  });
  expect(listening).toBe(0);
});
