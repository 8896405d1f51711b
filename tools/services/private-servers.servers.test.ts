import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgresCluster, type PostgresNode } from './postgres-cluster.ts';
import { queryPostgres } from './postgres-server.ts';
import { startS3 } from './s3.ts';
import { startToxiproxy } from './toxiproxy.ts';

async function add(node: PostgresNode, number: number): Promise<void> {
  await queryPostgres(node.port, 'INSERT INTO numbers VALUES ($1)', [number]);
}

async function list(node: PostgresNode): Promise<number[]> {
  const rows = await queryPostgres<{ n: number }>(node.port, 'SELECT n FROM numbers ORDER BY n');
  return rows.map((row) => row.n);
}

test('cluster keeps all data if its primary is killed, and adds the old primary as a standby', async () => {
  const cluster = await startPostgresCluster({
    folder: temporaryFolder(),
    standbys: 1,
    synchronous: true,
  });
  onTestFinished(() => cluster.stop());
  const { primary: first, standbys } = cluster;
  const [second] = standbys;
  if (!second) throw new Error('there is no standby');
  await queryPostgres(first.port, 'CREATE TABLE numbers(n int)');
  await add(first, 1);
  await first.kill('SIGKILL');
  expect(first.pid).toBeUndefined();
  await expect(list(first)).rejects.toThrow('ECONNREFUSED');
  expect(await list(second)).toEqual([1]);
  await expect(add(second, 2)).rejects.toThrow('read-only');

  await cluster.promote(second);
  expect([cluster.primary, cluster.standbys]).toEqual([second, []]);
  await add(second, 2);
  await cluster.follow(first);
  expect(cluster.standbys).toEqual([first]);
  await add(second, 3);
  await expect.poll(() => list(first)).toEqual([1, 2, 3]);

  await second.kill('SIGKILL');
  await second.restart();
  expect(await list(second)).toEqual([1, 2, 3]);
});

test('private servers respond until they are stopped', async () => {
  const s3 = await startS3({ folder: temporaryFolder() });
  onTestFinished(() => s3.stop());
  const toxiproxy = await startToxiproxy({ folder: temporaryFolder() });
  onTestFinished(() => toxiproxy.stop());
  expect((await fetch(s3.endpoint)).status).toBe(403);
  expect(await (await fetch(`${toxiproxy.url}/proxies`)).json()).toEqual({});
  await s3.stop();
  await expect(fetch(s3.endpoint)).rejects.toThrow('fetch failed');
});
