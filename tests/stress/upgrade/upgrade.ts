import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '@catalog/server/adapters/store/postgres/migrations/migrate';
import {
  migrateDatabase,
  planDatabaseMigration,
} from '@catalog/server/adapters/store/postgres/migrations/migrate-database';
import { migrations } from '@catalog/server/adapters/store/postgres/migrations/table';
import {
  createDocumentedDatabase,
  type DocumentedDatabase,
} from '@catalog/testkit/documented-database';
import type { RunningCatalog } from '@catalog/testkit/packed-program';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { ROOT } from '../../../tools/services/folders.ts';
import type { Shrunk, StressResult, StressSession, StressTest } from '../stress-test.ts';
import { describeSchema, queryDatabase } from './describe-schema.ts';
import { LAST_STEP, openPreviousRelease, unpackPreviousRelease } from './previous-release.ts';
import { ARTIFACT, LAYER, openTraffic, writeVersion, type Counts } from './traffic.ts';

export const upgrade: StressTest = {
  name: 'upgrade',
  servers: true,
  summary:
    'PostgreSQL databases at each schema step of 0.4.0, with the documented roles, migrate to the ' +
    'current schema. At the last step, 0.4.0 reads and ingests during the migration and after it: ' +
    'no read fails, and no acknowledged ingest is lost.',
  n: LAST_STEP,
  bugs: 'tests/stress/upgrade/planted-bugs.json',
  bug_n: LAST_STEP,
  // The first trial builds release 0.4.0.
  timeout_ms: 300_000,
  open,
};

function open(folder: string): StressSession {
  let fresh: Promise<string[]> | undefined;
  async function play(seed: string): Promise<StressResult> {
    fresh ??= describeFresh();
    const step = stepOf(seed);
    const place = join(folder, seed);
    const database = await createDocumentedDatabase();
    try {
      const upgradeFrom = step === LAST_STEP ? upgradeUnderLoad : upgradeStopped;
      return await upgradeFrom({ step, place, database, fresh: await fresh });
    } finally {
      await database.drop();
      rmSync(place, { recursive: true, force: true });
    }
  }
  return {
    play,
    async shrink(seed): Promise<Shrunk | undefined> {
      const { problems } = await play(seed);
      if (problems.length === 0) return undefined;
      return { steps: [`upgrade from step ${stepOf(seed)}`], problems };
    },
  };
}

/** Returns the schema step of a seed; the first trial starts from the last step. */
function stepOf(seed: string): number {
  return LAST_STEP - (Number(seed.split('-').at(-1)) % LAST_STEP);
}

async function describeFresh(): Promise<string[]> {
  const database = await createDocumentedDatabase();
  try {
    await migrateToCurrent(database);
    return await describeSchema(database);
  } finally {
    await database.drop();
  }
}

interface Start {
  step: number;
  place: string;
  database: DocumentedDatabase;
  fresh: readonly string[];
}

async function migrateToCurrent(database: DocumentedDatabase, contract = false): Promise<void> {
  await migrateDatabase({
    ...database,
    newSalt: () => new Uint8Array(16),
    onStep: () => undefined,
    contract,
  });
}

async function upgradeStopped({ step, place, database, fresh }: Start): Promise<StressResult> {
  await migrate(database.migration_dsn, migrations.slice(0, step));
  const layer = join(place, 'layer');
  writeVersion(layer, '1.0.0');
  await queryDatabase(database.migration_dsn, insertLayer(layer));
  await migrateToCurrent(database);
  await migrateToCurrent(database, true);
  const problems = await compareSchema(database, fresh);
  const server = await serveCurrent(database);
  try {
    problems.push(...(await findMissing(server, ['1.0.0'])));
  } finally {
    await server.close();
  }
  return { counts: { 'schema steps': migrations.length - step }, problems };
}

function insertLayer(local_path: string): string {
  return `
    INSERT INTO catalog.tenants (tenant) VALUES (1);
    INSERT INTO catalog.layer_numbers (tenant, id, number) VALUES (1, '${LAYER}', 1);
    INSERT INTO catalog.layers (
      tenant, number, id, "order", user_defined, public, organization, source_type, repo, ref, root,
      local_path, owner, git_provider, force_push_policy, created_at, webhook_secret, webhook_key)
    VALUES (1, 1, '${LAYER}', 1, false, true, false, 'local', '', '', '', '${local_path}', '', '',
      'tolerant', now(), '', '')`;
}

