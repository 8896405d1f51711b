import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { summarizeLines, measurementOfFailures } from '../../../bench/benchmark.ts';
import { writeCatalog } from '../../../bench/fixtures/catalog.ts';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import type { KillPlan, OperationCounts } from './kill-at-operation.ts';
import {
  deliveredTree,
  differences,
  makeTarget,
  runSync,
  runSyncToSuccess,
  stateHashes,
  stateNames,
  tornOrTouched,
  type SyncOptions,
} from './sync-trial.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'kill-at-operation.ts')).href;
const ARTIFACTS = 60;
/** Number of kills per ten at a file operation; the others happen at a random time. */
const AT_OPERATION = 8;
const HOWS = ['before', 'half-way', 'after'] as const;

export const syncKill = singleRun({
  name: 'sync-kill',
  summary:
    'Kills syncs with SIGKILL, most of them at a file operation between the first write and the lock file. No file may be partially written, no user file touched, and the next sync must give the same result as an uninterrupted one.',
  n: 200,
  small_n: 12,
  run: async ({ n, seed, folder }) => {
    const random = seededRandom(`sync-kill ${seed}`);
    const scenarios = [await coldScenario(folder, seed), await updateScenario(folder, seed)];
    const failures: string[] = [];
    let killed = 0;
    for (let trial = 0; trial < n; trial += 1) {
      const scenario = random.pick(scenarios);
      await scenario.prepare();
      const before = deliveredTree(scenario.sync.target);
      const kill = chooseKill(random, scenario, trial);
      const run = await runSync({ ...scenario.sync, ...kill.options });
      if (run.signal === 'SIGKILL') killed += 1;
      const found = deliveredTree(scenario.sync.target);
      const wrong = tornOrTouched(found, before, scenario.after, stateHashes(scenario.sync.target));
      const next = await runSync(scenario.sync);
      if (next.status !== 0) wrong.push(`the next sync ended with ${next.status}: ${next.output}`);
      for (const path of differences(deliveredTree(scenario.sync.target), scenario.after)) {
        wrong.push(`${path} differs after the next sync`);
      }
      if (stateNames(scenario.sync.target).join() !== scenario.state.join()) {
        wrong.push(`left behind: ${stateNames(scenario.sync.target).join(', ')}`);
      }
      if (wrong.length > 0)
        failures.push(`trial ${trial}, ${scenario.name}, ${kill.name}: ${summarizeLines(wrong)}`);
    }
    return {
      ...measurementOfFailures('sync-kill', n, failures.length),
      notes: [
        `${killed} of ${n} syncs were killed with SIGKILL; ${ARTIFACTS} artifacts, seed ${seed}`,
        ...scenarios.map(
          ({ name, counts }) =>
            `${name}: ${counts.lock_operation} file operations up to the lock file`,
        ),
        ...failures,
      ],
    };
  },
});

interface Scenario {
  name: string;
  sync: SyncOptions;
  prepare: () => Promise<void>;
  after: Map<string, string>;
  state: string[];
  counts: OperationCounts;
  wall_ms: number;
}

async function coldScenario(folder: string, seed: string): Promise<Scenario> {
  const registry = join(folder, 'second');
  writeCatalog(registry, { n: ARTIFACTS, seed, edition: 'second' });
  const sync = { folder, registry, target: join(folder, 'target') };
  return observe('cold', sync, async () => makeTarget(sync.target));
}

/** Creates a scenario in which every file changes, and a third of the artifacts is removed. */
async function updateScenario(folder: string, seed: string): Promise<Scenario> {
  const first = join(folder, 'first');
  writeCatalog(first, { n: Math.round(ARTIFACTS * 1.5), seed, edition: 'first' });
  const sync = { folder, registry: join(folder, 'second'), target: join(folder, 'target') };
  return observe('update', sync, async () => {
    makeTarget(sync.target);
    await runSyncToSuccess({ ...sync, registry: first });
  });
}

/** Runs the scenario once without a kill, to record its operations, duration and result. */
async function observe(
  name: string,
  sync: SyncOptions,
  prepare: () => Promise<void>,
): Promise<Scenario> {
  const countsFile = join(sync.folder, `${name}-counts.json`);
  await prepare();
  await runSyncToSuccess({ ...sync, ...withPlan({ under: sync.target, counts: countsFile }) });
  const counts: OperationCounts = JSON.parse(readFileSync(countsFile, 'utf8'));
  if (counts.lock_operation === 0) throw new Error(`${name}: no lock was written`);
  const after = deliveredTree(sync.target);
  const state = stateNames(sync.target);
  await prepare();
  const { wall_ms } = await runSyncToSuccess(sync);
  return { name, sync, prepare, after, state, counts, wall_ms };
}

function chooseKill(
  random: SeededRandom,
  { sync, counts, wall_ms }: Scenario,
  trial: number,
): { name: string; options: Partial<SyncOptions> } {
  if (trial % 10 >= AT_OPERATION) {
    const killAfterMs = random.int(Math.ceil(wall_ms * 1.1));
    return { name: `after ${killAfterMs} ms`, options: { killAfterMs } };
  }
  const at = 1 + random.int(counts.lock_operation);
  const how = random.pick(HOWS);
  return { name: `${how} operation ${at}`, options: withPlan({ under: sync.target, at, how }) };
}

function withPlan(plan: KillPlan): Partial<SyncOptions> {
  return { nodeOptions: ['--import', PRELOAD], env: { KILL_PLAN: JSON.stringify(plan) } };
}
