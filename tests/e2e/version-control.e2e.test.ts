import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { runCatalog } from '@catalog/testkit/packed-program';
import { startRegistry } from '@catalog/testkit/registry-server';
import { readTree, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { connectHost, openProject } from './mcp-host.ts';
import { openWorkspace, OPS, skill, type Workspace } from './workspace.ts';

const HEAD = 'ref: refs/heads/main\n';
const CONFIG = '[core]\n\tbare = false\n';

const EMPTY_RUN = { run: 'x', files: [], deletes: [], shared: [], directories: [], aside: [] };

const GIT: FileTree = { HEAD, config: CONFIG, 'objects/info/x': '', 'refs/heads/x': '' };

/** Installed as `hooks/post-checkout` in the target of harness `none`. */
const HOOK: FileTree = {
  'hooks/ARTIFACT.md':
    '---\ntype: context\nname: hooks\nversion: 1.0.0\ndescription: Notes about hooks.\n---\n',
  'hooks/post-checkout': { x: '#!/bin/sh\ntouch ran\n' },
};

function below(folder: string, files: FileTree): FileTree {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]),
  );
}

function clone(yaml: string, more: FileTree = {}): Workspace {
  const workspace = openWorkspace();
  writeTree(workspace.root, {
    ...below('.git', GIT),
    ...below('registry', HOOK),
    '.catalog/sync.yaml': yaml,
    ...more,
  });
  return workspace;
}

function defaults(target: string): string {
  return `defaults: {registry: ./registry, harness: none, target: ${JSON.stringify(target)}}\n`;
}

/** Returns all files except those of the clone and the settings of the run. */
function gitFiles(root: string): Record<string, string> {
  return readTree(root, ['registry', '.catalog/sync.yaml', '.catalog/state']);
}

async function expectRefused(
  workspace: Workspace,
  words: string | readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const before = gitFiles(workspace.root);
  const { error } = await workspace.error(words, env);
  expect(error.code).toBe('materialize.target_invalid');
  expect(error.suggested_action).not.toBe('');
  expect(gitFiles(workspace.root)).toEqual(before);
  return error.message;
}

describe('rejection of a target inside version control', () => {
  test.each([
    '.git',
    '.git/hooks',
    '.GIT',
    '.git.',
    '.git/worktrees/x',
    'GIT~1',
    'sub/.git',
    '.hg',
    '.svn/x',
    '.jj',
    '.catalog',
    '.catalog/overlay',
  ])('with sync and the target %s of a clone', async (target) => {
    const message = await expectRefused(clone(defaults(target)), 'sync');
    expect(message).toMatch(/version control|catalog's own files/);
  });

  test.each(['sync --target .git', 'sync --target ./sub/../.git/hooks', 'sync --dry-run'])(
    'with %s',
    async (words) => {
      await expectRefused(clone(defaults('.git')), words);
    },
  );

  test('through a link', async () => {
    const workspace = clone(defaults('out/hooks'));
    symlinkSync('.git', join(workspace.root, 'out'));
    expect(await expectRefused(workspace, 'sync')).toContain('.git');
  });

  test('in a git directory with another name', async () => {
    const workspace = clone(defaults('store/hooks'), below('store', GIT));
    expect(await expectRefused(workspace, 'sync')).toContain('store is a git directory');
  });

  test('in the git directory of a worktree, but not in the worktree', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const bare = join(workspace.root, 'bare');
    writeTree(bare, {
      ...GIT,
      'worktrees/main/HEAD': HEAD,
      'worktrees/main/commondir': '../..\n',
      'main/.git': 'gitdir: ../worktrees/main\n',
    });
    const sync = `sync --registry ${workspace.registry} --harness claude-code --target`;
    await expectRefused(workspace, `${sync} bare/worktrees/main`);
    await workspace.ok(`${sync} bare/main`);
    expect(existsSync(join(bare, 'main/.claude/skills/one/SKILL.md'))).toBe(true);
  });

  test('in another repository, even with trust', async () => {
    const workspace = clone(defaults('../other/.git'));
    const other = join(workspace.root, '../other/.git');
    writeTree(other, GIT);
    await expectRefused(workspace, 'sync --trust');
    await expectRefused(workspace, `sync --target ${other}`);
    expect(readTree(other)).toEqual(GIT);
  });

  test('of a marketplace, a profile and a list', async () => {
    const registry = 'defaults: {registry: ./registry, harness: none}\n';
    const market = `${registry}targets:\n  - {id: m, kind: marketplace, target: .git, harnesses: [claude-code], plugins: [{name: p}]}\n`;
    await expectRefused(clone(market), 'sync --config');
    const profile = `${registry}profiles:\n  p: {target: .git}\n`;
    await expectRefused(clone(profile), 'sync --profile p');
    const listed = `${registry}targets:\n  - {id: t, harness: none, target: .git}\n`;
    await expectRefused(clone(listed), 'sync');
    await expectRefused(clone(listed), 'sync --remove');
    await expectRefused(clone(listed), 'undo');
  });
});

