import { ARCHIVE_TABLES, type ArchiveTable } from '@catalog/core/ports/archive';

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
/** Rises when a program that knows only the older form could not read it. Older forms are read. */
export const ARCHIVE_VERSION = 3;
/** The form that first had a table; the others were there from the beginning. */
const ADDED_IN: Partial<Record<ArchiveTable, number>> = {
  tenant_records: 2,
  admin_grants: 2,
  directory_resources: 2,
  directory_members: 2,
  directory_given_up: 2,
  receivers: 3,
};

/** The tables that an archive of a form has. */
export function tablesOf(format_version: number): ArchiveTable[] {
  return ARCHIVE_TABLES.filter((table) => (ADDED_IN[table] ?? 1) <= format_version);
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
