import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import { readLayer } from '@catalog/core/node/read-layer';
import {
  anyHistory,
  applyChanges,
  changesBetween,
  type LayerFiles,
} from '@catalog/testkit/arbitrary-layer';
import { layerRecord } from '@catalog/testkit/layer-record';
import {
  applyReading,
  describeSnapshot,
  rejectedKeys,
  type LayerModel,
} from '@catalog/testkit/layer-model';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLocalSource } from './local-source.ts';

const LIVE = new AbortController().signal;
const LIMITS = { limits: { bytes: 1e9, files: 1e6 } };
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: A rule.\n---\nBody.\n';
/** Longer than the timestamp resolution of file systems, so that fingerprints are reliable. */
const CLOCK_STEPS_MS = 60;

function openLayer(root: string): {
  read(request?: { full?: boolean; retry?: string[] }): Promise<SourceReading>;
  restart(): void;
} {
  let source = createLocalSource(LIMITS);
  let layer = layerRecord({ source_type: 'local', local_path: root });
  return {
    read: async ({ full = false, retry = [] } = {}) => {
      const reading = await source.read(1, layer, { full, retry }, LIVE);
      layer = { ...layer, source_state: reading.source_state };
      return reading;
    },
    restart: () => {
      source = createLocalSource(LIMITS);
    },
  };
}

function idsOf(reading: SourceReading): string[] {
  return reading.snapshot.packages.map(({ id }) => id);
}

async function twoRules(): Promise<string> {
  const root = temporaryFolder();
  writeTree(root, { 'a/ARTIFACT.md': RULE, 'b/ARTIFACT.md': RULE, 'b/data.txt': '1' });
  await delay(CLOCK_STEPS_MS);
  return root;
}

describe('local source', () => {
  test('reads everything first and on request, and otherwise only changes', async () => {
    const root = await twoRules();
    const layer = openLayer(root);
    const first = await layer.read();
    expect([first.complete, idsOf(first), first.reference]).toEqual([true, ['a', 'b'], '']);
    writeFileSync(join(root, 'b/data.txt'), '2');
    const second = await layer.read();
    expect([second.complete, idsOf(second)]).toEqual([false, ['b']]);
    const third = await layer.read({ full: true });
    expect([third.complete, idsOf(third)]).toEqual([true, ['a', 'b']]);
  });

  test('reads no files of an unchanged folder, also after a restart', async () => {
    const root = await twoRules();
    const layer = openLayer(root);
    await layer.read();
    layer.restart();
    const unchanged = await layer.read();
    expect([unchanged.complete, idsOf(unchanged)]).toEqual([false, []]);
    expect(unchanged.removed).toEqual({ artifacts: [], domains: [] });
    const retried = await layer.read({ retry: ['b', 'gone'] });
    expect([idsOf(retried), retried.removed.artifacts]).toEqual([['b'], ['gone']]);
  });

  test('reads everything if the folder changed while the process was stopped', async () => {
    const root = await twoRules();
    const layer = openLayer(root);
    await layer.read();
    layer.restart();
    rmSync(join(root, 'a'), { recursive: true });
    const reading = await layer.read();
    expect([reading.complete, idsOf(reading)]).toEqual([true, ['b']]);
  });

  test('reports removed artifacts and domains', async () => {
    const root = await twoRules();
    writeTree(root, { 'ops/DOMAIN.md': '---\ndescription: Ops.\n---\n' });
    const layer = openLayer(root);
    await layer.read();
    renameSync(join(root, 'a'), join(root, 'c'));
    rmSync(join(root, 'ops'), { recursive: true });
    const { snapshot, removed } = await layer.read();
    expect(snapshot.packages.map(({ id }) => id)).toEqual(['c']);
    expect(removed).toEqual({ artifacts: ['a', 'ops/DOMAIN.md'], domains: ['ops'] });
  });

  test('detects an edit that keeps size and modification time', async () => {
    const root = await twoRules();
    const file = join(root, 'a/ARTIFACT.md');
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const layer = openLayer(root);
    await layer.read();
    writeFileSync(file, RULE.replace('Body', 'Ydob'));
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    expect(idsOf(await layer.read())).toEqual(['a']);
  });

  test('detects a changed target of a link', async () => {
    const root = await twoRules();
    symlinkSync('../b/data.txt', join(root, 'a/linked.txt'));
    await delay(CLOCK_STEPS_MS);
    const layer = openLayer(root);
    await layer.read();
    writeFileSync(join(root, 'b/data.txt'), '22');
    expect(idsOf(await layer.read())).toEqual(['a', 'b']);
  });

  test.each(['missing', 'a/ARTIFACT.md'])(
    'reports a missing folder as unreachable: %s',
    async (path) => {
      const root = await twoRules();
      const layer = openLayer(join(root, path));
      const error = await layer.read().catch((cause: unknown) => cause);
      expect(error).toMatchObject({
        code: 'ingest.source_unreachable',
        details: { layer: 'team' },
      });
      expect(String(error)).not.toContain(root);
    },
  );

  test('rejects a folder above the limits on every read', async () => {
    const root = await twoRules();
    const layer = layerRecord({ source_type: 'local', local_path: root });
    for (const limits of [
      { bytes: 10, files: 1e6 },
      { bytes: 1e9, files: 2 },
    ]) {
      const reading = createLocalSource({ limits }).read(1, layer, { full: true, retry: [] }, LIVE);
      await expect(reading).rejects.toMatchObject({ code: 'ingest.source_unreachable' });
    }
    const { source_state } = await createLocalSource(LIMITS).read(
      1,
      layer,
      { full: true, retry: [] },
      LIVE,
    );
    const grown = createLocalSource({ limits: { bytes: 1e9, files: 2 } });
    await expect(
      grown.read(1, { ...layer, source_state }, { full: false, retry: [] }, LIVE),
    ).rejects.toMatchObject({ code: 'ingest.source_unreachable' });
  });
});

const FOLDER_NAMED_LIKE_LINK: LayerFiles[] = [
  { a: { link: 'ARTIFACT.md' }, 'kept.md': 'kept' },
  { a: { link: 'ARTIFACT.md' }, 'kept.md': 'kept', 'A/.hidden/ARTIFACT.md': { link: '../..' } },
];

test('incremental reads add up to a full read, with and without memory', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, fc.array(fc.boolean()), async (history, restarts) => {
      const root = temporaryFolder();
      const layer = openLayer(root);
      const model: LayerModel = new Map();
      let before: LayerFiles = {};
      for (const [index, files] of history.entries()) {
        applyChanges(root, changesBetween(before, files));
        before = files;
        if (restarts[index] === true) layer.restart();
        applyReading(model, await layer.read({ retry: rejectedKeys(model) }));
        expect(model).toEqual(describeSnapshot(readLayer(root, 'team').snapshot));
      }
    }),
    { numRuns: 60, examples: [[FOLDER_NAMED_LIKE_LINK, [false, true]]] },
  );
});
