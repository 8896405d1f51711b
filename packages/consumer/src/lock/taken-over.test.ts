import { expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { openLocalState } from './local-state.ts';
import { makeStateFolder } from './state-folder.ts';
import { readTakenOver, rememberTakenOver } from './taken-over.ts';

const ROW = { path: 'AGENTS.md', backup: '.catalog/backup/AGENTS.md.1', hash: 'sha256:0' };

test('readTakenOver ignores a record that a clone contains', () => {
  const directory = temporaryFolder();
  const state = openLocalState(directory, temporaryFolder());
  makeStateFolder(directory);
  rememberTakenOver(state, [ROW]);
  expect(readTakenOver(state)).toEqual([ROW]);
  writeTree(directory, { '.catalog/state/taken-over.json': JSON.stringify([ROW]) });
  expect(readTakenOver(state)).toEqual([]);
});