/** Upgrades the database of a registry that 0.4.0 serves, rolls back to 0.4.0, and upgrades again. */
async function upgradeUnderLoad({ step, place, database, fresh }: Start): Promise<StressResult> {
  const layer = join(place, 'layer');
  const traffic = openTraffic(layer);
  const program = unpackPreviousRelease(join(place, '../previous'));
  const previous = openPreviousRelease({ program, folder: place, dsn: database.dsn });
  const problems: string[] = traffic.problems;
  let running: RunningCatalog | undefined;

  /** Reads and ingests through 0.4.0 while `work` runs; returns the number of overlapping requests. */
  async function serve(work: (url: string) => Promise<void>): Promise<Counts> {
    const started = await previous.serve();
    ({ running } = started);
    const during = await traffic.during(started.url, () => work(started.url));
    running.signal('SIGTERM');
    const { code } = await running.ended;
    if (code !== 0) problems.push(`0.4.0 ended with ${String(code)}`);
    return during;
  }

  try {
    await migrate(database.migration_dsn, migrations.slice(0, step));
    writeVersion(layer, '1.0.0');
    await queryDatabase(database.migration_dsn, insertLayer(layer));
    const { reads, ingests } = await serve(() => migrateToCurrent(database));
    if (reads === 0 || ingests === 0) problems.push('nothing was in progress during the migration');
    await serve(async () => undefined);
    await migrateToCurrent(database, true);
    problems.push(...(await compareSchema(database, fresh)));
    const refused = await previous.tryToServe();
    if (refused.code === 0 || refused.code === null) {
      problems.push('0.4.0 starts after the contract step');
    }
    await queryDatabase(database.migration_dsn, readUndo());
    const { contract } = await planDatabaseMigration(database);
    if (contract !== 'pending') problems.push('the documented SQL does not undo the contract step');
    await serve(async () => undefined);
    await migrateToCurrent(database, true);
    const server = await serveCurrent(database);
    try {
      problems.push(...(await findMissing(server, traffic.published)));
    } finally {
      await server.close();
    }
    return {
      counts: {
        'schema steps': migrations.length - step,
        ...traffic.counts,
        'reads during the migration': reads,
        'ingests during the migration': ingests,
      },
      problems,
    };
  } finally {
    running?.signal('SIGKILL');
    await running?.ended;
  }
}

/** Returns the SQL on the upgrade page that allows the previous release to start again. */
function readUndo(): string {
  const page = readFileSync(join(ROOT, 'docs/operations/upgrade.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sql\n(.*?)^```$/gms)];
  if (blocks.length !== 1)
    throw new Error('docs/operations/upgrade.md must have one block of SQL.');
  return blocks[0]?.[1] ?? '';
}

async function compareSchema(
  database: DocumentedDatabase,
  fresh: readonly string[],
): Promise<string[]> {
  const lines = await describeSchema(database);
  return [
    ...fresh.filter((line) => !lines.includes(line)).map((line) => `missing: ${line}`),
    ...lines
      .filter((line) => !fresh.includes(line))
      .map((line) => `only after an upgrade: ${line}`),
  ];
}

function serveCurrent({ dsn }: DocumentedDatabase): Promise<RegistryServer> {
  return startRegistry({
    keep: true,
    settings: {
      'store.type': 'postgres',
      'store.dsn': dsn,
      'store.pool_size': 4,
      'embedding_provider.type': 'none',
    },
  });
}

const INGEST_TIMEOUT_MS = 30_000;

/** Lists the versions that the registry does not serve after the ingests at its start. */
async function findMissing(server: RegistryServer, versions: readonly string[]): Promise<string[]> {
  const load = (version: string) =>
    server.request('/v1/load_artifact', { query: { id: ARTIFACT, version } });
  const deadline = performance.now() + INGEST_TIMEOUT_MS;
  while ((await load(versions.at(-1) ?? '')).status !== 200 && performance.now() < deadline) {
    await pause(50);
  }
  const problems: string[] = [];
  for (const version of versions) {
    const { status, body } = await load(version);
    if (status !== 200) problems.push(`${version} is lost: ${status} ${JSON.stringify(body)}`);
  }
  return problems;
}
