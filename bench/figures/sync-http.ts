import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  compare,
  measurementOfRatio,
  type Comparison,
  type Figure,
  type FigureContext,
} from '../figure.ts';
import { measureSuccess } from '../measure-command.ts';
import { openServedBench, type ServedBench } from '../served-bench.ts';
import { countFiles } from '../tree.ts';

/** A file system in memory, where the disk cannot hide what the program itself costs. */
const MEMORY = '/dev/shm';
const AT_MOST = 4;

export const syncHttp: Figure = {
  name: 'sync-http',
  summary:
    'A first sync over loopback from a registry into an empty target, with an empty cache, compared with `cp -r` of the result.',
  kind: 'speed',
  n: 10_000,
  small_n: 500,
  run: async (context) => {
    const { n, seed, folder } = context;
    const bench = await openServedBench(folder, { n, seed });
    try {
      const comparison = compareWithCopy(bench, join(folder, 'copy'), context);
      return {
        ...measurementOfRatio('sync-http', n, comparison, AT_MOST),
        notes: [
          `registry: ${bench.catalogue.artifacts} artifacts, ${bench.catalogue.bytes} bytes, seed ${seed}`,
          `result: ${countFiles(bench.target)} files, each verified by its hash and also written to the cache`,
          'baseline: cp -r of the result; the time of the registry is included in the wall time, not in the CPU time',
          ...(await inMemory(context)),
        ],
      };
    } finally {
      await bench.stop();
    }
  },
};

function compareWithCopy(
  { target, sync, forget }: ServedBench,
  copy: string,
  context: FigureContext,
): Comparison {
  // The first copy needs something to copy.
  forget();
  sync();
  return compare(
    { prepare: forget, run: sync },
    {
      prepare: () => rmSync(copy, { recursive: true, force: true }),
      run: () => measureSuccess(['cp', '-r', target, copy]),
    },
    context,
  );
}

/** The same in memory, as a note: the goal speaks of a disk, and disks differ more than programs do. */
async function inMemory(context: FigureContext): Promise<string[]> {
  if (!existsSync(MEMORY)) return [];
  const { n, seed } = context;
  const folder = mkdtempSync(join(MEMORY, 'catalog-sync-http-'));
  try {
    const bench = await openServedBench(folder, { n, seed });
    const { value, baseline, ratio } = compareWithCopy(bench, join(folder, 'copy'), context);
    await bench.stop();
    const times = `${Math.round(value)} ms against ${Math.round(baseline)} ms`;
    return [`the same on an in-memory file system: ${times}, ratio ${ratio.toFixed(1)}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
