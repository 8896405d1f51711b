import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { VERSION } from '@catalog/contract/version';
import { ARCHIVE_TABLES, forEachTable, type ArchiveSink } from '@catalog/core/ports/archive';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  MANIFEST_FILE,
  NEW_MANIFEST_FILE,
  OBJECTS_FOLDER,
  TABLES_FOLDER,
  tableFile,
  type ArchivedFile,
  type ArchiveManifest,
} from './manifest.ts';
import { openTableWriter } from './write-table.ts';

export interface ArchiveWriter extends ArchiveSink {
  close(): void;
}

/**
 * Overwrites the tables that an interrupted run left in the folder but keeps its objects, which are
 * identified by hash. Rejects any other folder that is not empty.
 */
export async function openArchiveWriter(
  folder: string,
  created_at: string,
): Promise<ArchiveWriter> {
  await prepare(folder);
  const writers = forEachTable((table) => openTableWriter(join(folder, tableFile(table)), table));
  return {
    write: (table, rows) => writers[table].write(rows),
    async finish() {
      const tables: ArchivedFile[] = [];
      for (const table of ARCHIVE_TABLES) tables.push(await writers[table].end());
      await writeManifest(folder, {
        format: ARCHIVE_FORMAT,
        format_version: ARCHIVE_VERSION,
        program: VERSION,
        created_at,
        tables,
      });
    },
    close() {
      for (const table of ARCHIVE_TABLES) writers[table].abort();
    },
  };
}

/** Creates directories that only the owner can read: the tables contain webhook secrets. */
async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const left = await listLeftovers(folder);
  if (left === undefined) {
    const what = (await readdir(folder)).includes(MANIFEST_FILE)
      ? 'contains a backup'
      : 'is not empty';
    throw new CatalogError('config.invalid', `${folder} ${what}; a backup needs a new directory.`, {
      details: { path: folder },
      suggested_action: 'Choose a directory that does not exist yet.',
    });
  }
  for (const path of left) await rm(join(folder, path));
  await mkdir(join(folder, TABLES_FOLDER), { recursive: true, mode: 0o700 });
}

const TABLE_FILES: ReadonlySet<string> = new Set(
  ARCHIVE_TABLES.map((table) => basename(tableFile(table))),
);

/**
 * Lists the files that an interrupted run left and this run must write again. Returns undefined if the directory
 * contains other files.
 */
async function listLeftovers(folder: string): Promise<string[] | undefined> {
  const left: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === TABLES_FOLDER && entry.isDirectory()) {
      const files = await readdir(join(folder, TABLES_FOLDER), { withFileTypes: true });
      if (!files.every(isTableFile)) return undefined;
      left.push(...files.map(({ name }) => join(TABLES_FOLDER, name)));
    } else if (entry.name === NEW_MANIFEST_FILE && entry.isFile()) {
      left.push(NEW_MANIFEST_FILE);
    } else if (entry.name !== OBJECTS_FOLDER) {
      return undefined;
    }
  }
  return left;
}

function isTableFile(entry: Dirent): boolean {
  return entry.isFile() && TABLE_FILES.has(entry.name);
}

async function writeManifest(folder: string, manifest: ArchiveManifest): Promise<void> {
  const path = join(folder, NEW_MANIFEST_FILE);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(path, join(folder, MANIFEST_FILE));
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
