import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { summarizeLines, measurementOfFailures } from '../../../bench/benchmark.ts';
import { singleRun } from '../single-run.ts';
import { tryStability } from './stability-trial.ts';

export const marketplaceStable = singleRun({
  name: 'marketplace-stable',
  summary:
    'Renders random registries as marketplaces of every format, twice and with the source in another order. The bytes must be the same. Changing one skill must change only that skill, the version of its plugin, and its entry in the list.',
  n: 100,
  small_n: 3,
  run: async ({ n, seed, folder }) => {
    const unstable: string[] = [];
    let files = 0;
    for (let trial = 0; trial < n; trial += 1) {
      const place = join(folder, String(trial));
      const { complaints, files: rendered } = await tryStability(place, seed, trial);
      rmSync(place, { recursive: true, force: true });
      files += rendered;
      if (complaints.length > 0) unstable.push(summarizeLines(complaints));
    }
    return {
      ...measurementOfFailures('marketplace-stable', n, unstable.length),
      notes: [
        `${files} files in 8 repositories and 13 formats each; seed ${seed}`,
        'in addition to the published files, the lock file of the directory records the change',
        ...(unstable.length === 0 ? [] : [summarizeLines(unstable)]),
      ],
    };
  },
});
