import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { findRunByOthers, isRunByOthers } from './run-by-others.ts';

const FOLDERS = [
  '.husky',
  '.githooks',
  '.github/workflows',
  '.vscode',
  '.devcontainer',
  'node_modules',
];

let workspace = '';

beforeEach(() => {
  workspace = temporaryFolder();
});

function isRun(folder: string, path?: string): boolean {
  const directory = `${workspace}/${folder}`;
  if (path === undefined) return isRunByOthers(directory, { workspace });
  return findRunByOthers(directory, [path], { workspace }) === path;
}

describe.each(FOLDERS)('isRunByOthers and findRunByOthers: %s', (folder) => {
  test.each([
    folder,
    `${folder}/x`,
    `a/b/${folder}`,
    folder.toUpperCase(),
    `${folder}.`,
    `${folder} /x`,
    `x/../${folder}`,
  ])('match the spelling %s', (path) => {
    expect(isRun(path)).toBe(true);
    expect(isRun('.', path)).toBe(true);
    expect(isRun('sub', `${path}/x/ARTIFACT.md`)).toBe(true);
  });

  test('match a path that starts in the target folder', () => {
    const [first = '', ...rest] = folder.split('/');
    expect(isRun(first, [...rest, 'x/ARTIFACT.md'].join('/'))).toBe(true);
  });

  test('match a link to the path or from it', () => {
    symlinkSync(folder, `${workspace}/linked`);
    expect(isRun('linked')).toBe(true);
    expect(isRun('linked', 'x')).toBe(true);
    mkdirSync(dirname(`${workspace}/${folder}`), { recursive: true });
    symlinkSync(`${workspace}/out`, `${workspace}/${folder}`);
    expect(isRun('out')).toBe(true);
    expect(isRun('.', 'out/x')).toBe(true);
  });
});

test.each(['.', 'dist', '.github', 'husky', '.github/skills', 'workflows', '.vscode-x'])(
  'isRunByOthers and findRunByOthers do not match %s',
  (folder) => {
    expect(isRun(folder)).toBe(false);
    expect(isRun(folder, 'x/ARTIFACT.md')).toBe(false);
  },
);

test('isRunByOthers and findRunByOthers ignore the path of the workspace itself', () => {
  workspace = `${workspace}/node_modules/.vscode/work`;
  mkdirSync(workspace, { recursive: true });
  expect(isRun('dist')).toBe(false);
  expect(isRun('.', 'x/ARTIFACT.md')).toBe(false);
});
