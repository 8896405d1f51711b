import type { PurgeRecord } from '@catalog/core/ports/purges';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { startGitServer } from '@catalog/testkit/git-server';
import { registerLayer, reingestLayer } from '@catalog/contract/endpoints/layers';
import { startRegistry } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { removePurged } from './remove-copies.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet.\n---\nWave.\n';
const PURGE: PurgeRecord = {
  layer_id: 'skills',
  id: 'gone',
  version: '1.0.0',
  content_hash: 'sha256:x',
  reason: 'A key.',
  purged_by: 'ada',
  purged_at: '2026-01-02T03:04:05.000Z',
  pending_objects: [],
};

test('removes the copy of a layer once for each purge of another process', async () => {
  const host = await startGitServer(temporaryFolder());
  onTestFinished(() => host.close());
  const repository = host.addRepository('skills.git');
  repository.commit({ 'a/ARTIFACT.md': RULE });
  const server = await startRegistry({ settings: { 'egress.allowed_hosts': ['127.0.0.1'] } });
  const { registry } = server;
  const body = { id: 'skills', source_type: 'git', repo: repository.url };
  await server.call(registerLayer, { body });
  const removed = new Map<string, string>();
  const { signal } = new AbortController();
  async function copiesAfterRound(): Promise<number> {
    await server.call(reingestLayer, { query: { id: 'skills' } });
    await removePurged(registry, removed, signal);
    return (await registry.copies.list()).length;
  }
  const put = (record: PurgeRecord) =>
    registry.store.transaction(({ purges }) => purges.put(ONLY_TENANT, [record]));
  expect(await copiesAfterRound()).toBe(1);
  await put({ ...PURGE, layer_id: 'other' });
  expect(await copiesAfterRound()).toBe(1);
  await put(PURGE);
  expect(await copiesAfterRound()).toBe(0);
  expect(await copiesAfterRound()).toBe(1);
  await put({ ...PURGE, id: 'also', purged_at: '2026-01-03T00:00:00.000Z' });
  expect(await copiesAfterRound()).toBe(0);
});
