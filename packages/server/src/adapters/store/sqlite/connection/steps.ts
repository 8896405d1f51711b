import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection, Run } from './connection.ts';

/** Number of rows read between two pauses for other requests; reading them takes a few milliseconds. */
const ROWS_AT_ONCE = 250;

export async function inSteps<Row>(
  run: Run,
  rows: readonly Row[],
  step: (connection: Connection, rows: readonly Row[]) => void,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    if (start > 0) await nextTurn();
    await run((connection) => step(connection, rows.slice(start, start + ROWS_AT_ONCE)));
  }
}
