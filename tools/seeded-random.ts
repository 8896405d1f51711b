export interface SeededRandom {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** From 0 (inclusive) to `below` (exclusive). */
  int(below: number): number;
  pick<T>(items: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
}

/** Uses mulberry32. */
export function seededRandom(seed: string): SeededRandom {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }
  return { next, int, pick, shuffle };

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function int(below: number): number {
    return Math.floor(next() * below);
  }

  function pick<T>(items: readonly T[]): T {
    const item = items[int(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  function shuffle<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: next() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
  }
}
