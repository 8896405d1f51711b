import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare, measurementOfRatio, type Benchmark } from '../benchmark.ts';
import { measureSuccess } from '../measure-command.ts';
import { openSyncBench } from '../sync-bench.ts';
import { countFiles } from '../tree.ts';

const WALK = join(import.meta.dirname, '../baselines/stat-walk.mjs');

export const syncNoop: Benchmark = {
  name: 'sync-noop',
  summary:
    'An unchanged sync, compared with a plain Node program that calls `stat` on every file of both trees.',
  n: 10_000,
  small_n: 500,
  run: ({ n, seed, folder, repeat }) => {
    const {
      registry,
      target,
      catalog: writtenCatalog,
      env,
      sync,
    } = openSyncBench(folder, { n, seed });
    mkdirSync(target);
    sync();
    const comparison = compare(
      { run: sync },
      { run: () => measureSuccess([process.execPath, WALK, registry, target], { env }) },
      { repeat },
    );
    return {
      ...measurementOfRatio('sync-noop', n, comparison, 2),
      notes: [
        `registry: ${writtenCatalog.files} files, ${writtenCatalog.bytes} bytes, seed ${seed}`,
        `target: ${countFiles(target)} files`,
        'baseline: node bench/baselines/stat-walk.mjs on both trees',
      ],
    };
  },
};
