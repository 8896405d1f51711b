import { expect, test } from 'vitest';
import { RUN_ATTEMPTS, type ReembedSelection } from '../../ports/embeddings.ts';
import type { Store } from '../../ports/store.ts';
import { openForTest, type OpenStore } from '../samples.conformance.ts';
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

function start(
  store: Store,
  run: string,
  selection: ReembedSelection,
): ReturnType<Store['embeddings']['startRun']> {
  return store.embeddings.startRun(1, MODEL.name, { run, selection, now: minute(1) });
}

async function embedAll(store: Store): Promise<void> {
  const claimed = await claim(store);
  for (const [layer, some] of Map.groupBy(claimed, (row) => row.layer)) {
    const vectors = some
      .filter(({ kind }) => kind === 'artifact')
      .map(({ id }) => ({ id, vector: new Float32Array([1, 0, 0, 0, 0, 0, 0, 0]) }));
    const shelf = { layer, kind: 'artifact', model: MODEL.name } as const;
    await store.vectors.putVectors(1, shelf, vectors);
  }
  await store.embeddings.finishWaiting(1, MODEL.name, claimed);
}

async function openEmbedded(open: OpenStore): Promise<Store> {
  const store = await openForTest(open);
  await store.vectors.addModel(MODEL);
  await addModel(store);
  await putDocuments(store, 1, 1, ['a', 'b'], minute(0));
  await putDocuments(store, 1, 2, ['b', 'c'], minute(5));
  await putDomain(store, 1, 1, 'ops');
  await embedAll(store);
  return store;
}

export function embeddingRunsConformance(open: OpenStore): void {
  test('a run makes all, selected or missing artifacts pending again', async () => {
    const store = await openEmbedded(open);
    await putDocuments(store, 2, 1, ['a']);
    await store.embeddings.finishWaiting(2, MODEL.name, await claim(store));
    const waits = async (run: string, selection: ReembedSelection): Promise<string[]> => {
      const started = await start(store, run, selection);
      const claimed = await claim(store);
      const of_run = { run, failures: [], created_at: minute(1) };
      expect(started).toEqual({ ...of_run, total: claimed.length, remaining: claimed.length });
      expect(await store.embeddings.getRun(1, run)).toEqual(started);
      await store.embeddings.finishWaiting(1, MODEL.name, claimed);
      expect(await store.embeddings.getRun(1, run)).toEqual({ ...started, remaining: 0 });
      return names(claimed);
    };
    const [a1, b1, b2, c2] = [
      '1 1 artifact a',
      '1 1 artifact b',
      '1 2 artifact b',
      '1 2 artifact c',
    ];
    expect(await waits('r1', { kind: 'all' })).toEqual([a1, b1, b2, c2]);
    expect(await waits('r2', { kind: 'since', since: minute(5) })).toEqual([b2, c2]);
    expect(await waits('r3', { kind: 'ids', ids: ['b', 'x', 'b'] })).toEqual([b1, b2]);
    expect(await waits('r4', { kind: 'missing' })).toEqual([]);
    const shelf = { layer: 1, kind: 'artifact', model: MODEL.name } as const;
    await store.vectors.removeVectors(1, shelf, ['a']);
    await putDocuments(store, 1, 2, ['c']);
    expect(await waits('r5', { kind: 'missing' })).toEqual([a1, c2]);
    expect(await store.embeddings.getRun(1, 'r0')).toBeUndefined();
    expect(await store.embeddings.getRun(2, 'r1')).toBeUndefined();
  });

  test('a run of missing artifacts since a time skips artifacts ingested before', async () => {
    const store = await openEmbedded(open);
    for (const [layer, id] of [
      [1, 'a'],
      [2, 'b'],
    ] as const) {
      const shelf = { layer, kind: 'artifact', model: MODEL.name } as const;
      await store.vectors.removeVectors(1, shelf, [id]);
    }
    const missing = async (run: string, since: string | undefined): Promise<string[]> => {
      await start(store, run, { kind: 'missing', since });
      const claimed = await claim(store);
      await store.embeddings.finishWaiting(1, MODEL.name, claimed);
      return names(claimed);
    };
    expect(await missing('r1', minute(6))).toEqual([]);
    expect(await missing('r2', minute(5))).toEqual(['1 2 artifact b']);
    expect(await missing('r3', minute(0))).toEqual(['1 1 artifact a', '1 2 artifact b']);
    expect(await missing('r4', undefined)).toEqual(['1 1 artifact a', '1 2 artifact b']);
  });

  test('a run counts an artifact as failed after the maximum number of attempts and still retries it', async () => {
    const store = await openEmbedded(open);
    await start(store, 'r', { kind: 'ids', ids: ['a', 'b'] });
    for (let attempt = 1; attempt <= RUN_ATTEMPTS; attempt += 1) {
      const claimed = await claim(store, attempt * 10);
      const failed = claimed
        .filter(({ id }) => id === 'b')
        .map((row) => ({ ...row, reason: `try ${attempt}`, not_before: minute(attempt * 10) }));
      await store.embeddings.postponeWaiting(1, MODEL.name, failed);
      const { remaining, failures } = (await store.embeddings.getRun(1, 'r')) ?? {};
      const isLast = attempt === RUN_ATTEMPTS;
      expect(remaining).toBe(isLast ? 1 : 3);
      const reason = `try ${attempt}`;
      expect(failures).toEqual(isLast ? [1, 2].map((layer) => ({ layer, id: 'b', reason })) : []);
    }
    expect(await claim(store, 1000)).toHaveLength(3);
  });

  test('an artifact that changes again stays in its run, and a later run replaces its own selection', async () => {
    const store = await openEmbedded(open);
    await start(store, 'first', { kind: 'all' });
    const old = await claim(store);
    await putDocuments(store, 1, 1, ['a']);
    await start(store, 'second', { kind: 'ids', ids: ['c'] });
    await store.embeddings.finishWaiting(1, MODEL.name, old);
    expect(await store.embeddings.getRun(1, 'first')).toMatchObject({ total: 4, remaining: 1 });
    expect(await store.embeddings.getRun(1, 'second')).toMatchObject({ total: 1, remaining: 1 });
    await removeDocuments(store, 1, 1, ['a']);
    expect(await store.embeddings.getRun(1, 'first')).toMatchObject({ total: 4, remaining: 0 });
  });

  test('a run with externally stored vectors selects pending artifacts as missing', async () => {
    const store = await openForTest(open);
    await addModel(store, MODEL, true);
    await putDocuments(store, 1, 1, ['a', 'b']);
    const claimed = await claim(store);
    await store.embeddings.finishWaiting(
      1,
      MODEL.name,
      claimed.filter(({ id }) => id === 'a'),
    );
    expect(await start(store, 'r', { kind: 'missing' })).toMatchObject({ total: 1 });
    await removeDocuments(store, 1, 1, ['b']);
    expect(await store.embeddings.getRun(1, 'r')).toMatchObject({ total: 1, remaining: 0 });
  });

  test('a run selects more artifacts than one step processes', async () => {
    const store = await openForTest(open);
    await addModel(store);
    const ids = Array.from({ length: 1_200 }, (_, place) => `d/${place}`);
    await putDocuments(store, 1, 1, ids);
    await store.embeddings.finishWaiting(1, MODEL.name, await claim(store, 0, { limit: 5_000 }));
    expect(await start(store, 'r', { kind: 'all' })).toMatchObject({ total: 1_200 });
    expect(await claim(store, 0, { limit: 5_000 })).toHaveLength(1_200);
  });
}
