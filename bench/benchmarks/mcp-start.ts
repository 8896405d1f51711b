import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { writeCatalog } from '../fixtures/catalog.ts';
import {
  measurementOfRatio,
  median,
  resultOfParts,
  type Comparison,
  type Benchmark,
  type RunContext,
  type Measurement,
} from '../benchmark.ts';
import { startLines, type LineProcessOptions } from '../mcp/line-process.ts';
import {
  PROTOCOL_REVISIONS,
  opening,
  request,
  toLine,
  type ProtocolRevision,
} from '../mcp/requests.ts';
import { mcpServerCommand, plainEnvironment } from '../program.ts';
import { cpuOf, startRegistryProcess, untilIngested } from '../registry-process.ts';

const BASELINES = join(import.meta.dirname, '../baselines');
const RUNS = 11;
const MAX_RATIO = 1.3;
/** Time before the first call; a model needs longer. */
const PAUSE_MS = 1_000;

export const mcpStart: Benchmark = {
  name: 'mcp-start',
  summary:
    'Time from the start of `catalog-mcp` to its first response, for protocol revisions 2025-11-25 and 2026-07-28, compared with a bundled SDK server with four empty tools. Also the first search, compared with the HTTP request alone.',
  n: 1_000,
  small_n: 50,
  run: async (context) => {
    const home = join(context.folder, 'home');
    mkdirSync(home);
    const bare = await bundleBaseline(context.folder);
    const parts: Measurement[] = [];
    for (const revision of PROTOCOL_REVISIONS)
      parts.push(await measureStart(revision, bare, home, context.repeat(RUNS)));
    parts.push(await measureFirstSearch(context, home));
    return resultOfParts('mcp-start', parts, [
      'baseline: bench/baselines/mcp-server.mjs, bundled and minified; bench/baselines/http-request.mjs',
      'both sides have a warm compile cache; CPU is the mean of what the kernel charged until the answer',
      `the first search follows ${PAUSE_MS} ms after the first answer and is held against wall time`,
      'by then the server has asked whether anybody signs in: its search finds a connection open, the bare request opens one',
    ]);
  },
};

async function bundleBaseline(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: { baseline: join(BASELINES, 'mcp-server.mjs') },
    platform: 'node',
    resolve: { conditionNames: ['node', 'default'] },
  });
  const entryFileNames = '[name].mjs';
  await bundle.write({ dir: folder, format: 'esm', minify: true, entryFileNames });
  await bundle.close();
  return join(folder, 'baseline.mjs');
}

interface Start {
  wall_ms: number;
  cpu_ms: number;
}

async function measureStart(
  revision: ProtocolRevision,
  bare: string,
  home: string,
  runs: number,
): Promise<Measurement> {
  const plain = plainEnvironment(home);
  const subject = {
    command: mcpServerCommand(),
    env: { ...plain, CATALOG_REGISTRY: 'http://127.0.0.1:9' },
  };
  const baseline = {
    command: [process.execPath, bare],
    env: { ...plain, NODE_COMPILE_CACHE: join(home, 'compiled') },
  };
  const subjects: Start[] = [];
  const baselines: Start[] = [];
  for (let round = 0; round <= runs; round += 1) {
    const one = await startOnce(baseline.command, { env: baseline.env, cwd: home }, revision);
    const other = await startOnce(subject.command, { env: subject.env, cwd: home }, revision);
    if (round === 0) continue;
    baselines.push(one);
    subjects.push(other);
  }
  return measurementOfRatio(
    `mcp-start ${revision}`,
    runs,
    compareStarts(subjects, baselines),
    MAX_RATIO,
  );
}

async function startOnce(
  command: readonly string[],
  options: LineProcessOptions,
  revision: ProtocolRevision,
): Promise<Start> {
  const started = performance.now();
  const server = startLines(command, options);
  await server.write(toLine(opening(revision, 1)));
  const line = await server.nextLine();
  const wall_ms = performance.now() - started;
  const cpu_ms = cpuOf(server.pid);
  const ended = await server.end();
  if (line === undefined || !line.includes('"result"')) {
    throw new Error(`${command.join(' ')} answered ${String(line)}, ended ${ended}`);
  }
  return { wall_ms, cpu_ms };
}

/** Compares medians of wall time and means of CPU time, which the kernel counts in 1/100 s. */
function compareStarts(subjects: readonly Start[], baselines: readonly Start[]): Comparison {
  const wall = (starts: readonly Start[]) => median(starts.map(({ wall_ms }) => wall_ms));
  const cpu = (starts: readonly Start[]) =>
    starts.reduce((sum, { cpu_ms }) => sum + cpu_ms, 0) / starts.length;
  const [value, baseline] = [wall(subjects), wall(baselines)];
  return { value, baseline, ratio: value / baseline, cpu_ratio: cpu(subjects) / cpu(baselines) };
}

const QUERY = 'deploy a release';

async function measureFirstSearch(
  { n, seed, folder, repeat }: RunContext,
  home: string,
): Promise<Measurement> {
  const layer = join(folder, 'registry');
  writeCatalog(layer, { n, seed });
  const registry = await startRegistryProcess(home, { flags: ['--layer-path', layer] });
  try {
    await untilIngested(registry.url);
    const env = { ...plainEnvironment(home), CATALOG_REGISTRY: registry.url };
    const address = `${registry.url}/v1/search_artifacts?query=${encodeURIComponent(QUERY)}`;
    const bare = [process.execPath, join(BASELINES, 'http-request.mjs'), address];
    const subjects: number[] = [];
    const baselines: number[] = [];
    for (let round = 0; round <= repeat(RUNS); round += 1) {
      const one = await timeFirstResponse(bare, { env, cwd: home }, [], 'ask\n');
      const other = await timeFirstResponse(
        mcpServerCommand(),
        { env, cwd: home },
        OPENING,
        SEARCH,
      );
      if (round === 0) continue;
      baselines.push(one);
      subjects.push(other);
    }
    const [value, baseline] = [median(subjects), median(baselines)];
    const ratio = value / baseline;
    const comparison = { value, baseline, ratio, cpu_ratio: ratio };
    return measurementOfRatio('mcp-start first search', n, comparison, MAX_RATIO);
  } finally {
    await registry.stop();
  }
}

const OPENING = [
  toLine(opening('2025-11-25', 1)),
  toLine({ jsonrpc: '2.0', method: 'notifications/initialized' }),
];
const SEARCH = toLine(
  request('2025-11-25', 2, 'tools/call', {
    name: 'search_artifacts',
    arguments: { query: QUERY },
  }),
);

async function timeFirstResponse(
  command: readonly string[],
  options: LineProcessOptions,
  openingLines: readonly string[],
  question: string,
): Promise<number> {
  const lineProcess = startLines(command, options);
  for (const line of openingLines) await lineProcess.write(line);
  await lineProcess.nextLine();
  await delay(PAUSE_MS);
  const started = performance.now();
  await lineProcess.write(question);
  const line = await lineProcess.nextLine();
  const wall_ms = performance.now() - started;
  await lineProcess.end();
  if (line === undefined || !line.includes('total_matched')) {
    throw new Error(`${command.join(' ')} answered ${String(line)}`);
  }
  return wall_ms;
}
