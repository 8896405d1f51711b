import { healthz } from '@catalog/contract/endpoints/operations';
import { clusterDsn, createClusterDatabase } from '@catalog/testkit/cluster-database';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { openS3Objects } from './adapters/objects/s3-objects.ts';
import { findOwner } from './registry/object-store/adopt-object-store.ts';
import { startPostgresCluster } from '../../../tools/services/postgres-cluster.ts';

const PROBES = { 'read_only.probe_interval_seconds': 0.3, 'read_only.probe_failures': 3 };
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';
/** Time for two processes on a busy machine to detect a promotion. */
const NOTICED = { timeout: 30_000, interval: 50 };

function artifact(name: string): Record<string, string | Buffer> {
  return {
    [`ops/${name}/ARTIFACT.md`]: RULE,
    [`ops/${name}/model.bin`]: Buffer.alloc(300_000, name),
  };
}

test('processes keep their bucket when a standby is promoted, and the old primary loses it', async () => {
  const cluster = await startPostgresCluster({ folder: temporaryFolder(), standbys: 1 });
  onTestFinished(() => cluster.stop());
  const { primary: former, standbys } = cluster;
  const [standby] = standbys;
  if (standby === undefined) throw new RangeError('The cluster has no standby.');
  await createClusterDatabase(former.dsn);
  const bucket = await openTestBucket();
  onTestFinished(() => bucket.empty());
  const objects = openS3Objects(bucket.options);
  const settings = {
    ...PROBES,
    ...bucket.settings,
    'store.type': 'postgres',
    'store.dsn': clusterDsn(former.dsn),
    'store.pool_size': 4,
  } as const;
  const replicated = { ...settings, 'store.replica_dsns': [clusterDsn(standby.dsn)] };
  const start = (): Promise<RegistryServer> => startRegistry({ settings: replicated });
  const servers = [await start(), await start()] as const;
  const [first, second] = servers;
  await first.ingest(artifact('greet'), { id: 'first' });
  const before = await objects.getOwner();

  await former.kill('SIGKILL');
  await cluster.promote(standby);
  await expect.poll(() => objects.getOwner(), NOTICED).not.toBe(before);
  const after = await objects.getOwner();
  for (const server of servers) {
    await expect
      .poll(async () => (await server.request(healthz)).body, NOTICED)
      .toEqual({ mode: 'ready' });
    expect(await findOwner(server.registry)).toEqual({
      decision: 'owned',
      identity: after,
      owner: after,
    });
  }
  const stored = await bucket.list();
  await second.ingest(artifact('wave'), { id: 'second' });
  expect((await bucket.list()).length).toBe(stored.length + 1);
  await start();

  await former.restart();
  await expect(startRegistry({ settings })).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.stringContaining('belongs to another database'),
  });
  expect(await objects.getOwner()).toBe(after);
});
