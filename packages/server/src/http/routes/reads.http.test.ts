import { createHash } from 'node:crypto';
import { grantAdmin, reviewAccess } from '@catalog/contract/endpoints/access';
import { listAudit, listReads } from '@catalog/contract/endpoints/audit';
import { searchArtifacts, syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { batchLoad, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { getArtifactUsage, popular } from '@catalog/contract/endpoints/usage';
import type { ReadEntry } from '@catalog/contract/records/audit';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asAnonymous, asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { expect, test, vi } from 'vitest';
import type { Settings } from '../../config/settings.ts';
import { sealReads, toDigestLine } from '../../registry/audit/seal-reads.ts';
import { sweepReads } from '../../registry/retention/sweep-reads.ts';

const ADA = asCaller({ subject: 'ada' });
const BOB = asCaller({ subject: 'bob' });

function rule(version: string, more = ''): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to deploy.\n${more}---\nDo it.\n`;
}

async function start(settings: Partial<Settings> = {}): Promise<RegistryServer> {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'], ...settings },
  });
  const ada = server.as(ADA);
  await ada.ingest(
    { 'ops/deploy/ARTIFACT.md': rule('1.0.0', 'tags: [release]\n') },
    { organization: true },
  );
  await ada.ingest(
    { 'hidden/plan/ARTIFACT.md': rule('1.0.0', 'sensitivity: high\n') },
    { id: 'hidden', users: ['ada'] },
  );
  return server;
}

/** Reads arrive in batches, so this waits until the log has the expected number. */
async function readsOf(
  server: RegistryServer,
  count: number,
  query: Record<string, string> = {},
): Promise<ReadEntry['record'][]> {
  const read = () => server.as(ADA).call(listReads, { query });
  await vi.waitFor(async () => expect((await read()).records).toHaveLength(count), 20_000);
  return (await read()).records.map(({ record }) => record);
}

test('reads are listed by artifact, version and caller, without delaying the requests', async () => {
  const server = await start({ 'audit.queries': true });
  const load = (headers: Record<string, string>, id: string) =>
    server.as(headers).request(loadArtifact, { query: { id } });
  await load(BOB, 'ops/deploy');
  await load(BOB, 'ops/deploy');
  await load(ADA, 'hidden/plan');
  await load(BOB, 'hidden/plan');
  await server.as(BOB).call(batchLoad, { body: { ids: ['ops/deploy', 'ops/none'] } });
  await server.as(BOB).request(syncManifestEndpoint);
  await server.as(BOB).call(searchArtifacts, { query: { query: 'mail ada@people.example' } });
  const [read] = await readsOf(server, 1, { artifact: 'ops/deploy' });
  expect(read).toMatchObject({
    type: 'artifact.loaded',
    'caller.identity': 'bob',
    'caller.kind': 'subject',
    artifact: 'ops/deploy',
    version: '1.0.0',
    layer: 'base',
    name: 'deploy',
    tags: ['release'],
  });
  expect(await readsOf(server, 1, { artifact: 'hidden/plan' })).toMatchObject([
    { 'caller.identity': 'ada' },
  ]);
  const ofBob = await readsOf(server, 3, { caller: 'bob' });
  expect(ofBob.map(({ type }) => type).toSorted()).toEqual([
    'artifact.loaded',
    'catalog.searched',
    'manifest.synced',
  ]);
  expect(ofBob.find(({ query }) => query !== undefined)?.query).toBe('mail [email]');
  await readsOf(server, 0, { artifact: 'ops/deploy', version: '2.0.0' });
  await readsOf(server, 0, { since: '2100-01-01T00:00:00Z' });
  await readsOf(server, 0, { until: '2020-01-01T00:00:00Z' });
  const page = await server.as(ADA).call(listReads, { query: { limit: 1 } });
  expect(page.records).toHaveLength(1);
  const { next_cursor: cursor } = page;
  const second = await server.as(ADA).call(listReads, { query: { limit: 1, cursor } });
  expect(second.records[0]?.position).toBe((page.records[0]?.position ?? 0) - 1);
  expect((await server.as(BOB).request(listReads)).status).toBe(403);
});

test('refused attempts of administration appear once per caller, route and minute', async () => {
  const server = await start({ 'audit.reads': 'none', 'quota.audit_volume_per_day': 1000 });
  const usedVolume = async () => {
    const { store } = server.registry;
    const now = store.now().toISOString();
    return (await store.tenants.usage(ONLY_TENANT, now)).audit_volume_today;
  };
  const before = await usedVolume();
  for (let times = 0; times < 3; times += 1) {
    for (const headers of [BOB, asAnonymous()]) {
      const request = { body: { user_id: 'bob' } };
      expect((await server.as(headers).request(grantAdmin, request)).status).toBe(403);
    }
  }
  const query = { id: 'ops/deploy', as_admin: true };
  expect((await server.as(BOB).request(loadArtifact, { query })).status).toBe(403);
  const refused = await readsOf(server, 3, { type: 'request.refused' });
  expect(
    refused.map((record) => `${record['caller.identity']} ${record.operation}`).toSorted(),
  ).toEqual(['bob grant_admin', 'bob load_artifact', 'system:anonymous grant_admin']);
  expect(await usedVolume()).toBe(before);
});

test('a daily record seals the reads with their number and digest', async () => {
  const server = await start();
  const { registry } = server;
  await server.as(BOB).request(loadArtifact, { query: { id: 'ops/deploy' } });
  await readsOf(server, 1);
  const { signal } = new AbortController();
  const sealed = async () => {
    await sealReads(registry, ONLY_TENANT, signal);
    const query = { type: 'audit.reads_sealed' };
    const { records } = await server.as(ADA).call(listAudit, { query });
    return records.map(({ record }) => record);
  };
  expect(await sealed()).toEqual([]);
  const now = registry.now().getTime();
  registry.now = () => new Date(now + 86_400_000);
  const reads = await registry.store.read_log.list(ONLY_TENANT, 0, 10);
  const digest = createHash('sha256').update(reads.map(toDigestLine).join('')).digest('hex');
  const record = { first: 1, last: 1, count: 1, digest: `sha256:${digest}` };
  expect(await sealed()).toMatchObject([record]);
  expect(await sealed()).toHaveLength(1);
  registry.now = () => new Date(now + 500 * 86_400_000);
  await sweepReads(registry, ONLY_TENANT, signal);
  expect(await registry.store.read_log.list(ONLY_TENANT, 0, 10)).toEqual([]);
});

test('usage shows counts of visible artifacts only, also if no reads are recorded', async () => {
  const server = await start({ 'audit.reads': 'none' });
  for (const id of ['ops/deploy', 'ops/deploy', 'hidden/plan']) {
    await server.as(ADA).request(loadArtifact, { query: { id } });
  }
  await server.as(BOB).call(batchLoad, { body: { ids: ['ops/deploy'] } });
  const list = async (headers: Record<string, string>) => {
    const { artifacts } = await server.as(headers).call(popular, { query: {} });
    return artifacts.map(({ id, uses }) => [id, uses]);
  };
  const all = [
    ['ops/deploy', 3],
    ['hidden/plan', 1],
  ];
  await vi.waitFor(async () => expect(await list(ADA)).toEqual(all), 20_000);
  expect(await list(BOB)).toEqual([['ops/deploy', 3]]);
  expect(await list(asAnonymous())).toEqual([]);
  const first = await server.as(ADA).call(popular, { query: { limit: 1 } });
  const { next_cursor: cursor } = first;
  const second = await server.as(ADA).call(popular, { query: { limit: 1, cursor } });
  expect(second.artifacts).toMatchObject([{ id: 'hidden/plan', uses: 1, layer: 'hidden' }]);
  const used = await server.as(BOB).call(getArtifactUsage, { query: { id: 'ops/deploy' } });
  expect(used).toMatchObject({ loads: 2, syncs: 1, days: [{ version: '1.0.0', layer: 'base' }] });
  const query = { id: 'hidden/plan' };
  expect((await server.as(BOB).request(getArtifactUsage, { query })).status).toBe(404);
  await readsOf(server, 0);
});

test('usage has no counts if they are disabled', async () => {
  const server = await start({ 'usage.counts': false });
  await server.as(ADA).request(loadArtifact, { query: { id: 'ops/deploy' } });
  await readsOf(server, 1);
  expect(await server.as(ADA).call(popular, { query: {} })).toMatchObject({ artifacts: [] });
});

test('a stopped registry has stored its last reads', async () => {
  const server = await start();
  await server.as(BOB).request(loadArtifact, { query: { id: 'ops/deploy' } });
  const { store } = server.registry;
  await vi.waitFor(async () => expect(await store.read_log.listWriters()).toHaveLength(1), 20_000);
  expect(await store.read_log.list(ONLY_TENANT, 0, 10)).toHaveLength(1);
});

test('the access review lists roles, groups, layers and the last read of each user', async () => {
  const server = await start();
  await seedPersonalLayer(server, { id: 'own', owner: 'bob', users: ['eve'] });
  await server.as(BOB).request(loadArtifact, { query: { id: 'ops/deploy' } });
  await readsOf(server, 1);
  const review = await server.as(ADA).call(reviewAccess, { query: {} });
  expect(review.shared_layers).toEqual([{ layer: 'base', access: 'organization' }]);
  expect(review.users).toMatchObject([
    {
      user_id: 'ada',
      state: 'unknown',
      admin: { granted_by: 'system:bootstrap' },
      groups: [],
      layers: [{ layer: 'hidden', via: 'user' }],
    },
    {
      user_id: 'bob',
      layers: [{ layer: 'own', via: 'owner' }],
      last_read_at: expect.stringMatching(/:00\.000Z$/),
    },
    { user_id: 'eve', layers: [{ layer: 'own', via: 'user' }] },
  ]);
  expect(review.users[2]).not.toHaveProperty('last_read_at');
  expect((await server.as(BOB).request(reviewAccess)).status).toBe(403);
});
