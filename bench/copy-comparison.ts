import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare, type Comparison, type RunContext } from './benchmark.ts';
import { measureSuccess, type CommandRun } from './measure-command.ts';

/** A file system in memory, where the disk cannot hide what the program itself costs. */
const MEMORY = '/dev/shm';

/** A sync into an empty target. */
export interface FirstSync {
  target: string;
  /** Empties the target, and whatever else must be empty. */
  prepare: () => void;
  run: () => CommandRun;
}

/** Compares a first sync with `cp -r` of its result. */
export function compareWithCopy(
  { target, prepare, run }: FirstSync,
  folder: string,
  context: RunContext,
): Comparison {
  const copy = join(folder, 'copy');
  // The first copy needs something to copy.
  prepare();
  run();
  const baseline = {
    prepare: () => rmSync(copy, { recursive: true, force: true }),
    run: () => measureSuccess(['cp', '-r', target, copy]),
  };
  return compare({ prepare, run }, baseline, context);
}

/** The same in memory, as a note: the goal speaks of a disk, and disks differ more than programs do. */
export async function noteInMemory(
  name: string,
  compareIn: (folder: string) => Comparison | Promise<Comparison>,
): Promise<string[]> {
  if (!existsSync(MEMORY)) return [];
  const folder = mkdtempSync(join(MEMORY, `catalog-${name}-`));
  try {
    const { value, baseline, ratio } = await compareIn(folder);
    const times = `${Math.round(value)} ms against ${Math.round(baseline)} ms`;
    return [`the same on an in-memory file system: ${times}, ratio ${ratio.toFixed(1)}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
