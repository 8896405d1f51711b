import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startGitServer, type GitServer } from '@catalog/testkit/git-server';
import { summarizeLines, measurementOfFailures, type RunResult } from '../../../bench/benchmark.ts';
import {
  startRegistryProcess,
  untilKilled,
  type RegistryProcess,
} from '../../../bench/registry-process.ts';
import { singleRun } from '../single-run.ts';
import { checkPublished, findFaults } from './check.ts';
import { findFullDiskFaults } from './full-disk.ts';
import { emptyHistory, findEventFaults } from './history.ts';
import { prepareLayers } from './prepare-layers.ts';
import { followEvents, workUntilKilled, type WorkloadState } from './workload.ts';

/** Maximum delay of a kill after the start of the work. */
const MAX_LIFETIME_MS = 900;
const QUIET_MS = 2_000;

export const serveKill = singleRun({
  name: 'serve-kill',
  summary:
    'Kills a registry with SIGKILL at random times during ingests, layer changes and webhook deliveries. No acknowledged change may be lost, no version may be served in part, no job may get stuck, and event numbers must continue without a gap. A full disk must return an error code and recover.',
  n: 200,
  small_n: 5,
  run: async ({ n, seed, folder }) => {
    const git = await startGitServer(join(folder, 'git'));
    try {
      return await kill(n, seed, folder, git);
    } finally {
      await git.close();
    }
  },
});

async function kill(n: number, seed: string, folder: string, git: GitServer): Promise<RunResult> {
  const home = join(folder, 'home');
  mkdirSync(home);
  const start = (): Promise<RegistryProcess> =>
    startRegistryProcess(home, { env: { CATALOG_EGRESS_ALLOWED_HOSTS: git.host } });
  const surroundings = await prepare(seed, folder, git, start);
  const { random, history, unexpected } = surroundings;
  const failures: string[] = [];
  for (let trial = 0; trial < n; trial += 1) {
    const life = random.int(MAX_LIFETIME_MS);
    let work: Promise<void> | undefined;
    await untilKilled(start, async ({ url }) => {
      work = workUntilKilled(url, surroundings);
      await delay(life);
    });
    await work;
    const faults = await untilKilled(start, ({ url }) => findFaults(url, surroundings));
    faults.push(...unexpected.splice(0));
    if (faults.length > 0)
      failures.push(`trial ${trial}, after ${life} ms: ${summarizeLines(faults)}`);
  }
  failures.push(...(await checkEvents(start, surroundings)));
  failures.push(...(await findFullDiskFaults(folder)).map((fault) => `full disk: ${fault}`));
  return {
    ...measurementOfFailures('serve-kill', n, failures.length),
    notes: [
      `${n} runs, each killed with SIGKILL within ${MAX_LIFETIME_MS} ms of work and then checked; seed ${seed}`,
      `${history.published.size} versions acknowledged, ${history.events.length} events read, ` +
        `${history.interrupted.size} ingests interrupted and resumed`,
      'a 24 MB disk filled up and was freed',
      ...failures,
    ],
  };
}

/** Prepares both layers with their first artifacts in a registry that is not killed. */
async function prepare(
  seed: string,
  folder: string,
  git: GitServer,
  start: () => Promise<RegistryProcess>,
): Promise<WorkloadState> {
  const registry = await start();
  const surroundings = await prepareLayers(registry.url, `serve-kill ${seed}`, folder, git);
  await registry.stop();
  return surroundings;
}

/** Checks the stream as its reader received it in parts, and once more from the start. */
async function checkEvents(
  start: () => Promise<RegistryProcess>,
  { history }: WorkloadState,
): Promise<string[]> {
  const whole = emptyHistory();
  let readers: Promise<unknown> | undefined;
  const faults = await untilKilled(start, async ({ url }) => {
    readers = Promise.all([followEvents(url, history), followEvents(url, whole)]);
    const lost = await checkPublished(url, history.published);
    await delay(QUIET_MS);
    return lost;
  });
  await readers;
  faults.push(...findEventFaults(history.events, history.published));
  if (JSON.stringify(whole.events) !== JSON.stringify(history.events)) {
    faults.push('the stream read in pieces is not the stream read at once');
  }
  return faults;
}
