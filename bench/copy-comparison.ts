import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare, type Comparison, type RunContext } from './benchmark.ts';
import { measureSuccess, type CommandRun } from './measure-command.ts';

/** A file system in memory, where disk time does not hide the cost of the program. */
const MEMORY = '/dev/shm';

export interface FirstSync {
  target: string;
  prepare: () => void;
  run: () => CommandRun;
}

export function compareWithCopy(
  { target, prepare, run }: FirstSync,
  folder: string,
  context: RunContext,
): Comparison {
  const copy = join(folder, 'copy');
  prepare();
  run();
  const baseline = {
    prepare: () => rmSync(copy, { recursive: true, force: true }),
    run: () => measureSuccess(['cp', '-r', target, copy]),
  };
  return compare({ prepare, run }, baseline, context);
}

/**
 * Repeats the comparison in memory for a note: the goal is for a disk, and disks vary more than
 * programs.
 */
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
