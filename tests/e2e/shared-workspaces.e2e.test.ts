import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCatalog } from '@catalog/testkit/packed-program';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { skill } from './workspace.ts';

const REVIEW = '.claude/skills/review/SKILL.md';
const OWN = '.claude/skills/mine/SKILL.md';
const SETTINGS = {
  '.catalog/sync.yaml': 'defaults: {registry: ./artifacts, harness: claude-code}\n',
};

function project(edition: number): FileTree {
  const files = skill('ops/review', 'Reviews a pull request.', `Edition ${edition}.`);
  return {
    'artifacts/README.md': 'Our artifacts.\n',
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`artifacts/${path}`, text])),
  };
}

function openFolder(): string {
  return realpathSync(temporaryFolder('catalog-e2e-'));
}

async function catalog(words: string, cwd: string, home: string): Promise<string> {
  mkdirSync(home, { recursive: true });
  const { code, stdout, stderr } = await runCatalog(words.split(' '), { cwd, home, env: {} });
  if (code !== 0) throw new Error(`catalog ${words}: exit ${String(code)}\n${stdout}${stderr}`);
  return stdout + stderr;
}

const IDENTITY = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];

function git(cwd: string, ...words: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const allowed = ['-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...IDENTITY, ...allowed, ...words], { cwd, env, encoding: 'utf8' });
}

function commit(cwd: string): void {
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '--quiet', '--message', 'Change');
}

function bodyOf(workspace: string): string {
  return readFileSync(join(workspace, REVIEW), 'utf8');
}

describe('committed files and lock', () => {
  test('are current after a pull, so that the next sync has nothing to do', async () => {
    const folder = openFolder();
    const [origin, clone] = [join(folder, 'origin'), join(folder, 'clone')];
    writeTree(origin, { ...SETTINGS, ...project(1) });
    git(origin, 'init', '--quiet', '--initial-branch=main');
    await catalog('sync', origin, join(folder, 'alice'));
    commit(origin);
    git(folder, 'clone', '--quiet', origin, clone);
    writeTree(clone, { [OWN]: 'Mine.\n' });
    const bob = join(folder, 'bob');
    expect(await catalog('sync', clone, bob)).toContain('up to date');

    writeTree(origin, project(2));
    await catalog('sync', origin, join(folder, 'alice'));
    commit(origin);
    git(clone, 'pull', '--quiet');
    expect(await catalog('sync --check', clone, bob)).toContain('up to date');
    expect(await catalog('sync', clone, bob)).toContain('up to date');
    expect(git(clone, 'status', '--porcelain')).toBe(`?? .claude/skills/mine/\n`);

    rmSync(join(origin, 'artifacts/ops/review'), { recursive: true });
    await catalog('sync', origin, join(folder, 'alice'));
    commit(origin);
    git(clone, 'pull', '--quiet');
    await catalog('sync', clone, bob);
    expect(existsSync(join(clone, REVIEW))).toBe(false);
    expect(readFileSync(join(clone, OWN), 'utf8')).toBe('Mine.\n');
  });

  test('are restored in a fresh checkout that contains only the lock', async () => {
    const folder = openFolder();
    const work = join(folder, 'work');
    writeTree(work, { ...SETTINGS, ...project(1) });
    await catalog('sync', work, join(folder, 'alice'));
    rmSync(join(work, '.claude'), { recursive: true });
    rmSync(join(work, '.catalog/state'), { recursive: true });
    expect(await catalog('sync --locked', work, join(folder, 'ci'))).toContain('1 added');
  });
});

describe('a new home folder', () => {
  test('allows each sync to update the files of the previous one, and keeps the user’s files', async () => {
    const folder = openFolder();
    const work = join(folder, 'work');
    writeTree(work, { ...SETTINGS, [OWN]: 'Mine.\n' });
    for (const day of [1, 2, 3]) {
      writeTree(work, project(day));
      await catalog('sync', work, join(folder, `home-${day}`));
      expect(bodyOf(work)).toContain(`Edition ${day}.`);
    }
    writeTree(work, { [REVIEW]: 'Edited on the third day.\n' });
    const next = { cwd: work, home: join(folder, 'home-4'), env: {} };
    mkdirSync(next.home);
    const { code, stderr } = await runCatalog(['sync'], next);
    expect(code).toBe(1);
    expect(stderr).toContain('materialize.clash');
    expect(bodyOf(work)).toBe('Edited on the third day.\n');
    await catalog('sync --remove', work, next.home);
    expect(readTree(join(work, '.claude'))).toEqual({
      'skills/mine/SKILL.md': 'Mine.\n',
      'skills/review/SKILL.md': 'Edited on the third day.\n',
    });
  });

  test('of a second user can sync the same checkout in alternation with the first', async () => {
    const folder = openFolder();
    const work = join(folder, 'work');
    writeTree(work, SETTINGS);
    for (const [index, user] of ['alice', 'bob', 'alice', 'bob'].entries()) {
      writeTree(work, project(index));
      await catalog('sync', work, join(folder, user));
      expect(bodyOf(work)).toContain(`Edition ${index}.`);
    }
    // A user can undo only their own last sync.
    await catalog('undo', work, join(folder, 'bob'));
    expect(bodyOf(work)).toContain('Edition 2.');
  });
});

