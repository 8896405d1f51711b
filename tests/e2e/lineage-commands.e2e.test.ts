import { startRegistry } from '@catalog/testkit/registry-server';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from './workspace.ts';

const FILES: FileTree = {
  'ops/greet/ARTIFACT.md':
    '---\ntype: rule\nversion: 1.2.0\ndescription: Greet.\ntags: [polite]\nlicense: MIT\n---\nSay hello.\n',
  'ops/guests/ARTIFACT.md':
    '---\ntype: rule\nversion: 2.0.0\ndescription: Greet guests.\ntags: [formal]\nextends: ops/greet\n---\n',
};

describe.each(['server', 'folder'])('lineage with a %s registry', (kind) => {
  async function open(): Promise<Workspace & { at: string; layer: string }> {
    if (kind === 'folder') {
      const workspace = openWorkspace(FILES);
      return { ...workspace, at: `--registry ${workspace.registry}`, layer: 'registry' };
    }
    const server = await startRegistry({ layers: { base: FILES } });
    return { ...openWorkspace(), at: `--registry ${server.url}`, layer: 'base' };
  }

  test('show prints the parents of an artifact, and the layer of each inherited field', async () => {
    const { ok, json, at } = await open();
    const { stdout } = await ok(`show ops/guests ${at}`);
    expect(stdout).toMatch(/\nExtends\n {2}ops\/greet 1\.2\.0 {2}layer \S+\n/);
    expect(stdout).toMatch(
      /\nInherited fields, by layer\n(?: {2}\S+ +\S+\n)* {2}license +\S+\n(?: {2}\S+ +\S+\n)*/,
    );
    const { document } = await json(`show ops/guests ${at}`);
    expect(document).toMatchObject({ parents: [{ id: 'ops/greet', version: '1.2.0' }] });
    expect((await ok(`show ops/greet ${at}`)).stdout).not.toContain('Extends');
  });

  test('why prints the chain of an installed file', async () => {
    const { ok, at } = await open();
    await ok(`sync --harness claude-code --include ops/guests ${at} --yes`);
    const { stdout } = await ok('why ops/guests');
    expect(stdout).toContain('artifact  ops/guests 2.0.0');
    const named = await ok('why ops/guests', { CATALOG_REGISTRY: at.split(' ')[1] ?? '' });
    expect(named.stdout).toMatch(/\nExtends\n {2}ops\/greet 1\.2\.0 {2}layer \S+\n/);
  });
});
