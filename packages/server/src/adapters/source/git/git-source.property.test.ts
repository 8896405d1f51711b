import { join } from 'node:path';
import {
  anyHistory,
  anyLayer,
  applyChanges,
  changesBetween,
  type LayerFiles,
} from '@catalog/testkit/arbitrary-layer';
import { createGitRepository, type GitChange } from '@catalog/testkit/git-repository';
import {
  applyReading,
  describeSnapshot,
  rejectedKeys,
  type LayerModel,
} from '@catalog/testkit/layer-model';
import { openGitSource } from '@catalog/testkit/git-source';
import { layerRecord } from '@catalog/testkit/layer-record';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { readLayer } from '@catalog/core/node/read-layer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

const LIVE = new AbortController().signal;
const TEST_TIMEOUT_MS = 120_000;

function nestUnderFolders(
  folders: Readonly<Record<string, Readonly<Record<string, GitChange>>>>,
): Record<string, GitChange> {
  const all: Record<string, GitChange> = {};
  for (const [folder, changes] of Object.entries(folders)) {
    for (const [path, change] of Object.entries(changes)) all[`${folder}/${path}`] = change;
  }
  return all;
}

test(
  'a commit and a folder with the same files are read the same way',
  async () => {
    const source = openGitSource();
    await fc.assert(
      fc.asyncProperty(fc.array(anyLayer, { minLength: 12, maxLength: 12 }), async (layers) => {
        const disk = temporaryFolder();
        const repository = createGitRepository(join(temporaryFolder(), 'r.git'));
        const other = { 'data.txt': 'other' };
        const changes = nestUnderFolders({
          ...Object.fromEntries(layers.map((files, index) => [`t${index}`, files])),
          other,
        });
        applyChanges(disk, changes);
        repository.commit(changes);
        for (const [index] of layers.entries()) {
          const root = `t${index}`;
          const layer = layerRecord({ repo: repository.path, root });
          const reading = await source.read(1, layer, { full: false, retry: [] }, LIVE);
          const folder = readLayer(join(disk, root), layer.id);
          expect(describeSnapshot(reading.snapshot)).toEqual(describeSnapshot(folder.snapshot));
          expect(reading.snapshot.packages).toEqual(folder.snapshot.packages);
        }
      }),
      { numRuns: 3 },
    );
  },
  TEST_TIMEOUT_MS,
);

test(
  'incremental reads add up to a full read',
  async () => {
    const source = openGitSource();
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const disk = temporaryFolder();
        const repository = createGitRepository(join(temporaryFolder(), 'r.git'));
        const model: LayerModel = new Map();
        let layer = layerRecord({ repo: repository.path, root: 't' });
        let before: LayerFiles = {};
        for (const [index, files] of history.entries()) {
          const changes = nestUnderFolders({ t: changesBetween(before, files) });
          applyChanges(disk, changes);
          repository.commit(changes);
          before = files;
          const retry = rejectedKeys(model);
          const reading = await source.read(1, layer, { full: false, retry }, LIVE);
          expect(reading.complete).toBe(index === 0);
          applyReading(model, reading);
          layer = { ...layer, source_state: reading.source_state };
          const whole = readLayer(join(disk, 't'), layer.id);
          expect(model).toEqual(describeSnapshot(whole.snapshot));
        }
      }),
      { numRuns: 3 },
    );
  },
  TEST_TIMEOUT_MS,
);