describe('the record of managed files in a workspace', () => {
  const MOVES: Record<string, (from: string, to: string) => void> = {
    copied: (from, to) => cpSync(from, to, { recursive: true, preserveTimestamps: true }),
    'moved or renamed': renameSync,
  };

  test.each(Object.entries(MOVES))('is kept if the workspace is %s', async (_, move) => {
    const folder = openFolder();
    const [first, work] = [join(folder, 'first'), join(folder, 'second/work')];
    const home = join(folder, 'home');
    mkdirSync(join(folder, 'second'));
    writeTree(first, { ...SETTINGS, ...project(1) });
    await catalog('sync', first, home);
    writeTree(first, { ...project(2), [REVIEW]: 'Edited.\n' });
    move(first, work);
    // The edited file is still known to be managed, so a copy is kept.
    expect(await catalog('sync', work, home)).toContain('.catalog/kept/');
    expect(bodyOf(work)).toContain('Edition 2.');
    await catalog('undo', work, home);
    expect(bodyOf(work)).toBe('Edited.\n');
  });

  const device = statSync(tmpdir()).dev;
  const other = ['/dev/shm', '/tmp', '/var/tmp'].find(
    (path) => existsSync(path) && statSync(path).dev !== device,
  );

  test.skipIf(other === undefined)(
    'works for sync, undo and remove on a different file system than the home folder',
    async () => {
      const folder = openFolder();
      const work = mkdtempSync(`${other}/catalog-e2e-`);
      onTestFinished(() => rmSync(work, { recursive: true }));
      const home = join(folder, 'home');
      writeTree(work, { ...SETTINGS, ...project(1) });
      await catalog('sync', work, home);
      writeTree(work, project(2));
      await catalog('sync', work, home);
      await catalog('undo', work, home);
      expect(bodyOf(work)).toContain('Edition 1.');
      await catalog('sync --remove', work, home);
      expect(existsSync(join(work, '.claude'))).toBe(false);
    },
  );
});

describe('nested workspaces', () => {
  test('keep the files of a monorepo and of a package in it separate', async () => {
    const folder = openFolder();
    const home = join(folder, 'home');
    const work = join(folder, 'work');
    const inner = join(work, 'packages/web');
    writeTree(work, { ...SETTINGS, ...project(1) });
    writeTree(inner, { ...SETTINGS, ...project(2) });
    await catalog('sync', work, home);
    await catalog('sync', inner, home);
    expect([bodyOf(work), bodyOf(inner)]).toEqual([
      expect.stringContaining('Edition 1.'),
      expect.stringContaining('Edition 2.'),
    ]);
    const before = readTree(inner);
    await catalog('sync --remove', work, home);
    expect(existsSync(join(work, REVIEW))).toBe(false);
    expect(readTree(inner)).toEqual(before);
  });

  test('keep the .git file of a worktree and a submodule, which sync separately', async () => {
    const folder = openFolder();
    const home = join(folder, 'home');
    const [origin, work] = [join(folder, 'origin'), join(folder, 'work')];
    writeTree(origin, { ...SETTINGS, ...project(1) });
    git(origin, 'init', '--quiet', '--initial-branch=main');
    commit(origin);
    const worktree = join(folder, 'tree');
    git(origin, 'worktree', 'add', '--quiet', '-b', 'other', worktree);
    mkdirSync(work);
    git(work, 'init', '--quiet', '--initial-branch=main');
    git(work, 'submodule', '--quiet', 'add', origin, 'lib');
    commit(work);
    for (const place of [worktree, join(work, 'lib')]) {
      const link = readFileSync(join(place, '.git'), 'utf8');
      await catalog('sync', place, home);
      expect(bodyOf(place)).toContain('Edition 1.');
      await catalog('undo', place, home);
      await catalog('sync', place, home);
      await catalog('sync --remove', place, home);
      expect(readFileSync(join(place, '.git'), 'utf8')).toBe(link);
      expect(git(place, 'status', '--porcelain')).toBe('');
    }
    expect(existsSync(join(origin, '.claude'))).toBe(false);
  });
});
