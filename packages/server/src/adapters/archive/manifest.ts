import { ARCHIVE_TABLES, type ArchiveTable } from '@catalog/core/ports/archive';
import { backupOf, PLAIN_TABLES, type BackedUpTable } from '@catalog/core/ports/plain-tables';

/** Content of `manifest.json`, which is written last. An archive without a manifest is incomplete. */
export interface ArchiveManifest {
  format: typeof ARCHIVE_FORMAT;
  format_version: number;
  program: string;
  created_at: string;
  tables: readonly ArchivedFile[];
}

/** One JSON object per line, compressed with gzip. */
export interface ArchivedFile {
  table: ArchiveTable;
  rows: number;
  /** Size of the compressed file. */
  bytes: number;
  sha256: string;
}

export const ARCHIVE_FORMAT = 'catalog-archive';
/** Number of the archive format. It increases with every added table; older formats can still be read. */
export const ARCHIVE_VERSION = Math.max(...ARCHIVE_TABLES.map(firstFormat));

/** Returns the first archive format that contains a table. Tables without this mark were in format 1. */
function firstFormat(table: ArchiveTable): number {
  return isPlain(table) ? backupOf(table).since : 1;
}

function isPlain(table: ArchiveTable): table is BackedUpTable {
  return table in PLAIN_TABLES;
}

export function tablesOf(format_version: number): ArchiveTable[] {
  return ARCHIVE_TABLES.filter((table) => firstFormat(table) <= format_version);
}

export const MANIFEST_FILE = 'manifest.json';
export const NEW_MANIFEST_FILE = `${MANIFEST_FILE}.new`;
export const TABLES_FOLDER = 'tables';
/** Directory of the objects in an archive. It has the same layout as the object store in a file system. */
export const OBJECTS_FOLDER = 'objects';

export function tableFile(table: ArchiveTable): string {
  return `${TABLES_FOLDER}/${table}.ndjson.gz`;
}
