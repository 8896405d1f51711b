import { join } from 'node:path';
import { startGitServer } from '@catalog/testkit/git-server';
import { measurementOfFailures, type RunResult } from '../../../bench/benchmark.ts';
import { withDatabase } from '../../../bench/with-database.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { openFleet } from '../replica-scale/fleet.ts';
import { singleRun } from '../single-run.ts';
import { runSchedule, type ScheduleResult } from './schedule.ts';

const PROCESSES = 3;
const FAULTS_SHOWN = 10;

export const schedules = singleRun({
  name: 'schedules',
  summary:
    'Runs random schedules of concurrent ingests, layer writes and reads on three processes that share one PostgreSQL. Versions must not change, the events of a layer must keep the order of its commits on every process, no read may show a partial ingest or miss an acknowledged change, and all endpoints of all processes must agree.',
  servers: true,
  n: 100,
  small_n: 3,
  run: async ({ n, seed, folder }) => {
    const git = await startGitServer(join(folder, 'git'));
    try {
      return await withDatabase(async (store) => {
        const env = { ...store, CATALOG_EGRESS_ALLOWED_HOSTS: git.host };
        const fleet = await openFleet(join(folder, 'home'), PROCESSES, env);
        try {
          const results: ScheduleResult[] = [];
          for (let at = 0; at < n; at += 1) {
            const random = seededRandom(`schedules ${seed} ${at}`);
            results.push(await runSchedule(fleet, git, `s${at}`, random));
          }
          return toResult(n, seed, results);
        } finally {
          await fleet.close();
        }
      });
    } finally {
      await git.close();
    }
  },
});

function toResult(n: number, seed: string, results: readonly ScheduleResult[]): RunResult {
  const faults = results.flatMap((result, at) =>
    result.faults.map((fault) => `schedule ${at}: ${fault}`),
  );
  const sum = (part: 'ingests' | 'layer_writes' | 'reads' | 'events'): number =>
    results.reduce((total, result) => total + result[part], 0);
  return {
    ...measurementOfFailures('schedules', n, faults.length),
    notes: [
      `${n} schedules on ${PROCESSES} processes; seed ${seed}`,
      `${sum('ingests')} ingests, ${sum('layer_writes')} layer writes, ${sum('reads')} reads, ${sum('events')} events read on each process`,
      ...faults.slice(0, FAULTS_SHOWN),
    ],
  };
}
