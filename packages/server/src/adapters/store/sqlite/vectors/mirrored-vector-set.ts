import type { RowPlace, VectorPool } from './pool.ts';
import type { StepVector } from './rows.ts';

export interface MirroredVectorSet {
  size(): number;
  /** Returns false if there is no free memory. */
  put(number: number, vector: StepVector): boolean;
  remove(number: number): void;
  clear(): void;
  multiplyOne(number: number): number | undefined;
  /**
   * Calls `offer` for every document with at least the minimum score, in no particular order. `offer` returns the new
   * minimum.
   */
  offerAll(least: number, offer: (sum: number, number: number) => number): void;
}

export function createMirroredVectorSet(pool: VectorPool): MirroredVectorSet {
  const { block_rows } = pool;
  const blocks: number[] = [];
  const numbers: number[] = [];
  const slots = new Map<number, number>();

  function placeOf(slot: number): RowPlace {
    return { block: blocks[Math.floor(slot / block_rows)] ?? 0, row: slot % block_rows };
  }

  function takeSlot(number: number): number | undefined {
    if (numbers.length === blocks.length * block_rows) {
      const block = pool.takeBlock();
      if (block === undefined) return undefined;
      blocks.push(block);
    }
    slots.set(number, numbers.length);
    return numbers.push(number) - 1;
  }

  return {
    size: () => numbers.length,
    put(number, vector) {
      const slot = slots.get(number) ?? takeSlot(number);
      if (slot === undefined) return false;
      const { block, row } = placeOf(slot);
      pool.writeRow(block, row, vector);
      return true;
    },
    remove(number) {
      const slot = slots.get(number);
      const last = numbers.at(-1);
      if (slot === undefined || last === undefined) return;
      pool.copyRow(placeOf(numbers.length - 1), placeOf(slot));
      numbers[slot] = last;
      slots.set(last, slot);
      slots.delete(number);
      numbers.pop();
      if (numbers.length > (blocks.length - 1) * block_rows) return;
      const emptied = blocks.pop();
      if (emptied !== undefined) pool.freeBlock(emptied);
    },
    clear() {
      for (const block of blocks) pool.freeBlock(block);
      blocks.length = 0;
      numbers.length = 0;
      slots.clear();
    },
    multiplyOne(number) {
      const slot = slots.get(number);
      return slot === undefined ? undefined : pool.multiplyRow(placeOf(slot));
    },
    offerAll(from, offer) {
      let least = from;
      for (let at = 0; at < blocks.length; at += 1) {
        const first = at * block_rows;
        const rows = Math.min(block_rows, numbers.length - first);
        const sums = pool.multiply(blocks[at] ?? 0, rows);
        for (let row = 0; row < rows; row += 1) {
          const sum = sums[row] ?? 0;
          if (sum >= least) least = offer(sum, numbers[first + row] ?? 0);
        }
      }
    },
  };
}
