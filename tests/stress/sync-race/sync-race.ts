import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { summarizeLines, measurementOfFailures } from '../../../bench/benchmark.ts';
import { writeCatalog } from '../../../bench/fixtures/catalog.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import {
  deliveredTree,
  differences,
  makeTarget,
  runSync,
  runSyncToSuccess,
  type SyncOptions,
} from '../sync-kill/sync-trial.ts';

const ARTIFACTS = 60;
const EDITIONS = ['first', 'second', 'third'];
/**
 * Exit code of `materialize.locked`: another sync holds the lock of the target, so the caller must
 * try again.
 */
const EXIT_LOCKED = 3;

export const syncRace = singleRun({
  name: 'sync-race',
  summary:
    'Starts two and three syncs of different registries at once on one target. The result must be exactly one of them, and the others must wait or report the conflict.',
  n: 100,
  small_n: 6,
  run: async ({ n, seed, folder }) => {
    const random = seededRandom(`sync-race ${seed}`);
    const target = join(folder, 'target');
    const contenders = await Promise.all(
      EDITIONS.map(async (edition, index) => contender(folder, seed, edition, index)),
    );
    const failures: string[] = [];
    let refused = 0;
    for (let trial = 0; trial < n; trial += 1) {
      makeTarget(target);
      const racing = random.shuffle(contenders).slice(0, 2 + (trial % 2));
      const runs = await Promise.all(
        racing.map(async ({ sync }) => {
          await delay(random.int(40));
          return runSync({ ...sync, target });
        }),
      );
      const wrong: string[] = [];
      for (const run of runs) {
        const locked = run.status === EXIT_LOCKED && run.output.includes('materialize.locked');
        if (locked) refused += 1;
        else if (run.status !== 0) wrong.push(`a sync ended with ${run.status}: ${run.output}`);
      }
      if (runs.every((run) => run.status !== 0)) wrong.push('nobody won');
      const found = deliveredTree(target);
      if (!racing.some(({ after }) => differences(found, after).length === 0)) {
        wrong.push('the tree is a mixture');
      }
      if (wrong.length > 0)
        failures.push(`trial ${trial}, ${racing.length} syncs: ${summarizeLines(wrong)}`);
    }
    return {
      ...measurementOfFailures('sync-race', n, failures.length),
      notes: [`${refused} syncs were rejected, the others waited; seed ${seed}`, ...failures],
    };
  },
});

interface Contender {
  sync: SyncOptions;
  after: Map<string, string>;
}

/** Creates catalogs that share ids, differ in every file, and have different sizes. */
async function contender(
  folder: string,
  seed: string,
  edition: string,
  index: number,
): Promise<Contender> {
  const registry = join(folder, edition);
  writeCatalog(registry, { n: ARTIFACTS + 10 * index, seed, edition });
  const sync = { folder, registry, target: join(folder, `alone-${edition}`) };
  makeTarget(sync.target);
  await runSyncToSuccess(sync);
  return { sync, after: deliveredTree(sync.target) };
}
