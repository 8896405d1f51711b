import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  compare,
  measurementOfRatio,
  type Comparison,
  type Figure,
  type FigureContext,
} from '../figure.ts';
import { measureSuccess } from '../measure-command.ts';
import { openSyncBench, type SyncBench } from '../sync-bench.ts';
import { countFiles } from '../tree.ts';

/** A file system in memory, where the disk cannot hide what the program itself costs. */
const MEMORY = '/dev/shm';

export const syncCold: Figure = {
  name: 'sync-cold',
  summary: 'A sync from a directory into an empty target, compared with `cp -r` of the result.',
  kind: 'speed',
  n: 10_000,
  small_n: 500,
  run: (context) => {
    const { n, seed, folder } = context;
    const bench = openSyncBench(folder, { n, seed });
    const comparison = compareWithCopy(bench, join(folder, 'copy'), context);
    return {
      ...measurementOfRatio('sync-cold', n, comparison, 3),
      notes: [
        `registry: ${bench.catalogue.files} files, ${bench.catalogue.bytes} bytes, seed ${seed}`,
        `result: ${countFiles(bench.target)} files`,
        'baseline: cp -r of the result',
        ...inMemory(context),
      ],
    };
  },
};

function compareWithCopy(
  { target, sync }: SyncBench,
  copy: string,
  context: FigureContext,
): Comparison {
  const subject = {
    prepare: () => {
      rmSync(target, { recursive: true, force: true });
      mkdirSync(target);
    },
    run: sync,
  };
  // The first copy needs something to copy.
  subject.prepare();
  subject.run();
  const baseline = {
    prepare: () => rmSync(copy, { recursive: true, force: true }),
    run: () => measureSuccess(['cp', '-r', target, copy]),
  };
  return compare(subject, baseline, context);
}

/** The same in memory, as a note: the goal speaks of a disk, and disks differ more than programs do. */
function inMemory(context: FigureContext): string[] {
  if (!existsSync(MEMORY)) return [];
  const { n, seed } = context;
  const folder = mkdtempSync(join(MEMORY, 'catalog-sync-cold-'));
  try {
    const { value, baseline, ratio } = compareWithCopy(
      openSyncBench(folder, { n, seed }),
      join(folder, 'copy'),
      context,
    );
    const times = `${Math.round(value)} ms against ${Math.round(baseline)} ms`;
    return [`the same on an in-memory file system: ${times}, ratio ${ratio.toFixed(1)}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
