import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './benchmark.ts';
import { writeCatalog } from './fixtures/catalog.ts';
import type { LoadResult } from './load-generator.ts';
import { cpuOf, startRegistryProcess, type RegistryProcess } from './registry-process.ts';

const GENERATOR = join(import.meta.dirname, 'load-generator.ts');
export const CONNECTIONS = 32;
export const ROUND_SECONDS = 0.5;
/** After this number of requests, the compiler has optimized the code. */
const WARM_REQUESTS = 40_000;
export const HOT_PATH = '/v1/load_artifact?id=bench/hot';
const SERVER_CORE = 0;
const CLIENT_CORE = 1;

export interface LoadSide {
  url: string;
  pid: number;
  rates: number[];
  cpu: number[];
}

export function loadSide({ url, pid }: { url: string; pid: number }): LoadSide {
  pin(pid, SERVER_CORE);
  return { url, pid, rates: [], cpu: [] };
}

export async function runAlternating(sides: readonly LoadSide[], rounds: number): Promise<void> {
  for (const side of sides) await generate(side, WARM_REQUESTS);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides.toReversed() : sides) await runRound(side);
  }
}

/** Returns medians of the ratios in each round: a slow moment of the machine affects both sides. */
export function ratesAgainst(
  side: LoadSide,
  baseline: LoadSide,
): { ratio: number; cpu_ratio: number } {
  return {
    ratio: median(side.rates.map((rate, round) => rate / (baseline.rates[round] ?? 0))),
    cpu_ratio: median(side.cpu.map((cpu, round) => (baseline.cpu[round] ?? 0) / cpu)),
  };
}

/** Logs one line per request, as for a log collector. */
export async function startHotRegistry(
  folder: string,
  seed: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RegistryProcess> {
  const home = join(folder, 'home');
  const layer = join(folder, 'layer');
  mkdirSync(home, { recursive: true });
  writeCatalog(layer, { n: 500, seed });
  mkdirSync(join(layer, 'bench/hot'), { recursive: true });
  writeFileSync(join(layer, 'bench/hot/ARTIFACT.md'), hotArtifact());
  const registry = await startRegistryProcess(home, {
    flags: ['--layer-path', layer],
    env: { CATALOG_LOG_LEVEL: 'info', CATALOG_LOG_FORMAT: 'json', ...env },
    log: openSync(join(folder, 'log'), 'a'),
  });
  while ((await fetch(registry.url + HOT_PATH)).status !== 200) await delay(50);
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

async function runRound(side: LoadSide): Promise<void> {
  const before = cpuOf(side.pid);
  const { requests, seconds } = await generate(side);
  side.rates.push(requests / seconds);
  side.cpu.push(((cpuOf(side.pid) - before) * 1000) / requests);
}

async function generate({ url }: LoadSide, least = 0): Promise<LoadResult> {
  const { port } = new URL(url);
  const numbers = [CONNECTIONS, ROUND_SECONDS, least].map(String);
  const words = [GENERATOR, port, HOT_PATH, ...numbers];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.pid !== undefined) pin(child.pid, CLIENT_CORE);
  const [line] = await once(createInterface(child.stdout), 'line');
  const result: LoadResult = JSON.parse(String(line));
  return result;
}

/** Pins a process and its threads to one core, if the system supports it. */
function pin(pid: number, core: number): void {
  if (process.platform !== 'linux' || availableParallelism() < 2) return;
  execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
}
