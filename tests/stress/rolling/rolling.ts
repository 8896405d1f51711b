import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { startReverseProxy, type ReverseProxy } from '@catalog/testkit/reverse-proxy';
import { seededRandom } from '../../../tools/seeded-random.ts';
import type { StressResult, StressSession, StressTest } from '../stress-test.ts';
import { startLoad } from './load.ts';
import { startProcesses, type Processes } from './processes.ts';

const PROCESSES = 3;
const ARTIFACTS = 50;
const CLIENTS = 8;
/** Between two restarts, so that the proxy sends requests to the new process. */
const BETWEEN_MS = 500;

export const rolling: StressTest = {
  name: 'rolling',
  summary:
    'Restarts three processes one after the other behind nginx, with the example of deploy/proxy ' +
    'and under load: no request fails. Needs ./dev services up.',
  n: 20,
  bugs: 'tests/stress/rolling/planted-bugs.json',
  bug_n: 6,
  open,
};

interface Place {
  processes: Processes;
  proxy: ReverseProxy;
  ca: string;
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
      const { processes, proxy } = await opening;
      await proxy.close();
      await processes.close();
    },
  };
}

async function openPlace(folder: string): Promise<Place> {
  const processes = await startProcesses(folder, PROCESSES, ARTIFACTS);
  const authority = await createCertificateAuthority();
  const { ports } = processes;
  const proxy = await startReverseProxy({
    name: 'nginx',
    folder: join(folder, 'nginx'),
    authority,
    ports,
  });
  return { processes, proxy, ca: authority.cert };
}

async function play(seed: string, { processes, proxy, ca }: Place): Promise<StressResult> {
  const random = seededRandom(seed);
  const load = startLoad({ url: proxy.url, ca, clients: CLIENTS, artifacts: ARTIFACTS, random });
  for (let index = 0; index < PROCESSES; index += 1) {
    await setTimeout(BETWEEN_MS);
    await processes.restart(index);
  }
  await setTimeout(BETWEEN_MS);
  const { requests, failures } = await load.stop();
  return {
    counts: {
      restarts: PROCESSES,
      requests,
      failed: failures.length,
    },
    problems: failures.slice(0, 5),
  };
}
