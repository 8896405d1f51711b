import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import type { PostgresProgram } from './postgres-program.ts';
import { runProgram } from './run-program.ts';
import { startServer, waitUntilReady, type ProcessRecord } from './server-process.ts';

/** The server listens on loopback only and contains no valuable data. */
const PASSWORD = 'catalog';

export type PostgresSettings = Readonly<Record<string, string | number>>;

/** `fsync` and `synchronous_commit` stay on because tests check durability. */
const SETTINGS: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 300,
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  wal_level: 'replica',
  // Limits the WAL kept for a standby that does not return, so the disk does not fill up.
  max_slot_wal_keep_size: '4GB',
  // A standby reconnects to its primary quickly; the default is five seconds.
  wal_retrieve_retry_interval: '100ms',
};

export interface PostgresStart {
  folder: string;
  port: number;
  /** A standby connects to its primary with this name. */
  name: string;
  shared: boolean;
  settings?: PostgresSettings;
}

export function postgresDsn(port: number): string {
  return `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
}

export function primaryConninfo(primaryPort: number): string {
  return `host=127.0.0.1 port=${primaryPort} user=postgres password=${PASSWORD}`;
}

/** Exists under this name only when it is complete. */
function dataOf(folder: string): string {
  return join(folder, 'data');
}

/** Requires the same major version of PostgreSQL. */
export function hasData({ version }: PostgresProgram, folder: string): boolean {
  const mark = join(dataOf(folder), 'PG_VERSION');
  return existsSync(mark) && readFileSync(mark, 'utf8').trim() === version.split('.')[0];
}

export async function makeData(program: PostgresProgram, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(program, folder);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (program.user) chownSync(passwordFile, program.user.uid, program.user.gid);
  // Same collation and character types on every system.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  await runPostgresTool(program, folder, 'initdb', [
    `--pgdata=${join(folder, 'making')}`,
    ...locale,
    '--encoding=UTF8',
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--no-sync',
  ]);
  renameSync(join(folder, 'making'), dataOf(folder));
}

export async function copyPrimary(
  program: PostgresProgram,
  { folder, name, primaryPort }: { folder: string; name: string; primaryPort: number },
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(program, folder);
  await queryPostgres(
    primaryPort,
    'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1',
    [name],
  );
  // Without a fast checkpoint, the copy waits minutes for a spread checkpoint.
  await runPostgresTool(program, folder, 'pg_basebackup', [
    `--dbname=${postgresDsn(primaryPort)}`,
    `--pgdata=${join(folder, 'making')}`,
    '--checkpoint=fast',
    '--wal-method=stream',
    '--write-recovery-conf',
    '--create-slot',
    `--slot=${name}`,
    '--no-sync',
  ]);
  renameSync(join(folder, 'making'), dataOf(folder));
}

export async function startPostgres(
  program: PostgresProgram,
  { folder, port, name, shared, settings = {} }: PostgresStart,
): Promise<ProcessRecord> {
  const all = { ...SETTINGS, ...settings, port, cluster_name: name };
  // Starts the server directly instead of with `pg_ctl`, so that no process of a killed server
  // holds its lock.
  return startServer({
    program: join(program.bin, 'postgres'),
    words: [
      '-D',
      dataOf(folder),
      ...Object.entries(all).map(([key, value]) => `--${key}=${value}`),
    ],
    cwd: folder,
    log: logOf(folder),
    shared,
    user: program.user,
  });
}

export async function waitUntilPostgresReady(
  { folder, port }: Pick<PostgresStart, 'folder' | 'port'>,
  process: ProcessRecord,
): Promise<void> {
  await waitUntilReady(process, logOf(folder), () => answers(port));
}

function logOf(folder: string): string {
  return join(folder, 'log');
}

async function answers(port: number): Promise<boolean> {
  try {
    await queryPostgres(port, 'SELECT 1');
    return true;
  } catch {
    return false;
  }
}

/** Uses a new connection, as the superuser. */
export async function queryPostgres<Row extends QueryResultRow>(
  port: number,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  // Loaded lazily: most callers that check for a running server do not need the driver.
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: postgresDsn(port),
    connectionTimeoutMillis: 2000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}

function makeFolder({ user }: PostgresProgram, folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

async function runPostgresTool(
  { bin, user }: PostgresProgram,
  cwd: string,
  tool: string,
  words: readonly string[],
): Promise<void> {
  await runProgram(join(bin, tool), words, { cwd, user });
}
