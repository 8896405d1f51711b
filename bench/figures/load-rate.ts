import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { median, type Figure } from '../figure.ts';
import { writeCatalogue } from '../fixtures/catalogue.ts';
import type { LoadResult } from '../load-generator.ts';
import { cpuOf, startRegistryProcess } from '../registry-process.ts';

const BARE_SERVER = join(import.meta.dirname, '../baselines/same-bytes-server.mjs');
const GENERATOR = join(import.meta.dirname, '../load-generator.ts');
const AT_LEAST = 0.7;
const CONNECTIONS = 32;
const ROUND_SECONDS = 0.5;
/** By then the compiler has done what it will do. */
const WARM_REQUESTS = 40_000;
const PATH = '/v1/load_artifact?id=bench/hot';
/** The cores of the server and of those who ask it. */
const SERVER_CORE = 0;
const CLIENT_CORE = 1;

export const loadRate: Figure = {
  name: 'load-rate',
  summary:
    '`load_artifact` of a hot artifact of 2.5 KB, in requests a second, against a bare `node:http` that ' +
    'answers the same bytes; n rounds of each, in turns.',
  kind: 'speed',
  n: 21,
  small_n: 1,
  run: async ({ n, seed, folder }) => {
    const registry = await startRegistry(folder, seed);
    const answer = await keepAnswer(registry.url, folder);
    const bare = await startBareServer(answer.file);
    try {
      pin(registry.pid, SERVER_CORE);
      pin(bare.pid, SERVER_CORE);
      const sides = { registry: sideOf(registry), bare: sideOf(bare) };
      for (const { url } of Object.values(sides)) await generate(url, WARM_REQUESTS);
      for (let round = 0; round < n; round += 1) {
        for (const side of round % 2 === 0
          ? [sides.bare, sides.registry]
          : [sides.registry, sides.bare]) {
          await runRound(side);
        }
      }
      return toResult(sides, n, answer.bytes);
    } finally {
      await registry.stop();
      await bare.stop();
    }
  },
};

/** One of the two servers, and what it reached in each round. */
interface Side {
  url: string;
  pid: number;
  rates: number[];
  /** Microseconds of CPU for each request. */
  cpu: number[];
}

function sideOf({ url, pid }: { url: string; pid: number }): Side {
  return { url, pid, rates: [], cpu: [] };
}

/** A registry as it runs behind a collector of logs: a line for each request, into a file. */
async function startRegistry(
  folder: string,
  seed: string,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const home = join(folder, 'home');
  const layer = join(folder, 'layer');
  mkdirSync(home);
  writeCatalogue(layer, { n: 500, seed });
  mkdirSync(join(layer, 'bench/hot'), { recursive: true });
  writeFileSync(join(layer, 'bench/hot/ARTIFACT.md'), hotArtifact());
  const registry = await startRegistryProcess(home, {
    flags: ['--layer-path', layer],
    env: { CATALOG_LOG_LEVEL: 'info', CATALOG_LOG_FORMAT: 'json' },
    log: openSync(join(folder, 'log'), 'a'),
  });
  while ((await fetch(registry.url + PATH)).status !== 200) await delay(50);
  return registry;
}

function hotArtifact(): string {
  const head = [
    'type: command',
    'name: hot',
    'version: 1.0.0',
    'description: Loaded all the time.',
  ];
  return `---\n${head.join('\n')}\n---\n${'A line of a command that many people load.\n'.repeat(49)}`;
}

/** Headers Node adds to whatever it sends. */
const OF_NODE: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive']);

/** What the registry answers, for the bare server to answer too. */
async function keepAnswer(url: string, folder: string): Promise<{ file: string; bytes: number }> {
  const answer = await fetch(url + PATH, { headers: { 'accept-encoding': 'identity' } });
  const body = await answer.text();
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_NODE.has(name)));
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

async function runRound(side: Side): Promise<void> {
  const before = cpuOf(side.pid);
  const { requests, seconds } = await generate(side.url);
  side.rates.push(requests / seconds);
  side.cpu.push(((cpuOf(side.pid) - before) * 1000) / requests);
}

/** Runs for a round, and on until `least` requests were answered. */
async function generate(url: string, least = 0): Promise<LoadResult> {
  const { port } = new URL(url);
  const words = [GENERATOR, port, PATH, ...[CONNECTIONS, ROUND_SECONDS, least].map(String)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.pid !== undefined) pin(child.pid, CLIENT_CORE);
  const [line] = await once(createInterface(child.stdout), 'line');
  const result: LoadResult = JSON.parse(String(line));
  return result;
}

/** Keeps a process and its threads on one core, where the system can. */
function pin(pid: number, core: number): void {
  if (process.platform !== 'linux' || availableParallelism() < 2) return;
  execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
}

function toResult({ registry, bare }: { registry: Side; bare: Side }, n: number, bytes: number) {
  // Of neighbours in time, so that a slow moment of the machine falls on both.
  const ratio = median(registry.rates.map((rate, round) => rate / (bare.rates[round] ?? 0)));
  const cpu_ratio = median(registry.cpu.map((cpu, round) => (bare.cpu[round] ?? 0) / cpu));
  return {
    name: 'load-rate',
    value: median(registry.rates),
    unit: 'requests/s',
    baseline: median(bare.rates),
    ratio,
    cpu_ratio,
    n,
    goal: `ratio >= ${AT_LEAST}`,
    met: ratio >= AT_LEAST,
    notes: [
      'baseline: node bench/baselines/same-bytes-server.mjs, head and body alike',
      `${bytes} bytes of body, ${CONNECTIONS} connections, rounds of ${ROUND_SECONDS} s, the servers on one core and who asks on another`,
      `CPU for each request: ${median(registry.cpu).toFixed(1)} µs, bare ${median(bare.cpu).toFixed(1)} µs; ratios are medians over pairs of rounds, that of CPU is bare over registry`,
      'resolver, access check, quota seam, log line into a file, metrics: all on',
    ],
  };
}
