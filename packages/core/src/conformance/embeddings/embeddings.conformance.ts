import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { PendingEmbedding } from '../../ports/embeddings.ts';
import { createLayers, newHead, openForTest, type OpenStore } from '../samples.conformance.ts';
import { embeddingMachineConformance } from './embedding-machine.conformance.ts';
import { embeddingRunsConformance } from './embedding-runs.conformance.ts';
import {
  addModel,
  claim,
  minute,
  MODEL,
  names,
  putDocuments,
  putDomain,
  removeDocuments,
} from './waiting-samples.conformance.ts';

const OTHER = { name: 'test/two/4/t1', dimensions: 4 };

export function embeddingsConformance(open: OpenStore): void {
  describe('embeddings', () => {
    modelConformance(open);
    waitingConformance(open);
    claimConformance(open);
    removalConformance(open);
    embeddingRunsConformance(open);
    embeddingMachineConformance(open);
  });
}

function modelConformance(open: OpenStore): void {
  test('adds a model once, updates its time, marks it ready and drops it', async () => {
    const store = await openForTest(open);
    const { embeddings } = store;
    expect(await embeddings.listModels()).toEqual([]);
    const first = { ...MODEL, external: false, ready: true, wanted_at: minute(0) };
    expect(await addModel(store)).toEqual(first);
    const second = { ...OTHER, external: true, ready: false, wanted_at: minute(0) };
    expect(await addModel(store, OTHER, true)).toEqual(second);
    await embeddings.addModel({ ...MODEL, external: false, now: minute(5) });
    expect(await embeddings.listModels()).toEqual([{ ...first, wanted_at: minute(5) }, second]);
    await embeddings.markReady(OTHER.name);
    await embeddings.markReady('test/unknown');
    expect(await embeddings.listModels()).toMatchObject([{}, { ...second, ready: true }]);
    await embeddings.dropModel(MODEL.name);
    await embeddings.dropModel(MODEL.name);
    expect(await embeddings.listModels()).toMatchObject([OTHER]);
  });

  test('marks the first model as ready only if there is nothing to embed', async () => {
    const store = await openForTest(open);
    await putDocuments(store, 1, 1, ['a']);
    expect(await addModel(store)).toMatchObject({ ready: false });
  });

  test('rejects a known model with other dimensions', async () => {
    const store = await openForTest(open);
    await addModel(store);
    await expect(addModel(store, { ...MODEL, dimensions: 9 })).rejects.toMatchObject({
      code: 'config.invalid',
    });
    expect(await store.embeddings.listModels()).toMatchObject([MODEL]);
  });

  test('creates pending entries once if a model is added concurrently', async () => {
    const store = await openForTest(open);
    await putDocuments(store, 1, 1, ['a', 'b']);
    await Promise.all([addModel(store), addModel(store), addModel(store)]);
    expect(await store.embeddings.listModels()).toHaveLength(1);
    expect(names(await claim(store))).toEqual(['1 1 artifact a', '1 1 artifact b']);
  });

  test('makes all documents pending for a new model, and none for a dropped one', async () => {
    const store = await openForTest(open);
    await putDocuments(store, 1, 1, ['a']);
    await putDocuments(store, 1, 2, ['a']);
    await putDocuments(store, 7, 1, ['b']);
    await putDomain(store, 1, 3, 'ops');
    const all = ['1 1 artifact a', '1 2 artifact a', '1 3 domain ops', '7 1 artifact b'];
    await addModel(store);
    expect(names(await claim(store))).toEqual(all);
    await addModel(store, OTHER);
    expect(names(await claim(store, 0, { model: OTHER.name }))).toEqual(all);
    await store.embeddings.dropModel(OTHER.name);
    expect(await claim(store, 99, { model: OTHER.name })).toEqual([]);
    expect(await store.embeddings.countWaiting(OTHER.name)).toEqual({
      waiting: 0,
      oldest_at: null,
    });
    await addModel(store, OTHER);
    expect(names(await claim(store, 0, { model: OTHER.name }))).toEqual(all);
  });

  test.each(['a tenant that is there', 'a new tenant'])(
    'keeps a document for %s that is put while a model is added',
    async (which) => {
      const store = await openForTest(open);
      if (which === 'a tenant that is there') await putDocuments(store, 3, 1, ['first']);
      const put = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const putting = store.transaction(async ({ search }) => {
        await search.putDocuments(3, 1, [newHead({ id: 'a' })]);
        put.resolve();
        await goOn.promise;
      });
      await put.promise;
      const adding = addModel(store);
      // By then, addModel has read the rows and waits for the lock.
      await delay(100);
      goOn.resolve();
      await Promise.all([putting, adding]);
      expect(names(await claim(store))).toContain('3 1 artifact a');
    },
  );

  test('keeps all of many documents that are put while a model is added', async () => {
    const store = await openForTest(open);
    const ids = Array.from({ length: 30 }, (_, place) => `d/${place}`);
    const puts = ids.map((id, place) => putDocuments(store, 1 + (place % 3), 1, [id]));
    await Promise.all([addModel(store), ...puts, addModel(store)]);
    const waiting = await claim(store);
    expect(waiting.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  });
}

function waitingConformance(open: OpenStore): void {
  test('makes put documents pending for every model as of their transaction', async () => {
    const store = await openForTest(open);
    await addModel(store);
    await addModel(store, OTHER);
    await putDocuments(store, 1, 1, ['a', 'b']);
    await putDomain(store, 1, 1, 'ops');
    const all = ['1 1 artifact a', '1 1 artifact b', '1 1 domain ops'];
    expect(names(await claim(store))).toEqual(all);
    expect(names(await claim(store, 0, { model: OTHER.name }))).toEqual(all);
    expect(await claim(store, 0, { model: 'test/unknown' })).toEqual([]);
    const { waiting, oldest_at } = await store.embeddings.countWaiting(MODEL.name);
    expect(waiting).toBe(3);
    expect(Date.parse(oldest_at ?? '')).toBeGreaterThan(0);
  });

  test('does not make documents of a rolled-back transaction pending', async () => {
    const store = await openForTest(open);
    await addModel(store);
    await putDocuments(store, 1, 1, ['a']);
    await expect(
      store.transaction(async ({ search }) => {
        await search.removeDocuments(1, 1, ['a']);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(names(await claim(store))).toEqual(['1 1 artifact a']);
  });

  test('notifies commit listeners if a commit makes a document pending', async () => {
    const store = await openForTest(open);
    await addModel(store);
    let calls = 0;
    const stop = store.onCommit(() => (calls += 1));
    await putDocuments(store, 1, 1, ['a']);
    await nextTurn();
    expect(calls).toBeGreaterThan(0);
    calls = 0;
    await putDomain(store, 1, 1, 'ops');
    await nextTurn();
    expect(calls).toBeGreaterThan(0);
    stop();
  });

  test('lists pending documents with the reason of the last failure', async () => {
    const store = await openForTest(open);
    await addModel(store);
    await putDocuments(store, 1, 1, ['a', 'b', 'c']);
    const [first] = await claim(store, 0, { limit: 1 });
    if (first === undefined) throw new Error('nothing waits');
    const { embeddings } = store;
    await embeddings.postponeWaiting(1, MODEL.name, [
      { ...first, reason: 'too long', not_before: minute(30) },
    ]);
    const keys = ['a', 'b', 'x'].map((id) => ({ layer: 1, id }));
    const found = await embeddings.listWaitingOf(1, MODEL.name, keys);
    expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { layer: 1, id: 'a', attempts: 1, reason: 'too long' },
      { layer: 1, id: 'b', attempts: 0, reason: null },
    ]);
    expect(await embeddings.listWaitingOf(2, MODEL.name, keys)).toEqual([]);
    expect(await embeddings.listWaitingOf(1, OTHER.name, keys)).toEqual([]);
  });
}

function claimConformance(open: OpenStore): void {
  test('claims the oldest entries first, each only once until its lease ends', async () => {
    const store = await openForTest(open);
    await addModel(store);
    for (const id of ['a', 'b', 'c']) await putDocuments(store, 1, 1, [id]);
    const ids = (claimed: PendingEmbedding[]): string[] => claimed.map(({ id }) => id);
    expect(ids(await claim(store, 0, { limit: 2 }))).toEqual(['a', 'b']);
    expect(ids(await claim(store, 9))).toEqual(['c']);
    expect(ids(await claim(store, 9))).toEqual([]);
    expect(ids(await claim(store, 10)).sort()).toEqual(['a', 'b']);
  });

  test('distributes entries among concurrent claims', async () => {
    const store = await openForTest(open);
    await addModel(store);
    const ids = Array.from({ length: 60 }, (_, place) => `d/${place}`);
    await putDocuments(store, 1, 1, ids);
    const claims = await Promise.all(ids.slice(0, 6).map(() => claim(store, 0, { limit: 10 })));
    const rest = await claim(store);
    const claimed = [...claims.flat(), ...rest].map(({ id }) => id);
    expect(claimed.toSorted()).toEqual(ids.toSorted());
  });

  test('finishes only unchanged entries, of one tenant and model', async () => {
    const store = await openForTest(open);
    const { embeddings } = store;
    await addModel(store);
    await addModel(store, OTHER);
    await putDocuments(store, 1, 1, ['a', 'b']);
    const claimed = await claim(store);
    await putDomain(store, 1, 1, 'ops');
    const domain = await claim(store);
    expect(await embeddings.listUnchanged(1, MODEL.name, [...claimed, ...domain])).toEqual([
      ...claimed,
      ...domain,
    ]);
    await embeddings.finishWaiting(1, MODEL.name, domain);
    await putDocuments(store, 1, 1, ['b']);
    const a = claimed.filter(({ id }) => id === 'a');
    expect(await embeddings.listUnchanged(1, MODEL.name, [...claimed, ...domain])).toEqual(a);
    expect(await embeddings.listUnchanged(2, MODEL.name, claimed)).toEqual([]);
    expect(await embeddings.listUnchanged(1, 'test/unknown', claimed)).toEqual([]);
    await embeddings.finishWaiting(2, MODEL.name, claimed);
    expect(await embeddings.countWaiting(MODEL.name)).toMatchObject({ waiting: 2 });
    await embeddings.finishWaiting(1, MODEL.name, claimed);
    const again = await claim(store);
    expect(names(again)).toEqual(['1 1 artifact b']);
    const stampOf = (some: PendingEmbedding[]): number =>
      some.find(({ id }) => id === 'b')?.stamp ?? 0;
    expect(stampOf(again)).toBeGreaterThan(stampOf(claimed));
    expect(await embeddings.countWaiting(OTHER.name)).toMatchObject({ waiting: 3 });
  });

  test('allows released entries to be claimed immediately, and failed ones after their pause', async () => {
    const store = await openForTest(open);
    const { embeddings } = store;
    await addModel(store);
    await putDocuments(store, 1, 1, ['a', 'b']);
    const claimed = await claim(store);
    const [a, b] = claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    if (a === undefined || b === undefined) throw new Error('two wait');
    await embeddings.releaseWaiting(1, MODEL.name, [a]);
    await embeddings.postponeWaiting(1, MODEL.name, [
      { ...b, reason: 'down', not_before: minute(3) },
    ]);
    expect(await claim(store, 1)).toMatchObject([{ id: 'a', attempts: 0 }]);
    expect(await claim(store, 3)).toMatchObject([{ id: 'b', attempts: 1 }]);
    await putDocuments(store, 1, 1, ['b']);
    expect(await claim(store, 3)).toMatchObject([{ id: 'b', attempts: 0 }]);
  });

  test('ignores release and postpone for a claim from before a change of the document', async () => {
    const store = await openForTest(open);
    const { embeddings } = store;
    await addModel(store);
    await putDocuments(store, 1, 1, ['a']);
    const old = await claim(store);
    await putDocuments(store, 1, 1, ['a']);
    expect(await claim(store)).toHaveLength(1);
    await embeddings.releaseWaiting(1, MODEL.name, old);
    const failed = old.map((row) => ({ ...row, reason: 'down', not_before: minute(0) }));
    await embeddings.postponeWaiting(1, MODEL.name, failed);
    expect(await claim(store)).toEqual([]);
    expect(await claim(store, 10)).toMatchObject([{ id: 'a', attempts: 0 }]);
  });
}

function removalConformance(open: OpenStore): void {
  test('drops pending entries of removed documents, unless an external store must delete the vector', async () => {
    const store = await openForTest(open);
    const { embeddings } = store;
    await addModel(store);
    await addModel(store, OTHER, true);
    await putDocuments(store, 1, 1, ['a', 'b', 'c']);
    await putDomain(store, 1, 1, 'ops');
    await embeddings.finishWaiting(1, OTHER.name, await claim(store, 0, { model: OTHER.name }));
    await removeDocuments(store, 1, 1, ['a', 'b']);
    await store.transaction(({ domains }) => domains.removeDomains(1, 1, ['ops']));
    expect(names(await claim(store))).toEqual(['1 1 artifact c']);
    const removed = ['1 1 artifact a removed', '1 1 artifact b removed', '1 1 domain ops removed'];
    const claimed = await claim(store, 0, { model: OTHER.name });
    expect(names(claimed)).toEqual(removed);
    expect(await embeddings.listWaitingOf(1, OTHER.name, [{ layer: 1, id: 'a' }])).toEqual([]);
    await putDocuments(store, 1, 1, ['b']);
    await embeddings.finishWaiting(1, OTHER.name, claimed);
    expect(names(await claim(store, 0, { model: OTHER.name }))).toEqual(['1 1 artifact b']);
  });

  test('keeps a removed and re-added document pending if an older claim finishes', async () => {
    const store = await openForTest(open);
    await addModel(store);
    await putDocuments(store, 1, 1, ['a']);
    const old = await claim(store);
    await removeDocuments(store, 1, 1, ['a']);
    await putDocuments(store, 1, 1, ['a']);
    await store.embeddings.finishWaiting(1, MODEL.name, old);
    expect(names(await claim(store))).toEqual(['1 1 artifact a']);
  });

  test('drops pending entries of a purged layer', async () => {
    const store = await openForTest(open);
    await addModel(store);
    await addModel(store, OTHER, true);
    const [first, second] = await createLayers(store, 1, ['one', 'two']);
    const [gone, kept] = [first?.number ?? 0, second?.number ?? 0];
    await putDocuments(store, 1, gone, ['a', 'b']);
    await putDocuments(store, 1, kept, ['a']);
    await putDomain(store, 1, gone, 'ops');
    await store.transaction(({ layers }) => layers.purge(1, gone));
    expect(names(await claim(store))).toEqual([`1 ${kept} artifact a`]);
    const outside = await claim(store, 0, { model: OTHER.name });
    expect(names(outside.filter(({ removed }) => removed))).toEqual([
      `1 ${gone} artifact a removed`,
      `1 ${gone} artifact b removed`,
      `1 ${gone} domain ops removed`,
    ]);
  });
}
