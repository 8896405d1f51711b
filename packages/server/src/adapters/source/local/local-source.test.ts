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
/** Longer than a step of a file system's clock, so that what was read can be trusted. */
const CLOCK_STEPS_MS = 60;

/** A layer in a folder, read again and again as a registry does. */
function openLayer(root: string): {
  read(request?: { full?: boolean; retry?: string[] }): Promise<SourceReading>;
  /** As another process would, which remembers nothing. */
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

describe('a folder', () => {
  test('is read whole the first time and when asked, else where it changed', async () => {
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

  test('that did not change costs a walk and no reading, also after a restart', async () => {
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

  test('that changed while nobody looked is read whole', async () => {
    const root = await twoRules();
    const layer = openLayer(root);
    await layer.read();
    layer.restart();
    rmSync(join(root, 'a'), { recursive: true });
    const reading = await layer.read();
    expect([reading.complete, idsOf(reading)]).toEqual([true, ['b']]);
  });

  test('says what left it', async () => {
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

  test('sees an edit that leaves size and modification time alone', async () => {
    const root = await twoRules();
    const file = join(root, 'a/ARTIFACT.md');
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const layer = openLayer(root);
    await layer.read();
    writeFileSync(file, RULE.replace('Body', 'Ydob'));
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    expect(idsOf(await layer.read())).toEqual(['a']);
  });

  test('sees through a link that its target changed', async () => {
    const root = await twoRules();
    symlinkSync('../b/data.txt', join(root, 'a/linked.txt'));
    await delay(CLOCK_STEPS_MS);
    const layer = openLayer(root);
    await layer.read();
    writeFileSync(join(root, 'b/data.txt'), '22');
    expect(idsOf(await layer.read())).toEqual(['a', 'b']);
  });

  test.each(['missing', 'a/ARTIFACT.md'])(
    'is unreachable where there is none: %s',
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

  test('that holds too much is refused, the first time and later', async () => {
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

/** A folder that nothing is read of appears, and its name is that of a link but for the case. */
const TWIN_OF_A_LINK: LayerFiles[] = [
  { a: { link: 'ARTIFACT.md' }, 'kept.md': 'kept' },
  { a: { link: 'ARTIFACT.md' }, 'kept.md': 'kept', 'A/.hidden/ARTIFACT.md': { link: '../..' } },
];

test('reading what changed adds up to reading everything, whoever remembers', async () => {
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
    { numRuns: 60, examples: [[TWIN_OF_A_LINK, [false, true]]] },
  );
});
