import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

async function openSynced(): Promise<Workspace> {
  const workspace = openWorkspace(skill('a/b'));
  const { root, registry } = workspace;
  writeTree(root, { '.catalog/sync.yaml': `defaults: {registry: ${registry}, harness: cursor}\n` });
  await workspace.ok('sync');
  return workspace;
}

function putPipe(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

describe('a named pipe in place of a file does not block the program', () => {
  const REFUSED = {
    '.catalog/sync.yaml': 'config.invalid',
    '.catalog/sync.local.yaml': 'config.invalid',
    '.catalog/sync.lock': 'materialize.target_invalid',
    '.catalog/state/mutex.db': 'materialize.target_invalid',
    '.catalog/state/holder': 'materialize.target_invalid',
    '.catalog/state/.gitignore': 'materialize.target_invalid',
    '.cursor/skills/b/SKILL.md': 'materialize.clash',
    '../registry/.registry-config': 'config.invalid',
    '../home/.catalog/sync.yaml': 'config.invalid',
  } as const;

  test.each(Object.entries(REFUSED))('%s is rejected with %s', async (path, code) => {
    const workspace = await openSynced();
    writeTree(workspace.registry, skill('a/c'));
    putPipe(join(workspace.root, path));
    const { error } = await workspace.error('sync');
    expect(error.code).toBe(code);
    expect(error.message).toContain(path.replace('../', ''));
  });

  test.each([
    '.catalog/state/journal.json',
    '.catalog/state/index',
    '.catalog/state/written.lock',
    '.catalog/state/undo/journal.json',
    '../home/.catalog/trust.json',
  ])('%s is treated as missing', async (path) => {
    const workspace = await openSynced();
    writeTree(workspace.registry, skill('a/c'));
    putPipe(join(workspace.root, path));
    expect((await workspace.ok('sync')).stdout).toContain('1 added');
    await workspace.run('undo --dry-run');
  });

  test('a manifest or a domain file is reported as rejected', async () => {
    const workspace = await openSynced();
    putPipe(join(workspace.registry, 'a/c/SKILL.md'));
    putPipe(join(workspace.registry, 'a/DOMAIN.md'));
    const { stdout } = await workspace.run('lint');
    expect(stdout).toContain('a pipe, socket, or device');
  });

  test('settings of a harness are reported by mcp doctor', async () => {
    const workspace = await openSynced();
    putPipe(join(workspace.root, '.cursor/mcp.json'));
    const { stdout } = await workspace.run('mcp doctor cursor');
    expect(stdout).toContain('a pipe, socket, or device');
  });
});

describe('a sparse file of 6 GB', () => {
  function putSparse(path: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    truncateSync(path, 6 * 1024 ** 3);
  }

  test.each([
    ['.cursor/skills/c/SKILL.md', 'materialize.clash'],
    ['.cursor/skills/b/SKILL.md', 'materialize.clash'],
    ['.cursor/mcp.json', 'materialize.target_invalid'],
    ['.catalog/sync.lock', 'materialize.target_invalid'],
    ['.catalog/sync.yaml', 'config.invalid'],
  ])('at %s results in an error message', async (path, code) => {
    const workspace = await openSynced();
    writeTree(workspace.registry, {
      ...skill('a/c'),
      'a/d/ARTIFACT.md':
        '---\ntype: mcp-server\nname: wh\nversion: 1.0.0\ndescription: Access to the warehouse.\nserver_identifier: npx:wh-mcp\n---\nSee docs.\n',
    });
    putSparse(join(workspace.root, path));
    const { error } = await workspace.error('sync');
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/larger than \d+ MiB|too large/);
  });
});

describe('the state folder', () => {
  test('is accessible only to its owner, even if an older version created it', async () => {
    const workspace = await openSynced();
    const state = join(workspace.root, '.catalog/state');
    const modeOf = (path: string): number => statSync(join(state, path)).mode & 0o777;
    const expectPrivate = (): void => {
      expect(modeOf('.')).toBe(0o700);
      for (const name of ['mutex.db', 'holder', '.gitignore', 'index', 'written.lock']) {
        expect([name, modeOf(name)]).toEqual([name, 0o600]);
      }
    };
    expectPrivate();
    execFileSync('chmod', ['755', state]);
    for (const name of ['mutex.db', 'holder', '.gitignore']) {
      execFileSync('chmod', ['666', join(state, name)]);
    }
    writeTree(workspace.registry, skill('a/c'));
    await workspace.ok('sync');
    expectPrivate();
  });
});
