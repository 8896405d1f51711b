import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { readyz } from '@catalog/contract/endpoints/operations';
import { clusterDsn, createClusterDatabase } from '@catalog/testkit/cluster-database';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { expect, onTestFinished, test } from 'vitest';
import {
  startPostgresCluster,
  type PostgresCluster,
} from '../../../../../tools/services/postgres-cluster.ts';

/** Three probes at the default interval, and the timeout of the last one. */
const DETECTION_MS = 17_000;

/**
 * Maximum duration of a read: 1 s until a probe starts, 2 s for the probe of a hanging server, and the rest for 40
 * concurrent reads on a busy machine. Without the probe, a read would take at least 12 s.
 */
const MAX_READ_MS = 10_000;
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';

async function start(
  standbys: number,
): Promise<{ cluster: PostgresCluster; server: RegistryServer }> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-cluster-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const cluster = await startPostgresCluster({ folder, standbys });
  onTestFinished(() => cluster.stop());
  await createClusterDatabase(cluster.primary.dsn);
  const server = await startRegistry({
    settings: {
      'store.type': 'postgres',
      'store.dsn': clusterDsn(cluster.primary.dsn),
      'store.replica_dsns': cluster.standbys.map(({ dsn }) => clusterDsn(dsn)),
    },
    layers: { base: { 'rules/greet/ARTIFACT.md': RULE } },
  });
  return { cluster, server };
}

test('/readyz stays ready while the primary hangs and a standby can be read', async () => {
  const { cluster, server } = await start(1);
  const [standby] = cluster.standbys;
  const responses: { status: number; mode: unknown; ms: number }[] = [];
  const ask = async (): Promise<void> => {
    const began = performance.now();
    const { status, body } = await server.request(readyz);
    const { mode }: { mode?: unknown } = Object(body);
    responses.push({ status, mode, ms: performance.now() - began });
  };
  cluster.primary.freeze();
  try {
    for (const end = performance.now() + DETECTION_MS; performance.now() < end; await delay(200)) {
      await ask();
    }
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(1500);
    expect(responses[0]?.mode).toBe('ready');
    await expect
      .poll(async () => (await ask(), responses.at(-1)), { timeout: 20_000 })
      .toMatchObject({
        status: 200,
        mode: 'read_only',
      });
    standby?.freeze();
    await expect
      .poll(async () => (await ask(), responses.at(-1)), { timeout: 20_000 })
      .toMatchObject({
        status: 503,
        mode: 'not_ready',
      });
  } finally {
    standby?.thaw();
    cluster.primary.thaw();
  }
});

test('reads move to a standby within seconds while a database server hangs', async () => {
  const { cluster, server } = await start(2);
  const [standby] = cluster.standbys;
  const read = async (): Promise<{ status: number; isInMode: boolean; ms: number }> => {
    const began = performance.now();
    const { status, headers } = await server.request(loadArtifact, {
      query: { id: 'rules/greet' },
    });
    const isInMode = headers['x-catalog-read-only'] === 'true';
    return { status, isInMode, ms: performance.now() - began };
  };
  const readForSeconds = async (): Promise<Awaited<ReturnType<typeof read>>[]> => {
    const reads = Array.from({ length: 40 }, read);
    for (const end = performance.now() + MAX_READ_MS; performance.now() < end; await delay(100)) {
      reads.push(read());
    }
    return Promise.all(reads);
  };
  cluster.primary.freeze();
  try {
    const reads = await readForSeconds();
    expect(reads.filter(({ status, isInMode }) => status !== 200 || isInMode)).toEqual([]);
    expect(Math.max(...reads.map(({ ms }) => ms))).toBeLessThan(MAX_READ_MS);
    await expect.poll(async () => (await read()).isInMode, { timeout: 20_000 }).toBe(true);
    standby?.freeze();
    const others = await readForSeconds();
    expect(others.filter(({ status }) => status !== 200)).toEqual([]);
    expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(MAX_READ_MS);
  } finally {
    standby?.thaw();
    cluster.primary.thaw();
  }
});
