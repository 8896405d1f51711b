import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, dropDatabase, prepareTemplate } from '@catalog/testkit/postgres-database';
import { freePort } from '../../../tools/services/free-port.ts';
import { startServeProcess, stopServeProcess } from '../serve-process.ts';
import { queryDatabase } from '../upgrade/describe-schema.ts';
import type { CommittedEvent } from './check-receipts.ts';
import { LAYER } from './publish.ts';

/** Timeout for processes that start next to others on a machine under load. */
const READY_MS = 300_000;

export type Engine = 'sqlite' | 'postgres';

export interface Registry {
  /** URL of each process, including those that are not running. */
  urls: readonly string[];
  /** Kills the next process with SIGKILL and restarts it; returns when it is ready. */
  killNext(): Promise<void>;
  readEvents(): Promise<CommittedEvent[]>;
  close(): Promise<void>;
}

export interface RegistryOptions {
  engine: Engine;
  folder: string;
  source: string;
  processes: number;
  env: Readonly<Record<string, string>>;
}

export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { engine, folder, processes, env } = options;
  const store = engine === 'sqlite' ? openFile(folder) : await openDatabase();

  const config = join(folder, 'registry.yaml');
  writeFileSync(
    config,
    `registry:\n  layers:\n    - { id: ${LAYER}, source: { local: { path: ${options.source} } } }\n`,
  );
  const start = (port: number): Promise<ChildProcess> =>
    startServeProcess({
      folder,
      config,
      port,
      env: {
        CATALOG_EMBEDDING_PROVIDER: 'none',
        CATALOG_LOG_LEVEL: 'error',
        ...store.env,
        ...env,
      },
      ready_ms: READY_MS,
    });

  const ports: number[] = [];
  const children: ChildProcess[] = [];
  async function close(): Promise<void> {
    await Promise.all(children.map(kill));
    await store.drop();
  }
  try {
    for (let index = 0; index < processes; index += 1) {
      const port = await freePort();
      ports.push(port);
      children.push(await start(port));
    }
  } catch (error) {
    await close();
    throw error;
  }
  let kills = 0;
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    async killNext() {
      const index = kills % processes;
      kills += 1;
      const [child, port] = [children[index], ports[index]];
      if (child === undefined || port === undefined) throw new RangeError(`no process ${index}`);
      await kill(child);
      children[index] = await start(port);
    },
    readEvents: () => store.readEvents(),
    close,
  };
}

function kill(child: ChildProcess): Promise<void> {
  return stopServeProcess(child, 'SIGKILL');
}

interface StoreAccess {
  env: Readonly<Record<string, string>>;
  readEvents(): Promise<CommittedEvent[]>;
  drop(): Promise<void>;
}

interface EventRow {
  sequence: number | string;
  body: string;
}

function openFile(folder: string): StoreAccess {
  const file = join(folder, '.catalog/standalone/catalog.db');
  return {
    env: {},
    async readEvents() {
      const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
      try {
        const select = database.prepare('SELECT sequence, body FROM outbox ORDER BY sequence');
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the statement
        return (select.all() as unknown as EventRow[]).map(toEvent);
      } finally {
        database.close();
      }
    },
    drop: async () => undefined,
  };
}

async function openDatabase(): Promise<StoreAccess> {
  const database = await createDatabase(await prepareTemplate());
  return {
    env: { CATALOG_REGISTRY_STORE: 'postgres', CATALOG_POSTGRES_DSN: database.dsn },
    async readEvents() {
      const rows = await queryDatabase<EventRow>(
        database.migration_dsn,
        'SELECT sequence, body::text FROM catalog.outbox ORDER BY sequence',
      );
      return rows.map(toEvent);
    },
    drop: () => dropDatabase(database.name),
  };
}

interface EventBody {
  event: string;
  timestamp: string;
  data: Partial<Record<'id' | 'domain' | 'layer', string>>;
}

function toEvent({ sequence, body }: EventRow): CommittedEvent {
  const { event, timestamp, data }: EventBody = JSON.parse(body);
  const subject = data.id ?? data.domain ?? data.layer ?? '';
  return { sequence: Number(sequence), event, timestamp, subject };
}
