import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { tryFileMutex, type FileMutex } from '@catalog/core/node/file-mutex';
import type { SchemaStep } from '@catalog/core/ports/schema-step';
import { openConnection, type Connection } from './connection.ts';
import { migrate } from '../migrations/migrate.ts';
import type { RunnableStep } from '../../shared/frozen-step.ts';
import { describeFileProblem } from './sqlite-error.ts';

export interface OpenFile {
  reader: Connection;
  writer: Connection;
  snapshot(): Connection;
  close(): void;
}

export async function openFile(
  path: string,
  migrations: readonly RunnableStep[],
  onStep?: (step: SchemaStep) => void,
): Promise<OpenFile> {
  const file = prepareFile(path);
  const mutex = await holdFile(file);
  const connections: Connection[] = [];
  function close(): void {
    // The writer is closed last, because it checkpoints the WAL into the file.
    for (const connection of connections) connection.close();
    mutex.release();
  }
  function openReader(): Connection {
    const connection = openConnection(file, { read_only: true });
    connections.unshift(connection);
    connection.exec(READER_PRAGMAS);
    return connection;
  }
  try {
    const writer = openConnection(file, { read_only: false });
    connections.unshift(writer);
    writer.exec(WRITER_PRAGMAS);
    migrate(writer, file, migrations, onStep);
    const reader = openReader();
    let snapshot: Connection | undefined;
    return { reader, writer, snapshot: () => (snapshot ??= openReader()), close };
  } catch (error) {
    close();
    throw asStartError(error, file);
  }
}

/**
 * Settings of the writing connection. `FULL` flushes every commit before it is acknowledged (SPEC-37). A page of 8 KB
 * holds two or three manifests. The WAL is checkpointed at 32 MB, so that a large ingest writes its indexes less often,
 * and truncated to 64 MB.
 */
const WRITER_PRAGMAS = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -32768;
  PRAGMA temp_store = MEMORY;`;

const READER_PRAGMAS = `
  PRAGMA cache_size = -32768;
  PRAGMA temp_store = MEMORY;`;

/** Creates the file so that only its owner can read it, because it contains secrets. */
function prepareFile(path: string): string {
  try {
    const folder = dirname(resolve(path));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = `${realpathSync(folder)}/${basename(path)}`;
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', 0o600));
      syncFolder(folder);
    }
    return realpathSync(file);
  } catch (error) {
    throw asStartError(error, path);
  }
}

/** Flushes a directory, so that new names in it survive a crash. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

async function holdFile(file: string): Promise<FileMutex> {
  let taken;
  try {
    taken = await tryFileMutex({ mutex: `${file}-mutex`, holder: `${file}-holder` });
  } catch (error) {
    throw asStartError(error, file);
  }
  if (!('holder' in taken)) return taken;
  throw new CatalogError(
    'config.invalid',
    `${file} is in use by another registry (${taken.holder}). Only one process can use a SQLite file.`,
    {
      details: { path: file },
      suggested_action: 'Stop the other registry, or use a different file.',
    },
  );
}

/** Adds the path to an error of startup, which only the operator sees. */
function asStartError(error: unknown, path: string): unknown {
  const trouble = describeFileProblem(error) ?? describeSystemError(error);
  if (trouble === undefined) return error;
  return new CatalogError('config.invalid', `The store ${path} cannot be opened: ${trouble}.`, {
    details: { path },
    cause: error,
    suggested_action: `Make ${path} writable for the registry, restore it from a backup, or use another file.`,
  });
}

function describeSystemError(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? error.message : undefined;
}
