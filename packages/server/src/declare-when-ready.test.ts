import type { Availability, StoreNotice } from '@catalog/core/ports/availability';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expect, onTestFinished, test } from 'vitest';
import { declareWhenReady } from './declare-when-ready.ts';

function createStore(availability: Availability) {
  const listeners = new Set<(notice: StoreNotice) => void>();
  return {
    listeners,
    availability: () => availability,
    onNotice(listener: (notice: StoreNotice) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(kind: 'read_only_exited' | 'read_only_entered') {
      const notice = { at: new Date(0), primary: 'a', kind, reason: '' };
      for (const listener of listeners) listener(notice);
    },
  };
}

function toDeclaring(store: ReturnType<typeof createStore>) {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  return { store, stopping: stopping.signal };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('declareWhenReady declares before it returns if the store accepts writes', async () => {
  const store = createStore({ mode: 'ready' });
  let declared = 0;
  const registry = toDeclaring(store);
  await declareWhenReady(registry, async () => void (declared += 1), { error: () => undefined });
  expect([declared, store.listeners.size]).toEqual([1, 0]);
  const refusal = declareWhenReady(registry, () => Promise.reject(new Error('taken')), {
    error: () => undefined,
  });
  await expect(refusal).rejects.toThrow('taken');
});

test('declareWhenReady waits for a writable store and retries after failures', async () => {
  const store = createStore({ mode: 'read_only', lag_seconds: 0 });
  const errors: unknown[] = [];
  let tries = 0;
  const declare = async (): Promise<void> => {
    tries += 1;
    if (tries < 3) throw new Error(`gone again ${tries}`);
  };
  await declareWhenReady(toDeclaring(store), declare, {
    error: (fields: unknown) => errors.push(fields),
  });
  store.tell('read_only_entered');
  await settle();
  expect(tries).toBe(0);
  for (let time = 0; time < 5; time += 1) {
    store.tell('read_only_exited');
    await settle();
  }
  expect(tries).toBe(3);
  expect(errors).toEqual([
    { error: new Error('gone again 1') },
    { error: new Error('gone again 2') },
  ]);
  expect(store.listeners.size).toBe(0);
});

test('declareWhenReady retries a transient failure without another store notice', async () => {
  const availabilities: Availability[] = [{ mode: 'read_only', lag_seconds: 0 }];
  const store = {
    ...createStore({ mode: 'ready' }),
    availability: (): Availability => availabilities.shift() ?? { mode: 'ready' },
  };
  const errors: unknown[] = [];
  const declared = Promise.withResolvers<void>();
  let tries = 0;
  const declare = async (): Promise<void> => {
    tries += 1;
    if (tries < 3) throw new CatalogError('registry.unavailable', 'The database is unreachable.');
    declared.resolve();
  };
  await declareWhenReady(toDeclaring(store), declare, {
    error: (fields: unknown) => errors.push(fields),
  });
  store.tell('read_only_exited');
  await declared.promise;
  expect(errors).toHaveLength(1);
  await settle();
  expect(store.listeners.size).toBe(0);
});
