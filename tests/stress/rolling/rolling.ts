import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { startReverseProxies, type ReverseProxies } from '../reverse-proxies.ts';
import type { StressResult, StressSession, StressTest } from '../stress-test.ts';
import { startLoad } from './load.ts';
import { startProcesses, type Processes } from './processes.ts';

const PROCESSES = 3;
const ARTIFACTS = 50;
const CLIENTS = 4;
/** Pause between two restarts, so that the proxy sends requests to the new process. */
const BETWEEN_MS = 500;

export const rolling: StressTest = {
  name: 'rolling',
  servers: true,
  summary:
    'Restarts three processes one after the other behind nginx and Caddy, with the examples of ' +
    'deploy/proxy and under load: no request fails. Needs ./dev services up.',
  n: 10,
  // Each restart waits for the shutdown delay.
  timeout_ms: 300_000,
  bugs: 'tests/stress/rolling/planted-bugs.json',
  bug_n: 6,
  open,
};

interface Place {
  processes: Processes;
  proxies: ReverseProxies;
}

function open(folder: string): StressSession {
  const opening = openPlace(folder);
  return {
    opened: opening,
    play: async (seed) => play(seed, await opening),
    shrink: async (seed) => {
      const { problems } = await play(seed, await opening);
      const steps = ['restart each process in turn, under load'];
      return problems.length === 0 ? undefined : { steps, problems };
    },
    close: async () => {
      const { processes, proxies } = await opening;
      await proxies.close();
      await processes.close();
    },
  };
}

async function openPlace(folder: string): Promise<Place> {
  const processes = await startProcesses(folder, PROCESSES, ARTIFACTS);
  return { processes, proxies: await startReverseProxies(folder, processes.ports) };
}

async function play(seed: string, { processes, proxies }: Place): Promise<StressResult> {
  const random = seededRandom(seed);
  const { urls, ca } = proxies;
  const loads = [...urls].map(([name, url]) => ({
    name,
    load: startLoad({ url, ca, clients: CLIENTS, artifacts: ARTIFACTS, random }),
  }));
  for (let index = 0; index < PROCESSES; index += 1) {
    await setTimeout(BETWEEN_MS);
    await processes.restart(index);
  }
  await setTimeout(BETWEEN_MS);
  const counts: Record<string, number> = { restarts: PROCESSES };
  const problems: string[] = [];
  for (const { name, load } of loads) {
    const { requests, failures } = await load.stop();
    counts[`requests_${name}`] = requests;
    counts[`failed_${name}`] = failures.length;
    problems.push(...failures.slice(0, 5).map((failure) => `${name}: ${failure}`));
  }
  return { counts, problems };
}
