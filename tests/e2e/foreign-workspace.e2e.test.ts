import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { startRegistry } from '@catalog/testkit/registry-server';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { connectHost, openProject } from './mcp-host.ts';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const STRANGER = 12_345;
const isRoot = process.geteuid?.() === 0;

function openForeign(): Workspace {
  const workspace = openWorkspace(skill('a/b'));
  const { root, registry } = workspace;
  writeTree(root, { '.catalog/sync.yaml': `defaults: {registry: ${registry}, harness: cursor}\n` });
  chownSync(join(root, '.catalog'), STRANGER, STRANGER);
  return workspace;
}

describe.runIf(isRoot)('a workspace of another user', () => {
  test.each([
    'sync',
    'sync --dry-run',
    'sync --watch',
    'sync --remove',
    'sync disable a/b',
    'sync enable a/b --save',
    'status',
    'outdated',
    'update',
    'undo',
    'why .cursor/skills/b/SKILL.md',
    'budget',
    'lint',
    'search b',
    'show a/b',
    'domain list',
    'similar .',
    'config show',
    'harness show cursor',
    'cache status',
    'login',
    'whoami',
    'layer list',
    'artifact new skill c/d',
    'mcp config cursor',
    'mcp doctor cursor',
  ])('is rejected by `catalog %s`', async (words) => {
    const workspace = openForeign();
    const before = readTree(workspace.root);
    const { code, error } = await workspace.error(words);
    expect([code, error.code]).toEqual([2, 'config.unsafe_workspace']);
    expect(readTree(workspace.root)).toEqual(before);
  });

  test('is used if the user lists it or runs catalog with sudo', async () => {
    const workspace = openForeign();
    await workspace.ok('sync', { SUDO_UID: String(STRANGER) });
    const { root, home } = workspace;
    writeTree(home, { '.catalog/sync.yaml': `safe_directories: [${root}]\n` });
    await workspace.ok('sync');
    const { document } = await workspace.json('config show --explain safe_directories');
    expect(document).toMatchObject({ value: [root], origin: { kind: 'user' } });
  });

  test('is rejected by the MCP server, which reports it in the first call', async () => {
    const registry = await startRegistry({ layers: { base: skill('a/b') } });
    const context =
      '---\ntype: context\nversion: 1.0.0\ndescription: Zebra facts of this project.\n---\nStripes.\n';
    const foreign = openProject({ '.catalog/overlay/ops/own/ARTIFACT.md': context });
    chownSync(join(foreign.root, '.catalog'), STRANGER, STRANGER);
    const env = { CATALOG_REGISTRY: registry.url };
    const hosts = {
      'started in it': { ...foreign, env },
      'told of it by the host': { ...openProject(), env, roots: [foreign.root] },
    };
    for (const [name, options] of Object.entries(hosts)) {
      const { call } = await connectHost(options);
      const result = await call('search_artifacts', { query: 'zebra facts' });
      expect(result.isError, name).toBe(true);
      expect(JSON.stringify(result.content), name).toContain('config.unsafe_workspace');
    }
  });
});
