import { join } from 'node:path';
import { measurementOfFailures } from '../../../bench/benchmark.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import { playSchedule } from './play-schedule.ts';

const STEPS = 30;
const DIFFERENCES_SHOWN = 10;

export const freeze = singleRun({
  name: 'freeze',
  summary:
    'Plays random schedules of freeze windows, pushes, approvals, changes of daylight saving time and restarts. After each step, the served version, the frozen state and the decision must equal those of a model.',
  n: 200,
  small_n: 20,
  run: async ({ n, seed, folder }) => {
    const differences: string[] = [];
    let steps = 0;
    for (let at = 0; at < n; at += 1) {
      const random = seededRandom(`freeze ${seed} ${at}`);
      const played = await playSchedule(join(folder, `${at}.db`), random, STEPS);
      steps += played.steps.length;
      differences.push(...played.differences.map((difference) => `schedule ${at}: ${difference}`));
      if (played.differences.length > 0) differences.push(...played.steps);
    }
    return {
      ...measurementOfFailures('freeze', n, differences.length),
      notes: [
        `${n} schedules, ${steps} steps; seed ${seed}`,
        ...differences.slice(0, STEPS + DIFFERENCES_SHOWN),
      ],
    };
  },
});
