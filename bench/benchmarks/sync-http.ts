import { compareWithCopy, noteInMemory, type FirstSync } from '../copy-comparison.ts';
import {
  measurementOfRatio,
  type Comparison,
  type Benchmark,
  type RunContext,
} from '../benchmark.ts';
import { openServedBench, type ServedBench } from '../served-bench.ts';
import { countFiles } from '../tree.ts';

const MAX_RATIO = 4;

export const syncHttp: Benchmark = {
  name: 'sync-http',
  summary:
    'A first sync over loopback from a registry into an empty target, with an empty cache, compared with `cp -r` of the result.',
  n: 10_000,
  small_n: 500,
  run: async (context) => {
    const { n, seed, folder } = context;
    const bench = await openServedBench(folder, { n, seed });
    try {
      const comparison = compareWithCopy(firstSync(bench), folder, context);
      return {
        ...measurementOfRatio('sync-http', n, comparison, MAX_RATIO),
        notes: [
          `registry: ${bench.catalogue.artifacts} artifacts, ${bench.catalogue.bytes} bytes, seed ${seed}`,
          `result: ${countFiles(bench.target)} files, each verified by its hash and also written to the cache`,
          'baseline: cp -r of the result; the time of the registry is included in the wall time, not in the CPU time',
          ...(await noteInMemory('sync-http', (memory) => compareIn(memory, context))),
        ],
      };
    } finally {
      await bench.stop();
    }
  },
};

function firstSync({ target, forget, sync }: ServedBench): FirstSync {
  return { target, prepare: forget, run: sync };
}

async function compareIn(folder: string, context: RunContext): Promise<Comparison> {
  const { n, seed } = context;
  const bench = await openServedBench(folder, { n, seed });
  try {
    return compareWithCopy(firstSync(bench), folder, context);
  } finally {
    await bench.stop();
  }
}
