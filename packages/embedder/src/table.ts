import { DIMENSIONS, TABLE, UNKNOWN, VOCABULARY_SIZE } from './model.ts';
import { readData } from './read-data.ts';

/** Table of the model. Values stay packed, because unpacked ones need twice the memory and are not faster. */
export interface Table {
  /** Scale of each row, as little-endian 32-bit floats. */
  scales: DataView;
  /** Values, two per byte, lower bits first, each with an offset of 8. */
  packed: Uint8Array;
}

const BYTES_OF_SCALE = 4;
const BYTES_OF_ROW = DIMENSIONS / 2;

export function readTable(): Table {
  const { buffer, byteOffset, length } = readData(TABLE);
  const rows = VOCABULARY_SIZE * BYTES_OF_SCALE;
  return {
    scales: new DataView(buffer, byteOffset, rows),
    packed: new Uint8Array(buffer, byteOffset + rows, length - rows),
  };
}

/**
 * Adds the rows of tokens, rounding to 32 bits at each step as in training. A function per row would take a third
 * longer.
 */
export function sumRows({ scales, packed }: Table, tokens: readonly number[]): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const token of tokens) {
    if (token === UNKNOWN) continue;
    const scale = scales.getFloat32(token * BYTES_OF_SCALE, true);
    let at = token * BYTES_OF_ROW;
    for (let dimension = 0; dimension < DIMENSIONS; dimension += 2) {
      const pair = packed[at] ?? 0;
      sum[dimension] = (sum[dimension] ?? 0) + ((pair & 15) - 8) * scale;
      sum[dimension + 1] = (sum[dimension + 1] ?? 0) + ((pair >> 4) - 8) * scale;
      at += 1;
    }
  }
  return sum;
}
