import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measurementOfRatio, median, type Comparison, type Benchmark } from '../benchmark.ts';
import { fillStore } from '../fill-store.ts';
import { catalogCommand, plainEnvironment } from '../program.ts';
import { cpuOf } from '../registry-process.ts';

const BARE = join(import.meta.dirname, '../baselines/http-server.mjs');
const RUNS = 5;
const MAX_RATIO = 4;

export const serveStart: Benchmark = {
  name: 'serve-start',
  summary:
    'Time from the start of `catalog serve` on a file with n artifacts to the first 200 of `/readyz`, compared with a plain Node HTTP server.',
  n: 10_000,
  small_n: 300,
  run: async (context) => {
    const home = join(context.folder, 'home');
    await fillStore(context, home, () => undefined);
    const comparison = await compareStarts(home);
    return {
      ...measurementOfRatio('serve-start', context.n, comparison, MAX_RATIO),
      notes: [
        'baseline: bench/baselines/http-server.mjs, from its start to its first 200',
        'CPU is the CPU time of the process until then',
        'the compile cache is warm; the registry reads the layer again after it is ready',
      ],
    };
  },
};

interface Start {
  wall_ms: number;
  cpu_ms: number;
}

async function compareStarts(home: string): Promise<Comparison> {
  const subjects: Start[] = [];
  const baselines: Start[] = [];
  for (let round = 0; round <= RUNS; round += 1) {
    const baseline = await measureStart(home, (port) => [process.execPath, BARE, port]);
    const subject = await measureStart(home, (port) =>
      catalogCommand('serve', '--bind', `127.0.0.1:${port}`),
    );
    if (round === 0) continue;
    subjects.push(subject);
    baselines.push(baseline);
  }
  const value = median(subjects.map(({ wall_ms }) => wall_ms));
  const baseline = median(baselines.map(({ wall_ms }) => wall_ms));
  const cpu = median(subjects.map(({ cpu_ms }) => cpu_ms));
  const bareCpu = median(baselines.map(({ cpu_ms }) => cpu_ms));
  return { value, baseline, ratio: value / baseline, cpu_ratio: cpu / bareCpu };
}

async function measureStart(
  home: string,
  command: (port: string) => readonly string[],
): Promise<Start> {
  const port = await freePort();
  const [program = '', ...words] = command(String(port));
  const started = performance.now();
  const child = spawn(program, words, {
    cwd: home,
    env: plainEnvironment(home),
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended`);
      await delay(1);
    }
    const wall_ms = performance.now() - started;
    return { wall_ms, cpu_ms: cpuOf(child.pid ?? 0) };
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });
}