test('sync rejects an overlay inside version control', async () => {
  const workspace = clone(defaults('.'), below('.git/overlay', HOOK));
  await expectRefused(workspace, 'sync', { CATALOG_OVERLAY_PATH: '.git/overlay' });
  await expectRefused(workspace, 'sync --overlay .git/overlay');
});

describe('forged records do not change files in version control', () => {
  const HASH = bytesHash(CONFIG);
  const PATHS = ['.git/config', '.GIT/config', 'sub/.git/config', '.catalog/sync.yaml'];

  function lock(path: string): string {
    return `version: 1
targets:
  - {id: default, registry: ./registry, harness: none}
artifacts:
  - {id: hooks, version: 1.0.0, layer: base, content_hash: "${HASH}", target: default}
files:
  - {path: ${path}, hash: "${HASH}", target: default, id: hooks}
entries: []
shared: []
directories: []
toggles: {add: [], remove: []}
`;
  }

  function victim(yaml: string, more: FileTree): Workspace {
    return clone(yaml, { ...below('sub/.git', GIT), ...below('.GIT', GIT), ...more });
  }

  test.each(PATHS)('of a lock that names %s', async (path) => {
    const workspace = victim(defaults('.'), { '.catalog/sync.lock': lock(path) });
    await expectRefused(workspace, 'sync --remove');
    await expectRefused(workspace, 'sync --allow-removal');
  });

  test.each(PATHS)('of a record for --recover that names %s', async (path) => {
    const workspace = victim(defaults('.'), { '.catalog/state/written.lock': lock(path) });
    await workspace.run('sync --recover');
    await workspace.run('sync --remove');
    expect(readTree(join(workspace.root, '.git'))).toEqual(GIT);
    expect(readTree(join(workspace.root, 'sub/.git'))).toEqual(GIT);
    expect(existsSync(join(workspace.root, '.catalog/sync.yaml'))).toBe(true);
  });

  test.each(PATHS)('of an undo record that names %s', async (path) => {
    const journal = (run: object): string => JSON.stringify({ ...EMPTY_RUN, ...run });
    const copy = bytesHash(path).slice('sha256:'.length, 'sha256:'.length + 32);
    const workspace = victim(defaults('.'), {
      '.catalog/state/undo/journal.json': journal({
        files: [{ path, hash: HASH }],
        shared: [{ path: path.replace('config', 'HEAD'), before: HASH, after: bytesHash(HEAD) }],
      }),
      [`.catalog/state/undo/${copy}`]: '[core]\n\tfsmonitor = touch ran\n',
    });
    const before = gitFiles(workspace.root);
    expect((await workspace.run('undo')).code).not.toBe(0);
    expect(gitFiles(workspace.root)).toEqual(before);
  });

  test.each(PATHS)('of a journal that names %s', async (path) => {
    const workspace = victim(defaults('.'), {
      '.catalog/state/journal.json': JSON.stringify({
        ...EMPTY_RUN,
        files: [{ path, hash: HASH }],
      }),
    });
    await workspace.run('sync --remove');
    expect(readTree(join(workspace.root, '.git'))).toEqual(GIT);
    expect(readTree(join(workspace.root, 'sub/.git'))).toEqual(GIT);
    expect(existsSync(join(workspace.root, '.catalog/sync.yaml'))).toBe(true);
  });
});

