import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { isJsonObject } from '@catalog/core/json';
import type { ArchiveRows, ArchiveSource, ArchiveTable } from '@catalog/core/ports/archive';
import { listBackups } from './kept-backups.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  MANIFEST_FILE,
  tableFile,
  tablesOf,
  type ArchivedFile,
  type ArchiveManifest,
} from './manifest.ts';
import { decodeRow } from './row-text.ts';

export interface ArchiveReader extends ArchiveSource {
  manifest: ArchiveManifest;
  name: string;
}

const ROWS_AT_ONCE = 1000;
const TEXT_AT_ONCE = 16 * 1024 * 1024;

/** Verifies the checksum of every file before the first row is read. Objects are verified later, when they are read. */
export async function openArchiveReader(
  folder: string,
  signal: AbortSignal,
): Promise<ArchiveReader> {
  const { manifest, text } = await readManifest(folder);
  const files = filesByTable(folder, manifest);
  for (const file of files.values()) await checkFile(folder, file, signal);
  return {
    manifest,
    name: `archive ${bytesHash(text)}`,
    async *read(table) {
      const file = files.get(table);
      if (file !== undefined) yield* readTable(folder, table, file.rows);
    },
  };
}

async function readManifest(folder: string): Promise<{ manifest: ArchiveManifest; text: string }> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST_FILE), 'utf8');
  } catch (cause) {
    throw new CatalogError(
      'config.invalid',
      `${folder} is not a complete backup: ${MANIFEST_FILE} is missing.`,
      {
        details: { path: folder },
        suggested_action: await adviseBackup(folder),
        cause,
      },
    );
  }
  const manifest = parseManifest(text);
  if (manifest === undefined) throw damaged(folder, `${MANIFEST_FILE} cannot be parsed`);
  if (manifest.format_version <= ARCHIVE_VERSION) return { manifest, text };
  throw new CatalogError(
    'config.invalid',
    `${folder} has backup format ${manifest.format_version}, but this release reads formats up to ${ARCHIVE_VERSION}.`,
    {
      details: { path: folder },
      suggested_action: `Restore it with the release that wrote it: ${manifest.program}.`,
    },
  );
}

/**
 * Suggests a backup inside the directory, because `catalog admin backup --keep` adds each backup to
 * a directory.
 */
async function adviseBackup(folder: string): Promise<string> {
  const backups = await listBackups(folder).catch(() => []);
  const newest = backups.find(({ complete }) => complete);
  return newest === undefined
    ? 'Use the directory that `catalog admin backup` wrote. If the backup was interrupted, run it again.'
    : `The directory contains backups. Restore one of them, such as ${newest.folder}.`;
}

function parseManifest(text: string): ArchiveManifest | undefined {
  try {
    const parsed: ArchiveManifest = JSON.parse(text);
    return parsed.format === ARCHIVE_FORMAT && hasFiles(parsed.tables) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function hasFiles(tables: unknown): boolean {
  return Array.isArray(tables) && tables.every((file) => isJsonObject(file));
}

/** Requires every table of the format exactly once: a missing table would be restored as an empty one. */
function filesByTable(
  folder: string,
  { tables, format_version }: ArchiveManifest,
): ReadonlyMap<ArchiveTable, ArchivedFile> {
  const files = new Map(tables.map((file) => [file.table, file]));
  const expected = tablesOf(format_version);
  const missing = expected.find((table) => !files.has(table));
  if (missing !== undefined) throw damaged(folder, `${MANIFEST_FILE} does not list ${missing}`);
  if (tables.length === expected.length) return files;
  throw damaged(folder, `${MANIFEST_FILE} lists unknown or duplicate tables`);
}

async function checkFile(folder: string, file: ArchivedFile, signal: AbortSignal): Promise<void> {
  const name = tableFile(file.table);
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(join(folder, name)), hash, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw damaged(folder, `${name} cannot be read`, cause);
  }
  if (hash.digest('hex') !== file.sha256)
    throw damaged(folder, `${name} was changed after the backup`);
}

async function* readTable<Table extends ArchiveTable>(
  folder: string,
  table: Table,
  expected: number,
): AsyncGenerator<ArchiveRows[Table][]> {
  let page: ArchiveRows[Table][] = [];
  let length = 0;
  let rows = 0;
  for await (const line of readLines(join(folder, tableFile(table)))) {
    page.push(decodeRow(table, line));
    rows += 1;
    length += line.length;
    if (page.length < ROWS_AT_ONCE && length < TEXT_AT_ONCE) continue;
    yield page;
    page = [];
    length = 0;
  }
  if (rows !== expected) {
    throw damaged(folder, `${tableFile(table)} has ${rows} rows instead of ${expected}`);
  }
  if (page.length > 0) yield page;
}

/** Splits at line feeds only: JSON strings may contain other line separators. */
async function* readLines(path: string): AsyncGenerator<string> {
  const text = createReadStream(path).compose(createGunzip()).setEncoding('utf8');
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function damaged(folder: string, why: string, cause?: unknown): CatalogError {
  return new CatalogError('config.invalid', `The backup ${folder} is corrupt: ${why}.`, {
    details: { path: folder },
    suggested_action: 'Restore another backup, or copy this one again from its origin.',
    cause,
  });
}
