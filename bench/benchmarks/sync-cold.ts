import { mkdirSync, rmSync } from 'node:fs';
import { compareWithCopy, noteInMemory, type FirstSync } from '../copy-comparison.ts';
import { measurementOfRatio, type Benchmark } from '../benchmark.ts';
import { openSyncBench, type SyncBench } from '../sync-bench.ts';
import { countFiles } from '../tree.ts';

export const syncCold: Benchmark = {
  name: 'sync-cold',
  summary: 'A sync from a directory into an empty target, compared with `cp -r` of the result.',
  n: 10_000,
  small_n: 500,
  run: async (context) => {
    const { n, seed, folder } = context;
    const bench = openSyncBench(folder, { n, seed });
    const comparison = compareWithCopy(firstSync(bench), folder, context);
    return {
      ...measurementOfRatio('sync-cold', n, comparison, 3),
      notes: [
        `registry: ${bench.catalog.files} files, ${bench.catalog.bytes} bytes, seed ${seed}`,
        `result: ${countFiles(bench.target)} files`,
        'baseline: cp -r of the result',
        ...(await noteInMemory('sync-cold', (memory) =>
          compareWithCopy(firstSync(openSyncBench(memory, { n, seed })), memory, context),
        )),
      ],
    };
  },
};

function firstSync({ target, sync }: SyncBench): FirstSync {
  const prepare = (): void => {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target);
  };
  return { target, prepare, run: sync };
}
