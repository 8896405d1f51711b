const MAX_ROWS = 1000;
/** Maximum size of a batch; a larger body gets its own statement. */
const MAX_BYTES = 4 * 1024 * 1024;

export function* batches<Row>(
  rows: readonly Row[],
  bytesOf: (row: Row) => number = () => 0,
): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = bytesOf(row);
    if (batch.length === MAX_ROWS || (batch.length > 0 && bytes + more > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
