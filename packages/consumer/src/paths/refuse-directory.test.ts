import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { refuseDirectory } from './refuse-directory.ts';

const GIT = { HEAD: 'ref: refs/heads/main\n', 'objects/x': '', 'refs/heads/x': '' };

function below(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(GIT).map(([path, text]) => [`${folder}/${path}`, text]));
}

function openPlace() {
  const root = realpathSync(temporaryFolder());
  mkdirSync(`${root}/work`);
  return { root, work: `${root}/work` };
}

const REFUSED = expect.objectContaining({ code: 'materialize.target_invalid' });

describe('refuseDirectory', () => {
  test('accepts the workspace, directories in it and directories next to it', () => {
    const { root, work } = openPlace();
    for (const directory of [work, `${work}/a/b`, `${root}/other`, `${work}/.github`]) {
      refuseDirectory(directory, work, 'target');
    }
  });

  test('checks names below the workspace, and all names outside of it', () => {
    const { root } = openPlace();
    const work = `${root}/.hg/.catalog/work`;
    refuseDirectory(work, work, 'target');
    refuseDirectory(`${work}/a`, work, 'target');
    for (const directory of [`${work}/.hg`, `${root}/.hg/x`, `${root}/.catalog/x`]) {
      expect(() => refuseDirectory(directory, work, 'target'), directory).toThrow(REFUSED);
      expect(() => refuseDirectory(directory, undefined, 'target'), directory).toThrow(REFUSED);
    }
  });

  test('resolves links before checking names', () => {
    const { root, work } = openPlace();
    mkdirSync(`${work}/.git`);
    mkdirSync(`${root}/other/.svn`, { recursive: true });
    symlinkSync('.git', `${work}/inside`);
    symlinkSync(`${root}/other/.svn`, `${work}/outside`);
    symlinkSync(`${root}/other`, `${work}/.jj`);
    for (const name of ['inside', 'inside/new/deep', 'outside/new', '.jj/x']) {
      expect(() => refuseDirectory(`${work}/${name}`, work, 'target'), name).toThrow(REFUSED);
    }
  });

  test('accepts a workspace that is reached through a link', () => {
    const { root, work } = openPlace();
    symlinkSync(work, `${root}/link`);
    refuseDirectory(`${root}/link/a`, `${root}/link`, 'target');
    refuseDirectory(`${root}/link/a`, work, 'target');
  });

  test.each([
    ['a bare repository', below('store'), 'store', 'store'],
    ['a directory of a bare repository', below('store'), 'store/hooks/x', 'store'],
    [
      'the git directory of a worktree',
      { 'w/HEAD': 'ref: x\n', 'w/commondir': '../..\n' },
      'w/hooks',
      'w',
    ],
  ])('detects %s under any name', (_name, tree, directory, named) => {
    const { work } = openPlace();
    writeTree(work, tree);
    expect(() => refuseDirectory(`${work}/${directory}`, work, 'target')).toThrow(
      `${work}/${named} is a git directory`,
    );
  });

  test.each(['HEAD', 'objects/x', 'refs/heads/x'])(
    'accepts an incomplete git directory without %s',
    (part) => {
      const { work } = openPlace();
      const { [`store/${part}`]: _, ...rest } = below('store');
      writeTree(work, rest);
      refuseDirectory(`${work}/store`, work, 'target');
    },
  );

  test('accepts a working tree inside a bare repository', () => {
    const { root } = openPlace();
    writeTree(root, { ...below('store'), 'store/main/.git': 'gitdir: ../worktrees/main\n' });
    refuseDirectory(`${root}/store/main/a`, `${root}/store/main`, 'target');
    refuseDirectory(`${root}/store/main/a`, undefined, 'target');
  });

  test('accepts the overlay for authoring commands, and settings for commands that edit them', () => {
    const { work } = openPlace();
    refuseDirectory(`${work}/.catalog/overlay`, work, 'author');
    refuseDirectory(`${work}/.catalog/sync.yaml`, work, 'settings');
    for (const purpose of ['target', 'author', 'settings'] as const) {
      expect(() => refuseDirectory(`${work}/.catalog/state`, work, purpose)).toThrow(REFUSED);
    }
    expect(() => refuseDirectory(`${work}/.catalog/overlay`, work, 'target')).toThrow(REFUSED);
  });
});
