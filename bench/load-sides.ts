import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './benchmark.ts';
import { writeCatalogue } from './fixtures/catalogue.ts';
import type { LoadResult } from './load-generator.ts';
import { cpuOf, startRegistryProcess, type RegistryProcess } from './registry-process.ts';

const GENERATOR = join(import.meta.dirname, 'load-generator.ts');
export const CONNECTIONS = 32;
export const ROUND_SECONDS = 0.5;
/** By then the compiler has done what it will do. */
const WARM_REQUESTS = 40_000;
/** What is asked for: an artifact of 2.5 KB that many load. */
export const HOT_PATH = '/v1/load_artifact?id=bench/hot';
/** The cores of the server and of those who ask it. */
const SERVER_CORE = 0;
const CLIENT_CORE = 1;

/** A server that takes turns with others, and its results in each round. */
export interface LoadSide {
  url: string;
  pid: number;
  rates: number[];
  /** Microseconds of CPU for each request. */
  cpu: number[];
}

export function loadSide({ url, pid }: { url: string; pid: number }): LoadSide {
  pin(pid, SERVER_CORE);
  return { url, pid, rates: [], cpu: [] };
}

/** Runs rounds of all sides in turns, after all are warm. */
export async function takeTurns(sides: readonly LoadSide[], rounds: number): Promise<void> {
  for (const side of sides) await generate(side, WARM_REQUESTS);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides.toReversed() : sides) await runRound(side);
  }
}

/** Medians over pairs of rounds: of neighbours in time, so that a slow moment of the machine falls on both. */
export function ratesAgainst(
  side: LoadSide,
  baseline: LoadSide,
): { ratio: number; cpu_ratio: number } {
  return {
    ratio: median(side.rates.map((rate, round) => rate / (baseline.rates[round] ?? 0))),
    cpu_ratio: median(side.cpu.map((cpu, round) => (baseline.cpu[round] ?? 0) / cpu)),
  };
}

/** A registry as it runs behind a collector of logs, a line for each request, that serves the hot artifact. */
export async function startHotRegistry(
  folder: string,
  seed: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RegistryProcess> {
  const home = join(folder, 'home');
  const layer = join(folder, 'layer');
  mkdirSync(home, { recursive: true });
  writeCatalogue(layer, { n: 500, seed });
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

/** Runs for a round, and on until `least` requests were answered. */
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

/** Keeps a process and its threads on one core, where the system can. */
function pin(pid: number, core: number): void {
  if (process.platform !== 'linux' || availableParallelism() < 2) return;
  execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
}
