import { searchArtifacts, syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { listLayers, registerLayer, reingestLayer } from '@catalog/contract/endpoints/layers';
import { getObject, listVersions, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { purge } from '@catalog/contract/endpoints/purge';
import { purgeResult } from '@catalog/contract/records/purge';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { followEvents } from '@catalog/testkit/follow-events';
import { startGitServer } from '@catalog/testkit/git-server';
import { readAudit } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';

const CANARY = 'canary-4f1c9a';
const LARGE = `${CANARY}\n`.repeat(40_000);

function skill(version: string, body: string, more = ''): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: Deploys the ${version} service.\n${more}---\n${body}\n`;
}

const CHILD = skill('3.0.0', 'Be quick.', 'extends: ops/deploy@1.1.0\n');
const LEAKED = {
  'ops/deploy/ARTIFACT.md': skill('1.1.0', `Key: ${CANARY}`),
  'ops/deploy/key.txt': CANARY,
  'ops/deploy/large.txt': LARGE,
  'ops/child/ARTIFACT.md': CHILD,
  'ops/copy/ARTIFACT.md': skill('2.0.0', 'Clean.'),
  'ops/copy/key.txt': CANARY,
};

/** Publishes 1.0.0, then 1.1.0 with the canary, a child of it, and an artifact with the same file. */
async function start(): Promise<RegistryServer> {
  const server = await startRegistry();
  await server.ingest({ 'ops/deploy/ARTIFACT.md': skill('1.0.0', 'Clean.') });
  await server.ingest(LEAKED);
  return server;
}

const VERSION = { id: 'ops/deploy', version: '1.1.0' };
const LEAK = { ...VERSION, reason: 'Contains a key.' };

async function served(server: RegistryServer): Promise<string[]> {
  const { artifacts } = await server.call(syncManifestEndpoint);
  return artifacts.map(({ id, version }) => `${id}@${version}`);
}

describe('POST /v1/admin/purge', () => {
  test('a dry run lists what would be removed, and removes nothing', async () => {
    const server = await start();
    const before = await served(server);
    const result = await server.call(purge, { body: { ...LEAK, dry_run: true } });
    expect(result).toMatchObject({
      dry_run: true,
      purged: [{ layer: 'base', ...VERSION }],
      children: [{ id: 'ops/child', version: '3.0.0', parent: 'ops/deploy@1.1.0' }],
      now_served: [{ layer: 'base', id: 'ops/deploy', version: '1.0.0' }],
      shared_files: [{ layer: 'base', id: 'ops/copy', version: '2.0.0' }],
    });
    expect(await served(server)).toEqual(before);
    expect((await server.request(loadArtifact, { query: VERSION })).status).toBe(200);
    expect((await readAudit(server)).some(({ type }) => type === 'artifact.purged')).toBe(false);
  });

  test('no request returns the content, and the earlier version is served', async () => {
    const server = await start();
    const loaded = await server.call(loadArtifact, { query: VERSION });
    const { content_hash } = loaded;
    const large = Object.values(loaded.large_resources)[0]?.content_hash ?? '';
    const follower = await followEvents(server, '?type=artifact.purged');
    const result = await server.call(purge, { body: LEAK });
    expect(result).toMatchObject({ dry_run: false, objects_removed: 1 });
    for (const query of [
      VERSION,
      { id: 'ops/deploy', version: content_hash },
      { id: 'ops/child' },
      { id: 'ops/child', version: '3.0.0' },
    ]) {
      expect(await server.request(loadArtifact, { query })).toMatchObject({
        status: 404,
        body: { code: 'registry.not_found' },
      });
    }
    const key = large.replace('sha256:', '');
    expect((await server.request(getObject, { params: { key } })).status).toBe(404);
    expect(await server.registry.objects.size(ONLY_TENANT, large)).toBeUndefined();
    expect((await served(server)).toSorted()).toEqual(['ops/copy@2.0.0', 'ops/deploy@1.0.0']);
    const { versions } = await server.call(listVersions, { query: { id: 'ops/deploy' } });
    expect(versions).toMatchObject([{ version: '1.0.0', latest: true }]);
    const found = await server.call(searchArtifacts, { query: { query: 'deploys service' } });
    expect(found.results.map(({ id, version }) => `${id}@${version}`)).not.toContain(
      'ops/deploy@1.1.0',
    );
    expect(await follower.next()).toMatchObject({
      event: 'artifact.purged',
      data: { layer: 'base', ...VERSION, content_hash },
    });
    expect((await readAudit(server)).at(-1)).toMatchObject({
      type: 'artifact.purged',
      artifacts: ['base/ops/deploy@1.1.0', 'base/ops/child@3.0.0'],
      reason: 'Contains a key.',
    });
    expect((await server.request(purge, { body: LEAK })).status).toBe(404);
  });

  test('identical content is not accepted again, also of a child, and a new version is', async () => {
    const server = await start();
    await server.call(purge, { body: LEAK });
    const again = await server.ingest(LEAKED);
    expect(again.conflicts.map(({ artifact_id, constraint }) => [artifact_id, constraint])).toEqual(
      [['ops/deploy', 'purged']],
    );
    expect(await served(server)).not.toContain('ops/deploy@1.1.0');
    const report = await server.ingest({
      'ops/deploy/ARTIFACT.md': skill('1.2.0', 'Clean again.'),
      'ops/child/ARTIFACT.md': CHILD.replace('3.0.0', '3.1.0').replace('1.1.0', '1.2.0'),
    });
    expect(report).toMatchObject({ accepted: 2, conflicts: [], rejected: [] });
    expect((await served(server)).toSorted()).toEqual(['ops/child@3.1.0', 'ops/deploy@1.2.0']);
  });

  test('of an artifact removes every version', async () => {
    const server = await start();
    const result = await server.call(purge, { body: { id: 'ops/deploy', reason: 'Takedown.' } });
    expect(result.purged.map(({ version }) => version)).toEqual(['1.0.0', '1.1.0']);
    expect((await server.request(listVersions, { query: { id: 'ops/deploy' } })).status).toBe(404);
    expect(await served(server)).toEqual(['ops/copy@2.0.0']);
  });

  test('removes the clone of a git layer', async () => {
    const host = await startGitServer(temporaryFolder());
    onTestFinished(() => host.close());
    const repository = host.addRepository('skills.git');
    repository.commit({ 'a/ARTIFACT.md': skill('1.0.0', CANARY) });
    const server = await startRegistry({ settings: { 'egress.allowed_hosts': ['127.0.0.1'] } });
    const source = { source_type: 'git', repo: repository.url };
    await server.call(registerLayer, { body: { id: 'skills', ...source } });
    await server.call(reingestLayer, { query: { id: 'skills' } });
    expect(await server.registry.copies.list()).toHaveLength(1);
    await server.call(purge, { body: { id: 'a', reason: 'Contains a key.' } });
    expect(await server.registry.copies.list()).toEqual([]);
    repository.commit({ 'a/ARTIFACT.md': skill('1.1.0', 'Clean.') });
    expect(await server.call(reingestLayer, { query: { id: 'skills' } })).toMatchObject({
      accepted: 1,
    });
    expect((await server.call(listLayers)).layers).toHaveLength(1);
  });

  test('names the files that could not be removed, and continues when it is repeated', async () => {
    const server = await start();
    const { registry } = server;
    const { objects } = registry;
    const fail = (): Promise<void> => Promise.reject(new Error('the bucket does not respond'));
    registry.objects = { ...objects, purge: fail };
    const failed = await server.request(purge, { body: LEAK });
    expect(failed).toMatchObject({ body: { code: 'ingest.resource_store_failed' } });
    expect(JSON.stringify(failed.body)).toMatch(/sha256:[0-9a-f]{64}/);
    expect((await server.request(loadArtifact, { query: VERSION })).status).toBe(404);
    registry.objects = objects;
    const repeated = purgeResult.parse((await server.request(purge, { body: LEAK })).body);
    expect(repeated).toMatchObject({ purged: [], objects_removed: 1 });
  });
});
