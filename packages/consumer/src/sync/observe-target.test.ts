import { truncateSync } from 'node:fs';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { observeTarget } from './observe-target.ts';

test.each([
  [MAX_FILE_BYTES, 'file'],
  [MAX_FILE_BYTES + 1, 'other'],
])(
  "observeTarget reads a file up to the maximum size of an artifact's file: %i bytes",
  (size, kind) => {
    const folder = temporaryFolder();
    writeTree(folder, { 'a/b.bin': '' });
    truncateSync(`${folder}/a/b.bin`, size);
    expect(observeTarget(folder, new Map(), new Set())('a/b.bin').kind).toBe(kind);
  },
);

test('observeTarget reports a folder in place of a file that this sync removes', () => {
  const folder = temporaryFolder();
  writeTree(folder, { 'a/run/all.sh': 'echo all\n' });
  expect(observeTarget(folder, new Map(), new Set(['a/run']))('a/run/all.sh').kind).toBe('file');
});
