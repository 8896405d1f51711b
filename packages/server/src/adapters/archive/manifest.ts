import { ARCHIVE_TABLES, type ArchiveTable } from '@catalog/core/ports/archive';
import { backupOf, PLAIN_TABLES, type BackedUpTable } from '@catalog/core/ports/plain-tables';

/** What `manifest.json` of an archive says. It is written last: a folder without it is a part of one. */
export interface ArchiveManifest {
  format: typeof ARCHIVE_FORMAT;
  format_version: number;
  /** The release that wrote it. */
  program: string;
  /** The moment the copy began. */
  created_at: string;
  /** In the order in which they are read. */
  tables: readonly ArchivedFile[];
}

/** A file of rows: one JSON object a line, gzip. */
export interface ArchivedFile {
  table: ArchiveTable;
  rows: number;
  /** Of the compressed file. */
  bytes: number;
  sha256: string;
}

export const ARCHIVE_FORMAT = 'catalog-archive';
/** The format of new archives, which rises with every table that is added. Older formats are read. */
export const ARCHIVE_VERSION = Math.max(...ARCHIVE_TABLES.map(firstFormat));

/** The first format with a table. The tables that are not plain were in the first one. */
function firstFormat(table: ArchiveTable): number {
  return isPlain(table) ? backupOf(table).since : 1;
}

function isPlain(table: ArchiveTable): table is BackedUpTable {
  return table in PLAIN_TABLES;
}

/** The tables that an archive of a format has. */
export function tablesOf(format_version: number): ArchiveTable[] {
  return ARCHIVE_TABLES.filter((table) => firstFormat(table) <= format_version);
}

export const MANIFEST_FILE = 'manifest.json';
/** Its name until its bytes are on the disk. */
export const NEW_MANIFEST_FILE = `${MANIFEST_FILE}.new`;
export const TABLES_FOLDER = 'tables';
/** Objects lie in it as in the object folder of a registry. */
export const OBJECTS_FOLDER = 'objects';

export function tableFile(table: ArchiveTable): string {
  return `${TABLES_FOLDER}/${table}.ndjson.gz`;
}
