import type { ArchiveRows, ArchiveTable } from '@catalog/core/ports/archive';

/** A row as a line of its file. */
export function encodeRow(row: ArchiveRows[ArchiveTable]): string {
  if (!('bytes' in row)) return JSON.stringify(row);
  const bytes = Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.bytes.length);
  return JSON.stringify({ ...row, bytes: bytes.toString('base64') });
}

/**
 * The row of a line. The checksum of its file has held, so it is what `encodeRow` wrote; what does not
 * belong to a table is found by the store it goes into.
 */
export function decodeRow<Table extends ArchiveTable>(
  table: Table,
  line: string,
): ArchiveRows[Table] {
  const row = JSON.parse(line);
  return table === 'blobs' ? { ...row, bytes: Buffer.from(row.bytes, 'base64') } : row;
}
