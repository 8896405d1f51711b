import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { firstOf, measurementOfFailures, type Figure } from '../figure.ts';
import { tryStability } from '../marketplace/stability-trial.ts';

export const marketplaceStable: Figure = {
  name: 'marketplace-stable',
  summary:
    'Random catalogues rendered as marketplaces of every format: twice, and from a source in another order, the same bytes; one changed skill changes itself, the version of its plugin and its line in the list, and nothing else.',
  kind: 'correctness',
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
      if (complaints.length > 0) unstable.push(firstOf(complaints));
    }
    return {
      ...measurementOfFailures('marketplace-stable', n, unstable.length),
      notes: [
        `${files} files in 8 repositories and 13 formats each; seed ${seed}`,
        'beside what is published, the lock of the folder records the change',
        ...(unstable.length === 0 ? [] : [firstOf(unstable)]),
      ],
    };
  },
};
