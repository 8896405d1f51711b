import type { ArchiveRows, ArchiveTable } from '@catalog/core/ports/archive';

export function encodeRow(row: ArchiveRows[ArchiveTable]): string {
  if (!('bytes' in row)) return JSON.stringify(row);
  const bytes = Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.bytes.length);
  return JSON.stringify({ ...row, bytes: bytes.toString('base64') });
}

/**
 * Does not validate the row: the checksum of its file is already verified, and the target store rejects values of the
 * wrong type.
 */
export function decodeRow<Table extends ArchiveTable>(
  table: Table,
  line: string,
): ArchiveRows[Table] {
  const row = JSON.parse(line);
  return table === 'blobs' ? { ...row, bytes: Buffer.from(row.bytes, 'base64') } : row;
}
