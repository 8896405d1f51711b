import { KERNEL_BYTES, openKernel } from './kernel.ts';
import type { StepVector } from './rows.ts';

export interface VectorPool {
  block_rows: number;
  /** Returns a free block; undefined at the memory limit. */
  takeBlock(): number | undefined;
  freeBlock(block: number): void;
  writeRow(block: number, row: number, vector: StepVector): void;
  copyRow(from: RowPlace, to: RowPlace): void;
  ask(vector: StepVector): void;
  /** Multiplies rows of a block with the query. The result is valid until the next call. */
  multiply(block: number, rows: number): Int32Array;
  multiplyRow(place: RowPlace): number;
}

export interface RowPlace {
  block: number;
  row: number;
}

/** Size of a block. It is small, so that a layer with few documents uses little memory. */
const BLOCK_BYTES = 65_536;
const PAGE_BYTES = 65_536;
const BLOCKS_AT_ONCE = 64;

export function createVectorPool(dimensions: number, max_bytes: number): VectorPool {
  const row_bytes = Math.ceil((dimensions * 2) / KERNEL_BYTES) * KERNEL_BYTES;
  const block_rows = Math.max(1, Math.floor(BLOCK_BYTES / row_bytes));
  const block_bytes = block_rows * row_bytes;
  const sums_at = row_bytes;
  const blocks_at = Math.ceil((sums_at + block_rows * 4) / KERNEL_BYTES) * KERNEL_BYTES;
  const max_blocks = Math.floor(max_bytes / block_bytes);
  const { memory, multiplyRows } = openKernel(Math.ceil(blocks_at / PAGE_BYTES));
  const free: number[] = [];
  let made = 0;
  let numbers = new Int16Array(memory.buffer);
  let sums = new Int32Array(memory.buffer, sums_at, block_rows);

  function grow(): boolean {
    if (made >= max_blocks) return false;
    if (addressOf(made + 1, 0) <= memory.buffer.byteLength) return true;
    const wanted = addressOf(made + BLOCKS_AT_ONCE, 0) - memory.buffer.byteLength;
    try {
      memory.grow(Math.ceil(wanted / PAGE_BYTES));
    } catch {
      return false;
    }
    numbers = new Int16Array(memory.buffer);
    sums = new Int32Array(memory.buffer, sums_at, block_rows);
    return true;
  }

  const addressOf = (block: number, row: number): number =>
    blocks_at + block * block_bytes + row * row_bytes;

  return {
    block_rows,
    takeBlock() {
      const freed = free.pop();
      if (freed !== undefined) return freed;
      return grow() ? made++ : undefined;
    },
    freeBlock: (block) => void free.push(block),
    writeRow: (block, row, vector) => numbers.set(vector, addressOf(block, row) / 2),
    copyRow(from, to) {
      const start = addressOf(from.block, from.row) / 2;
      numbers.copyWithin(addressOf(to.block, to.row) / 2, start, start + row_bytes / 2);
    },
    ask(vector) {
      numbers.set(vector, 0);
    },
    multiply(block, rows) {
      multiplyRows(0, addressOf(block, 0), rows, row_bytes, sums_at);
      return sums;
    },
    multiplyRow({ block, row }) {
      multiplyRows(0, addressOf(block, row), 1, row_bytes, sums_at);
      return sums[0] ?? 0;
    },
  };
}
