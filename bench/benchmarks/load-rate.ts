import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median, type Benchmark } from '../benchmark.ts';
import {
  CONNECTIONS,
  HOT_PATH,
  loadSide,
  ratesAgainst,
  ROUND_SECONDS,
  startHotRegistry,
  runAlternating,
  type LoadSide,
} from '../load-sides.ts';

const BARE_SERVER = join(import.meta.dirname, '../baselines/same-bytes-server.mjs');
const MIN_RATIO = 0.7;

export const loadRate: Benchmark = {
  name: 'load-rate',
  summary:
    'Requests per second for `load_artifact` of a hot 2.5 KB artifact, compared with a plain `node:http` server that returns the same bytes. Runs n rounds of each, alternating.',
  n: 21,
  small_n: 1,
  run: async ({ n, seed, folder }) => {
    const registry = await startHotRegistry(folder, seed);
    const answer = await saveResponse(registry.url, folder);
    const bare = await startBareServer(answer.file);
    try {
      const sides = { registry: loadSide(registry), bare: loadSide(bare) };
      await runAlternating([sides.registry, sides.bare], n);
      return toResult(sides, n, answer.bytes);
    } finally {
      await registry.stop();
      await bare.stop();
    }
  },
};

const NODE_HEADERS: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive']);

/** Saves a response of the registry, which the plain server then sends. */
async function saveResponse(url: string, folder: string): Promise<{ file: string; bytes: number }> {
  const answer = await fetch(url + HOT_PATH, { headers: { 'accept-encoding': 'identity' } });
  const body = await answer.text();
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !NODE_HEADERS.has(name)),
  );
  const file = join(folder, 'answer.json');
  writeFileSync(file, JSON.stringify({ headers, body }));
  return { file, bytes: Buffer.byteLength(body) };
}

async function startBareServer(
  answer: string,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [BARE_SERVER, answer], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const [port] = await once(createInterface(child.stdout), 'line');
  if (child.pid === undefined) throw new Error('the bare server did not start');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill();
      await closed;
    },
  };
}

function toResult(
  { registry, bare }: { registry: LoadSide; bare: LoadSide },
  n: number,
  bytes: number,
) {
  const { ratio, cpu_ratio } = ratesAgainst(registry, bare);
  return {
    name: 'load-rate',
    value: median(registry.rates),
    unit: 'requests/s',
    baseline: median(bare.rates),
    ratio,
    cpu_ratio,
    n,
    goal: `ratio >= ${MIN_RATIO}`,
    met: ratio >= MIN_RATIO,
    notes: [
      'baseline: node bench/baselines/same-bytes-server.mjs, with the same headers and body',
      `${bytes} bytes per body, ${CONNECTIONS} connections, rounds of ${ROUND_SECONDS} s, servers on one core, load generator on another`,
      `CPU per request: ${median(registry.cpu).toFixed(1)} µs, bare ${median(bare.cpu).toFixed(1)} µs; ratios are medians over pairs of rounds; the CPU ratio is baseline to registry`,
      'enabled: resolver, access check, quota check, request log to a file, metrics',
    ],
  };
}
