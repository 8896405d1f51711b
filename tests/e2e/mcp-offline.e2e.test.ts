import { join } from 'node:path';
import { startFaultyProxy } from '@catalog/testkit/faulty-proxy';
import { startRegistry } from '@catalog/testkit/registry-server';
import { writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { connectHost, PROTOCOL_REVISIONS, openProject } from './mcp-host.ts';

function rule(id: string, description: string): FileTree {
  const text = `---\ntype: rule\nversion: 1.0.0\nrule_mode: always\ndescription: ${description}\n---\nBe kind.\n`;
  return { [`${id}/ARTIFACT.md`]: text };
}

async function openStage() {
  const layers = {
    base: { ...rule('tea/black', 'Black tea.'), ...rule('tea/green', 'Green tea.') },
  };
  const server = await startRegistry({ layers });
  const proxy = await startFaultyProxy(server.url);
  onTestFinished(() => proxy.close());
  return { proxy, project: openProject() };
}

describe.each(PROTOCOL_REVISIONS)('a host with protocol version %s', (revision) => {
  verifies('ENV-04', 'uses the current overlay in the folder that the host names', async () => {
    const { proxy, project } = await openStage();
    const env = { CATALOG_REGISTRY: proxy.url };
    const otherProject = openProject();
    const roots = [otherProject.root];
    const host = await connectHost({ ...project, env, revision, roots });
    const search = async (): Promise<unknown> =>
      (await host.call('search_artifacts', { query: 'tea' })).structuredContent;
    expect(await search()).toMatchObject({ total_matched: 2 });
    const overlay = join(otherProject.root, '.catalog/overlay');
    writeTree(overlay, { ...rule('tea/white', 'White tea.'), ...rule('tea/green', 'No coffee.') });
    expect(await search()).toMatchObject({ total_matched: 3 });
    const { structuredContent } = await host.call('load_artifact', { id: 'tea/green' });
    expect(JSON.stringify(structuredContent)).toContain('No coffee.');
  });

  test('combines the folder of the host with CATALOG_OVERLAY_PATH', async () => {
    const { proxy, project } = await openStage();
    const named = join(project.home, 'mine');
    writeTree(named, rule('tea/white', 'White tea.'));
    writeTree(join(project.root, '.catalog/overlay'), rule('tea/red', 'Red tea.'));
    const env = { CATALOG_REGISTRY: proxy.url, CATALOG_OVERLAY_PATH: named };
    const host = await connectHost({ ...project, env, revision, roots: [project.root] });
    const { structuredContent } = await host.call('search_artifacts', { query: 'tea' });
    expect(structuredContent).toMatchObject({ total_matched: 3 });
    expect(JSON.stringify(structuredContent)).not.toContain('tea/red');
  });

  test('uses the cache of an earlier server if the registry is unavailable', async () => {
    const { proxy, project } = await openStage();
    const env = { CATALOG_REGISTRY: proxy.url };
    const before = await connectHost({ ...project, env, revision });
    await before.call('load_artifact', { id: 'tea/green' });
    await proxy.close();
    const host = await connectHost({ ...project, env, revision });
    const offline = { status: 'offline', served_from_cache: true };
    const found = await host.call('search_artifacts', { query: 'tea' });
    expect(found.structuredContent).toMatchObject({ ...offline, total_matched: 1 });
    const loaded = await host.call('load_artifact', { id: 'tea/green' });
    expect(loaded.structuredContent).toMatchObject(offline);
    const missing = await host.call('load_artifact', { id: 'tea/black' });
    expect(missing.isError).toBe(true);
    expect(missing.structuredContent).toMatchObject({ code: 'network.registry_unreachable' });
  });
});

verifies(
  ['CACHE-06', 'CACHE-07'],
  'catalog-mcp sends no request in offline-only mode, and reports missing content',
  async () => {
    const { proxy, project } = await openStage();
    const env = { CATALOG_REGISTRY: proxy.url, CATALOG_CACHE_MODE: 'offline-only' };
    const host = await connectHost({ ...project, env });
    const missed = await host.call('load_artifact', { id: 'tea/green' });
    expect(missed).toMatchObject({
      isError: true,
      structuredContent: { code: 'network.offline_cache_miss' },
    });
    expect((await host.call('load_domain', {})).isError).toBe(true);
    expect(proxy.paths).toEqual([]);
  },
);

verifies('ENV-06', 'each value of CATALOG_CACHE_MODE changes the result', async () => {
  const { proxy, project } = await openStage();
  await proxy.close();
  const answer = async (mode: string): Promise<unknown> => {
    const env = { CATALOG_REGISTRY: proxy.url, CATALOG_CACHE_MODE: mode };
    const host = await connectHost({ ...project, env });
    return (await host.call('search_artifacts', { query: 'tea' })).structuredContent;
  };
  expect(await answer('always-revalidate')).toMatchObject({
    code: 'network.registry_unreachable',
  });
  expect(await answer('offline-first')).toMatchObject({ status: 'offline', total_matched: 0 });
  expect(await answer('offline-only')).toMatchObject({ code: 'network.offline_cache_miss' });
  await expect(answer('sometimes')).rejects.toThrow('Connection closed');
});
