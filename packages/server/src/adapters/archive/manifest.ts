import { ARCHIVE_TABLES, type ArchiveTable } from '@catalog/core/ports/archive';
import { backupOf, PLAIN_TABLES, type BackedUpTable } from '@catalog/core/ports/plain-tables';

/** Content of `manifest.json`. It is written last: an archive without it is incomplete. */
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
/** Format of new archives, which increases with every added table. Older formats can be read. */
export const ARCHIVE_VERSION = Math.max(...ARCHIVE_TABLES.map(firstFormat));

/** Returns the first format that has a table. All tables that are not plain were in format 1. */
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
/** Directory with the same layout as the object folder of a registry. */
export const OBJECTS_FOLDER = 'objects';

export function tableFile(table: ArchiveTable): string {
  return `${TABLES_FOLDER}/${table}.ndjson.gz`;
}
