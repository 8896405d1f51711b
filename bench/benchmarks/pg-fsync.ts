import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterDsn, createClusterDatabase } from '@catalog/testkit/cluster-database';
import { startPostgresCluster } from '../../tools/services/postgres-cluster.ts';
import { median, resultOfParts, type Benchmark } from '../benchmark.ts';
import { ratioPart } from '../pg-search/compare.ts';
import { startRegistryProcess, WITHOUT_VECTORS } from '../registry-process.ts';

const CHANGES = 20;
const MAX_RATIO = 2;

export const pgFsync: Benchmark = {
  name: 'pg-fsync',
  summary:
    'Time of an ingest of n artifacts, and of an ingest of one changed artifact among them, on PostgreSQL with `fsync=on`, compared with `fsync=off`.',
  n: 1000,
  small_n: 50,
  run: async ({ n, folder }) => {
    // PostgreSQL runs as another user and must be able to enter the folder.
    chmodSync(folder, 0o711);
    const sides = {
      on: await openSide(join(folder, 'on'), 'on', n),
      off: await openSide(join(folder, 'off'), 'off', n),
    };
    try {
      const first = { on: await sides.on.ingest(), off: await sides.off.ingest() };
      const changes: Record<'on' | 'off', number[]> = { on: [], off: [] };
      for (let round = 0; round < CHANGES; round += 1) {
        for (const side of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
          sides[side].change(round);
          changes[side].push(await sides[side].ingest());
        }
      }
      return resultOfParts(
        'pg-fsync',
        [
          ratioPart('pg-fsync-first', n, first.on, first.off, MAX_RATIO),
          ratioPart('pg-fsync-change', n, median(changes.on), median(changes.off), MAX_RATIO),
        ],
        [
          `the ingest of ${n} new artifacts, once on each side; then ${CHANGES} ingests that change one of them, in turn`,
          'a request that waits for its ingest, without embeddings; the registry, the servers and their disk are one machine',
        ],
      );
    } finally {
      await sides.on.close();
      await sides.off.close();
    }
  },
};

interface Side {
  ingest(): Promise<number>;
  change(round: number): void;
  close(): Promise<void>;
}

async function openSide(folder: string, fsync: 'on' | 'off', n: number): Promise<Side> {
  const home = join(folder, 'home');
  const layer = join(folder, 'layer');
  mkdirSync(home, { recursive: true });
  for (let at = 0; at < n; at += 1) writeArtifact(layer, at, '1.0.0');
  const cluster = await startPostgresCluster({
    folder: join(folder, 'postgres'),
    settings: { fsync },
  });
  await createClusterDatabase(cluster.primary.dsn);
  const registry = await startRegistryProcess(home, {
    env: {
      ...WITHOUT_VECTORS,
      CATALOG_REGISTRY_STORE: 'postgres',
      CATALOG_POSTGRES_DSN: clusterDsn(cluster.primary.dsn),
    },
  });
  const post = async (path: string, body?: object): Promise<void> => {
    const response = await fetch(`${registry.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
  };
  // The folder is empty, so that the request does not join the ingest of the registration.
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  await post('/v1/layers', { id: 'rules', source_type: 'local', local_path: empty });
  await post('/v1/layers/reingest?id=rules');
  let isFirst = true;
  return {
    async ingest() {
      const began = performance.now();
      if (isFirst) await post('/v1/layers/update?id=rules', { local_path: layer });
      isFirst = false;
      await post('/v1/layers/reingest?id=rules');
      return performance.now() - began;
    },
    change: (round) => writeArtifact(layer, 0, `1.1.${round}`),
    async close() {
      await registry.stop();
      await cluster.stop();
    },
  };
}

function writeArtifact(layer: string, at: number, version: string): void {
  const folder = join(layer, `area-${at % 10}`, `rule-${at}`);
  mkdirSync(folder, { recursive: true });
  const fields = `type: rule\nversion: ${version}\ndescription: What to do about case ${at}.`;
  writeFileSync(join(folder, 'ARTIFACT.md'), `---\n${fields}\n---\nDo it.\n`);
}