describe('commands that write other files', () => {
  test.each([
    ['init', '.git'],
    ['init', '.git/hooks'],
    ['init --local', 'store'],
  ])('rejects %s in %s', async (command, folder) => {
    const workspace = openWorkspace({}, { ...below('.git', GIT), ...below('store', GIT) });
    const cwd = join(workspace.root, folder);
    mkdirSync(cwd, { recursive: true });
    const before = readTree(workspace.root);
    const { code, stdout } = await runCatalog(
      [...command.split(' '), '--registry', './r', '--json'],
      { cwd, home: workspace.home },
    );
    expect(stdout).toContain('materialize.target_invalid');
    expect(code).not.toBe(0);
    expect(readTree(workspace.root)).toEqual(before);
  });

  test('init does not follow links', async () => {
    const workspace = openWorkspace();
    symlinkSync(workspace.home, join(workspace.root, '.catalog'));
    const { error } = await workspace.error('init --registry ./r --force');
    expect(error.code).toBe('materialize.target_invalid');
    expect(readTree(workspace.home)).toEqual({});
  });

  test.each(['.git/registry', 'sub/.GIT', '.catalog', '.catalog/state', 'store'])(
    'rejects artifact new and adopt in %s',
    async (folder) => {
      const workspace = clone(defaults('.'), {
        ...below('store', GIT),
        '.claude/skills/x/SKILL.md': '---\nname: x\ndescription: Do x every day.\n---\nDo.\n',
      });
      await expectRefused(workspace, `artifact new skill ops/check --registry ${folder}`);
      await expectRefused(workspace, `adopt --into ${folder}`);
    },
  );

  test('allows artifact new and adopt to write into the overlay', async () => {
    const workspace = clone(defaults('.'), {
      '.claude/skills/x/SKILL.md': '---\nname: x\ndescription: Do x every day.\n---\nDo.\n',
    });
    await workspace.ok('artifact new skill ops/check --registry .catalog/overlay');
    await workspace.ok('adopt --into .catalog/overlay');
    expect(existsSync(join(workspace.root, '.catalog/overlay/ops/check/SKILL.md'))).toBe(true);
  });

  test('protects a registry inside version control from lint --fix', async () => {
    const workspace = clone('defaults: {registry: .git/registry, harness: none}\n', {
      '.git/registry/a/b/ARTIFACT.md':
        '---\nversion: 1.0.0\ntype: rule\nname: b\ndescription: Be kind.\n---\nBe kind.   \n\n\n',
    });
    const before = gitFiles(workspace.root);
    await workspace.run('lint --fix');
    expect(gitFiles(workspace.root)).toEqual(before);
  });

  test('protects a settings file inside version control from sync disable --save', async () => {
    const workspace = openWorkspace(
      {},
      { ...below('.git', GIT), ...below('registry', OPS), '.catalog/sync.yaml': '' },
    );
    writeTree(workspace.root, {
      '.git/sync.yaml': 'defaults: {registry: ./registry, harness: claude-code}\n',
    });
    await expectRefused(
      workspace,
      'sync disable ops/deploy/check --save --config .git/sync.yaml --registry ./registry',
    );
  });

  test('rejects mcp config --write in a git directory', async () => {
    const workspace = openWorkspace({}, below('store', GIT));
    const cwd = join(workspace.root, 'store');
    const before = readTree(cwd);
    const env = { CATALOG_REGISTRY: 'http://127.0.0.1:9' };
    const { stdout } = await runCatalog(['mcp', 'config', 'claude-code', '--write', '--json'], {
      cwd,
      home: workspace.home,
      env,
    });
    expect(stdout).toContain('materialize.target_invalid');
    expect(readTree(cwd)).toEqual(before);
  });

  test('rejects load_artifact with a destination inside version control', async () => {
    const registry = await startRegistry({ layers: { base: skill('a/one') } });
    const project = openProject({ ...below('.git', GIT), ...below('store', GIT) });
    mkdirSync(join(project.root, '.catalog'));
    const env = { CATALOG_REGISTRY: registry.url, CATALOG_HARNESS: 'claude-code' };
    const host = await connectHost({ ...project, env, roots: [project.root] });
    const before = readTree(project.root);
    const destinations = [
      '.git',
      '.git/x',
      '.GIT',
      'GIT~1/x',
      '.git./x',
      '.hg',
      '.jj/x',
      'store',
      '.catalog/x',
    ];
    for (const destination of destinations) {
      const result = await host.call('load_artifact', { id: 'a/one', destination });
      expect(result.isError, destination).toBe(true);
      expect(result.structuredContent).toMatchObject({ code: 'materialize.target_invalid' });
    }
    expect(readTree(project.root)).toEqual(before);
  });
});
