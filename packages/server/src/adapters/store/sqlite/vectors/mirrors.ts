import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection, Run } from '../connection/connection.ts';
import { createVectorPool, type VectorPool } from './pool.ts';
import {
  placeOn,
  readSteps,
  splitPlace,
  type KnownModel,
  type StepVector,
  type VectorChange,
} from './rows.ts';
import { createMirroredVectorSet, type MirroredVectorSet } from './mirrored-vector-set.ts';

/**
 * Committed vectors in memory. A set of vectors is loaded for its first search and updated with every write; no other
 * process writes to the file.
 */
export interface VectorMirrors {
  /** Returns a vector set: undefined if not loaded, `too-large` if it exceeds the memory limit. */
  get(shelf: number): Mirror | 'too-large' | undefined;
  read(run: Run, model: KnownModel, shelf: number): Promise<void>;
  /** Applies committed changes. Call it directly after the commit. */
  apply(changes: readonly VectorChange[]): void;
}

export interface Mirror extends MirroredVectorSet {
  ask(vector: StepVector): void;
}

/** Memory limit for vectors. A million vectors with 256 dimensions use half of it. */
const MAX_BYTES = 1_073_741_824;

export function createVectorMirrors(max_bytes = MAX_BYTES): VectorMirrors {
  const pools = new Map<number, VectorPool>();
  const copies = new Map<number, Copy>();

  function poolOf({ model, dimensions }: KnownModel): VectorPool {
    const pool = pools.get(model) ?? createVectorPool(dimensions, max_bytes);
    pools.set(model, pool);
    return pool;
  }

  return {
    get(shelf) {
      const copy = copies.get(shelf);
      if (copy?.too_large === true) return 'too-large';
      return copy?.whole === true ? copy.mirror : undefined;
    },
    async read(run, known, shelf) {
      const copy = copies.get(shelf) ?? createCopy(known.model, poolOf(known));
      copies.set(shelf, copy);
      copy.reading ??= loadVectorSet(run, shelf, copy).catch((error: unknown) => {
        copy.mirror.clear();
        copies.delete(shelf);
        throw error;
      });
      await copy.reading;
    },
    apply(changes) {
      for (const change of changes) {
        if (change.kind === 'drop') {
          pools.delete(change.model);
          for (const [shelf, { model }] of copies) if (model === change.model) copies.delete(shelf);
          continue;
        }
        const { shelf, number } = splitPlace(change.place);
        const copy = copies.get(shelf);
        if (change.kind === 'remove') copy?.mirror.remove(number);
        else if (copy !== undefined) putInto(copy, number, change.vector);
      }
    },
  };
}

interface Copy {
  model: number;
  mirror: Mirror;
  whole: boolean;
  too_large: boolean;
  reading?: Promise<void>;
}

function createCopy(model: number, pool: VectorPool): Copy {
  const mirror = {
    ...createMirroredVectorSet(pool),
    ask: (vector: StepVector) => pool.ask(vector),
  };
  return { model, mirror, whole: false, too_large: false };
}

function putInto(copy: Copy, number: number, vector: StepVector): void {
  if (copy.too_large || copy.mirror.put(number, vector)) return;
  copy.too_large = true;
  copy.mirror.clear();
}

const ROWS_AT_ONCE = 1000;

/** Loads a vector set in steps. Writes between two steps are applied by `apply`. */
async function loadVectorSet(run: Run, shelf: number, copy: Copy): Promise<void> {
  let last: number | undefined = placeOn(shelf, 0) - 1;
  while (last !== undefined && !copy.too_large) {
    const after: number = last;
    last = await run((connection) => {
      const rows = listVectors(connection, shelf, after);
      for (const { place, vector } of rows) {
        putInto(copy, splitPlace(place).number, readSteps(vector));
      }
      return rows.at(-1)?.place;
    });
    await nextTurn();
  }
  copy.whole = true;
}

function listVectors(
  connection: Connection,
  shelf: number,
  after: number,
): { place: number; vector: Uint8Array }[] {
  return connection
    .statement<{ place: number; vector: Uint8Array }>(
      `SELECT place, vector FROM vectors WHERE place > ? AND place < ? ORDER BY place
       LIMIT ${ROWS_AT_ONCE}`,
    )
    .all(after, placeOn(shelf + 1, 0));
}
