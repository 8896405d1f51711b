import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installedProgram, startProgram, type CatalogRun } from '@catalog/testkit/packed-program';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

/** Runs the packed program with a umask that makes new files writable for the group. */
async function runShared(
  { root, home }: Workspace,
  words: string,
  env: Record<string, string> = {},
): Promise<CatalogRun> {
  const program = join(installedProgram(), 'bin/catalog');
  const args = ['-c', 'umask 002 && exec "$0" "$@"', program, ...words.split(' ')];
  const result = await startProgram('/bin/sh', args, { cwd: root, home, env }).ended;
  expect([words, result.code, result.stderr]).toEqual([words, 0, expect.any(String)]);
  return result;
}

function listAll(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

describe('under a umask of 002', () => {
  test('all files that catalog stores for the user are private', async () => {
    const workspace = openWorkspace(skill('a/b'));
    const { home, registry } = workspace;
    await runShared(workspace, `init --global --registry ${registry} --harness cursor`);
    await runShared(workspace, 'sync --scope user --yes');
    await runShared(workspace, 'init --registry ../registry --harness cursor');
    await runShared(workspace, 'sync');
    const folder = join(home, '.catalog');
    expect(modeOf(folder)).toBe(0o700);
    expect(listAll(folder)).toEqual(
      expect.arrayContaining(['approvals.json', 'state', 'sync.lock', 'sync.yaml']),
    );
    for (const name of ['approvals.json', 'sync.yaml']) {
      expect([name, modeOf(join(folder, name))]).toEqual([name, 0o600]);
    }
    expect(modeOf(join(folder, 'state'))).toBe(0o700);
    await runShared(workspace, 'status --scope user');
  });

  test('the compile cache is private', async () => {
    const workspace = openWorkspace(skill('a/b'));
    const cache = join(workspace.home, 'caches');
    await runShared(workspace, 'config show', { XDG_CACHE_HOME: cache });
    expect(modeOf(`${cache}/catalog`)).toBe(0o700);
    expect(modeOf(`${cache}/catalog/compiled`)).toBe(0o700);
    expect(listAll(`${cache}/catalog/compiled`)).not.toEqual([]);
  });
});

describe("a user's folder that others can change", () => {
  test.each([
    ['.', '775'],
    ['.', '757'],
    ['sync.yaml', '664'],
    ['approvals.json', '666'],
  ])('(%s, mode %s) is rejected with the command that repairs it', async (name, mode) => {
    const workspace = openWorkspace(skill('a/b'));
    const { home, registry } = workspace;
    await workspace.ok(`init --global --registry ${registry} --harness cursor`);
    await workspace.ok('init --registry ../registry --harness cursor');
    const path = join(home, '.catalog', name);
    chmodSync(path, mode);
    // `trust list` reads no configuration.
    const others = name === 'sync.yaml' ? [] : ['trust list'];
    for (const command of ['sync', 'status', 'config show', ...others]) {
      const { error, code } = await workspace.error(command);
      expect([command, error.code, code]).toEqual([command, 'config.unsafe_workspace', 2]);
      expect(error.message).toContain(path);
      expect(error.suggested_action).toContain('chmod');
      expect(error.suggested_action).toContain(`go-w ${path}`);
    }
    expect(modeOf(path).toString(8)).toBe(mode);
    execFileSync('chmod', ['-R', 'go-w', path]);
    await workspace.ok('sync');
  });
});

describe('a compile cache', () => {
  test('that others could change is emptied', async () => {
    const workspace = openWorkspace(skill('a/b'));
    const cache = join(workspace.home, 'caches');
    const planted = `${cache}/catalog/compiled/planted`;
    for (const [outer, inner] of [
      [0o775, 0o755],
      [0o755, 0o777],
    ] as const) {
      mkdirSync(`${cache}/catalog/compiled`, { recursive: true });
      writeFileSync(planted, 'compiled by another user');
      chmodSync(`${cache}/catalog`, outer);
      chmodSync(`${cache}/catalog/compiled`, inner);
      await workspace.ok('config show', { XDG_CACHE_HOME: cache });
      expect(existsSync(planted)).toBe(false);
      expect(modeOf(`${cache}/catalog/compiled`)).toBe(0o700);
    }
  });

  test.runIf(process.geteuid?.() === 0)('of another user is not used', async () => {
    const workspace = openWorkspace(skill('a/b'));
    const cache = join(workspace.home, 'caches');
    const folders = [`${cache}/catalog`, `${cache}/catalog/compiled`];
    for (const path of folders) mkdirSync(path, { recursive: true });
    for (const foreign of folders) {
      for (const path of folders) chownSync(path, path === foreign ? 12_345 : 0, 0);
      await workspace.ok('config show', { XDG_CACHE_HOME: cache });
      expect(listAll(`${cache}/catalog/compiled`)).toEqual([]);
    }
  });

  test('that others could only read is kept', async () => {
    const workspace = openWorkspace(skill('a/b'));
    const cache = join(workspace.home, 'caches');
    const kept = `${cache}/catalog/compiled/kept`;
    mkdirSync(`${cache}/catalog/compiled`, { recursive: true, mode: 0o755 });
    writeFileSync(kept, 'own');
    await workspace.ok('config show', { XDG_CACHE_HOME: cache });
    expect(readFileSync(kept, 'utf8')).toBe('own');
    expect(modeOf(`${cache}/catalog`)).toBe(0o700);
  });
});
