import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { openParentGuard } from './parent-guard.ts';

function openPlace() {
  const root = temporaryFolder();
  writeTree(root, { 'work/a/b/x': '', 'work/a/b/y': '', 'outside/b/x': '' });
  const directory = `${root}/work`;
  return { root, directory, guard: openParentGuard(directory) };
}

const REFUSED = expect.objectContaining({ code: 'materialize.target_invalid' });

describe('ParentGuard with a folder replaced during a run', () => {
  test('accepts an unchanged folder', () => {
    const { guard } = openPlace();
    for (const path of ['a/b/x', 'a/b/y', 'z', 'a/b/x']) guard.check(path);
  });

  test.each(['a/b', 'a'])('rejects a link in place of the folder at %s', (swapped) => {
    const { root, directory, guard } = openPlace();
    guard.check('a/b/x');
    renameSync(`${directory}/${swapped}`, `${root}/moved`);
    symlinkSync(`${root}/outside${swapped === 'a' ? '' : '/b'}`, `${directory}/${swapped}`);
    expect(() => guard.check('a/b/y')).toThrow(REFUSED);
  });

  test('accepts a missing folder, because it contains nothing to change', () => {
    const { directory, guard } = openPlace();
    guard.check('gone/deep/x');
    guard.check('a/b/x');
    rmSync(`${directory}/a`, { recursive: true });
    guard.check('a/b/x');
  });

  test('rejects another folder until the guard is reset', () => {
    const { root, directory, guard } = openPlace();
    guard.check('a/b/x');
    renameSync(`${directory}/a/b`, `${root}/moved`);
    mkdirSync(`${directory}/a/b`);
    expect(() => guard.check('a/b/x')).toThrow(REFUSED);
    guard.reset();
    guard.check('a/b/x');
  });

  test('rejects an existing link, unless it is above the target', () => {
    const { root, directory } = openPlace();
    symlinkSync(`${root}/outside`, `${directory}/link`);
    expect(() => openParentGuard(directory).check('link/b/x')).toThrow(REFUSED);
    symlinkSync(directory, `${root}/way`);
    openParentGuard(`${root}/way`).check('a/b/x');
    const guard = openParentGuard(`${root}/way`);
    guard.check('z');
    guard.check('z');
  });
});

describe('ParentGuard with a forbidden path', () => {
  test.each(['.git/hooks/x', 'a/.GIT/x', '.catalog/sync.yaml', '.catalog/state/x', '../x'])(
    'rejects %s, whether it exists or not',
    (path) => {
      const { guard } = openPlace();
      expect(() => guard.check(path)).toThrow(REFUSED);
    },
  );

  test('allows paths depending on the purpose', () => {
    const { directory } = openPlace();
    openParentGuard(directory).check('.catalog/hooks/x.mjs');
    openParentGuard(directory, 'settings').check('.catalog/sync.yaml');
    openParentGuard(directory, 'author').check('.catalog/overlay/x/ARTIFACT.md');
    const author = openParentGuard(directory, 'author');
    expect(() => author.check('.catalog/sync.yaml')).toThrow(REFUSED);
  });
});
