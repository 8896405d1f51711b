import { readdirSync, utimesSync } from 'node:fs';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { listPart } from './cache-folder.ts';

const DAY_SECONDS = 24 * 60 * 60;

test('listPart lists complete files and removes temporary files of crashed writers', () => {
  const folder = temporaryFolder();
  writeTree(folder, { 'packs/a': 'whole', 'packs/.running': 'part', 'packs/.died': 'part' });
  const now = Date.now() / 1000;
  utimesSync(`${folder}/packs/.running`, now - DAY_SECONDS / 2, now - DAY_SECONDS / 2);
  utimesSync(`${folder}/packs/.died`, now - DAY_SECONDS - 1, now - DAY_SECONDS - 1);
  expect(listPart(folder, 'packs').map(({ name }) => name)).toEqual(['a']);
  expect(readdirSync(`${folder}/packs`).toSorted()).toEqual(['.running', 'a']);
});
