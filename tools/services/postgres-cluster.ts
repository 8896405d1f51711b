import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { installPostgres, type PostgresProgram } from './postgres-program.ts';
import {
  copyPrimary,
  makeData,
  postgresDsn,
  queryPostgres,
  startPostgres,
  waitUntilPostgresReady,
  type PostgresSettings,
} from './postgres-server.ts';
import {
  freezeProcess,
  signalProcess,
  stopServer,
  thawProcess,
  waitForExit,
  type ProcessRecord,
} from './server-process.ts';
import { closedFolder } from './unprivileged-user.ts';

export interface PostgresClusterOptions {
  /** The owner removes the folder after `stop`. */
  folder: string;
  standbys?: number;
  /** A commit waits until a standby has written it to disk. */
  synchronous?: boolean;
  settings?: PostgresSettings;
}

/** The name and the port stay the same when the role changes. */
export interface PostgresNode {
  readonly name: string;
  readonly port: number;
  readonly dsn: string;
  /** Undefined while the server is down. */
  readonly pid: number | undefined;
  /** After `SIGKILL`, waits until the process has exited. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Uses SIGSTOP until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Keeps the existing data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Killed with the process that started the servers. */
export interface PostgresCluster {
  readonly primary: PostgresNode;
  readonly standbys: readonly PostgresNode[];
  /** The old primary is outside the cluster until `follow` adds it again. */
  promote(standby: PostgresNode): Promise<void>;
  /** Deletes the data of the server. Keeps its old port. */
  follow(node: PostgresNode): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgresCluster({
  folder,
  standbys: count = 0,
  synchronous = false,
  settings = {},
}: PostgresClusterOptions): Promise<PostgresCluster> {
  const program = await installPostgres();
  makeAccessible(folder, program);
  const nodes: PostgresNode[] = [];
  const addNode = async (): Promise<PostgresNode> => {
    const name = `node${nodes.length + 1}`;
    const place = { folder: join(folder, name), name, port: await freePort() };
    const node = makeNode(program, { ...place, settings });
    nodes.push(node);
    return node;
  };
  let primary = await addNode();
  const standbys = new Set<PostgresNode>();

  const follow = async (node: PostgresNode): Promise<void> => {
    await node.stop();
    standbys.delete(node);
    await copyPrimary(program, {
      folder: join(folder, node.name),
      name: node.name,
      primaryPort: primary.port,
    });
    await node.restart();
    standbys.add(node);
    await untilStreaming(primary, node);
    if (synchronous) await waitForAny(primary, standbys);
  };
  const stop = async (): Promise<void> => {
    // Stops standbys last, so that a synchronous primary can complete its commits.
    for (const node of [primary, ...nodes]) await node.stop();
  };

  try {
    await makeData(program, join(folder, primary.name));
    await primary.restart();
    for (let index = 0; index < count; index += 1) await follow(await addNode());
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    get primary() {
      return primary;
    },
    get standbys() {
      return [...standbys];
    },
    follow,
    stop,
    async promote(standby) {
      if (!standbys.delete(standby)) throw new Error(`${standby.name} is not a standby`);
      await clearSynchronousStandbys(standby);
      await queryPostgres(standby.port, 'SELECT pg_promote(true, 60)');
      // The other standbys still use the old primary; `follow` adds them again.
      standbys.clear();
      primary = standby;
    },
  };
}

/** Temporary folders are accessible only to their creator. */
function makeAccessible(folder: string, { user }: PostgresProgram): void {
  mkdirSync(folder, { recursive: true });
  if (!user) return;
  chmodSync(folder, 0o711);
  const closed = closedFolder(folder);
  if (closed !== undefined)
    throw new Error(`PostgreSQL runs as ${user.name}, who may not enter ${closed}`);
}

function makeNode(
  program: PostgresProgram,
  place: { folder: string; name: string; port: number; settings: PostgresSettings },
): PostgresNode {
  let server: ProcessRecord | undefined;
  let isFrozen = false;
  const thaw = (): void => {
    if (server && isFrozen) thawProcess(server);
    isFrozen = false;
  };
  return {
    name: place.name,
    port: place.port,
    dsn: postgresDsn(place.port),
    get pid() {
      return server?.pid;
    },
    async kill(signal) {
      if (!server) return;
      signalProcess(server, signal);
      if (signal !== 'SIGKILL') return;
      await waitForExit(server, GONE_MS);
      server = undefined;
    },
    freeze() {
      if (!server) throw new Error(`${place.name} is not running`);
      if (!isFrozen) freezeProcess(server);
      isFrozen = true;
    },
    thaw,
    async restart() {
      server = await retryStart(async () => {
        const started = await startPostgres(program, { ...place, shared: false });
        await waitUntilPostgresReady(place, started);
        return started;
      });
    },
    async stop() {
      thaw();
      if (server) await stopServer(server, 'SIGINT');
      server = undefined;
    },
  };
}

const GONE_MS = 5000;
const START_ATTEMPTS = 20;

/** The children of a killed server use its memory for a moment longer. */
async function retryStart(start: () => Promise<ProcessRecord>): Promise<ProcessRecord> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      const busy = error instanceof Error && /shared memory block|lock file/.test(error.message);
      if (!busy || attempt === START_ATTEMPTS) throw error;
      await pause(100);
    }
  }
}

async function untilStreaming(primary: PostgresNode, standby: PostgresNode): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming'`;
  await untilRow(primary, sql, [standby.name]);
}

/** With two standbys, one may be down. */
async function waitForAny(
  primary: PostgresNode,
  standbys: ReadonlySet<PostgresNode>,
): Promise<void> {
  const names = [...standbys].map((node) => node.name).join(', ');
  await setSynchronousStandbys(primary, `ANY 1 (${names})`);
  await untilRow(primary, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'`);
}

/** The standby would otherwise wait for servers that do not follow it. */
async function clearSynchronousStandbys(standby: PostgresNode): Promise<void> {
  await setSynchronousStandbys(standby, '');
}

async function setSynchronousStandbys(node: PostgresNode, names: string): Promise<void> {
  await queryPostgres(node.port, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await queryPostgres(node.port, 'SELECT pg_reload_conf()');
}

const ROW_TIMEOUT_MS = 30_000;

async function untilRow(
  node: PostgresNode,
  sql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const deadline = performance.now() + ROW_TIMEOUT_MS;
  while ((await queryPostgres(node.port, sql, values)).length === 0) {
    if (performance.now() > deadline) throw new Error(`${node.name}: no row for ${sql}`);
    await pause(20);
  }
}
