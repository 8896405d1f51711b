import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { summarizeLines, measurementOfFailures } from '../../../bench/benchmark.ts';
import { singleRun } from '../single-run.ts';
import { isFlawed, tryParity } from './parity-trial.ts';

export const parity = singleRun({
  name: 'parity',
  summary:
    'Delivers random registries from their directory and from a server that ingested it. Bytes, modes, lock entries and rejections must be the same.',
  n: 300,
  run: async ({ n, seed, folder }) => {
    const differing: string[] = [];
    const totals = { artifacts: 0, delivered: 0, rejected: 0, overlays: 0, flawed: 0 };
    for (let trial = 0; trial < n; trial += 1) {
      const place = join(folder, String(trial));
      const { catalogue, delivered, rejected, differences } = await tryParity(place, seed, trial);
      rmSync(place, { recursive: true, force: true });
      totals.artifacts += catalogue.artifacts;
      totals.delivered += delivered;
      totals.rejected += rejected;
      if (catalogue.overlay !== undefined) totals.overlays += 1;
      if (isFlawed(trial)) totals.flawed += 1;
      if (differences.length > 0) differing.push(summarizeLines(differences));
    }
    return {
      ...measurementOfFailures('parity', n, differing.length),
      notes: [
        `${totals.artifacts} artifacts: ${totals.delivered} delivered, ${totals.rejected} rejections; seed ${seed}`,
        `${totals.overlays} registries with an overlay, ${totals.flawed} with invalid artifacts`,
        ...(differing.length === 0 ? [] : [summarizeLines(differing)]),
      ],
    };
  },
});
