import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { hashNamedFiles, wordsOfShellLine } from './named-files.ts';

function openPlace() {
  const root = temporaryFolder();
  const workspace = `${root}/work`;
  const home = `${root}/home`;
  mkdirSync(home);
  writeTree(workspace, { 'run.sh': 'one', 'data.json': '{}', 'tool/go': '#!/bin/sh\n', log: '' });
  writeTree(root, { 'home/own.py': 'two', 'else.sh': 'three' });
  const find = (words: readonly string[], counts: 'files' | 'scripts' = 'scripts') =>
    hashNamedFiles([{ words, base: workspace, counts }], { workspace, home }).map(({ path }) =>
      path.slice(root.length + 1),
    );
  return { root, workspace, find, config: { workspace, home } };
}

describe('hashNamedFiles', () => {
  test.each([
    [['./run.sh'], ['work/run.sh']],
    [['sh', 'run.sh'], ['work/run.sh']],
    [['node', '--import=./run.sh', 'log'], ['work/run.sh']],
    [['python3', '~/own.py'], ['home/own.py']],
    [['tool/go', 'data.json'], ['work/tool/go']],
    [['sh', 'tool/go'], ['work/tool/go']],
    [wordsOfShellLine('cd x && sh "./run.sh" > log'), ['work/run.sh']],
    [['run.sh'], []],
    [['sh', 'missing.sh', 'tool'], []],
  ])('finds the files in %j', (words, found) => {
    expect(openPlace().find(words)).toEqual(found);
  });

  test('includes data files only for `files`', () => {
    const { find } = openPlace();
    expect(find(['jq', '-f', 'data.json'])).toEqual([]);
    expect(find(['jq', '-f', 'data.json'], 'files')).toEqual(['work/data.json']);
  });

  test('includes an executable file with any name', () => {
    const { workspace, find } = openPlace();
    chmodSync(`${workspace}/data.json`, 0o755);
    expect(find(['env', 'data.json'])).toEqual(['work/data.json']);
  });

  test('includes absolute paths only inside the workspace', () => {
    const { root, workspace, find } = openPlace();
    expect(find([`${workspace}/run.sh`])).toEqual(['work/run.sh']);
    expect(find([`${root}/else.sh`])).toEqual([]);
  });

  test('returns the hash of each file once', () => {
    const { workspace, config } = openPlace();
    const line = { words: ['./run.sh'], base: workspace, counts: 'scripts' as const };
    expect(hashNamedFiles([line, line], config)).toEqual([
      { path: `${workspace}/run.sh`, hash: bytesHash('one') },
    ]);
  });

  test('throws for a file that is too large to hash', () => {
    const { workspace, find } = openPlace();
    writeFileSync(`${workspace}/big.sh`, '');
    truncateSync(`${workspace}/big.sh`, 65 * 1024 * 1024);
    expect(() => find(['./big.sh'])).toThrow(expect.objectContaining({ code: 'config.invalid' }));
  });
});
