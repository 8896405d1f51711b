import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readDockerfile } from '../../tools/image/read-dockerfile.ts';
import { seededRandom } from '../../tools/seeded-random.ts';
import { resultOfParts, type Benchmark, type RunContext, type RunResult } from '../benchmark.ts';
import { writeCatalog } from '../fixtures/catalog.ts';
import { formatSamples, summarizeLastHour, type MemorySample } from '../memory/samples.ts';
import {
  describeLoad,
  REQUESTS_PER_SECOND,
  startSteadyLoad,
  type SteadyLoad,
} from '../memory/steady-load.ts';
import {
  startRegistryProcess,
  untilEmbedded,
  untilIngested,
  type RegistryProcess,
} from '../registry-process.ts';

const ARTIFACTS = 10_000;
const SMALL_ARTIFACTS = 300;
const LARGE_FILES = 20;
const LARGE_FILE_BYTES = 1_000_000;
const SAMPLE_SECONDS = 10;
const INGEST_SECONDS = 20;
/** Maximum memory of a process, from the install page. */
const MAX_MB = 768;
const MAX_GROWTH_PERCENT = 2;
/** `./dev docs` plots the samples of the last run above the small size. */
const SAMPLES = join(import.meta.dirname, '../memory/samples.csv');
const DOCKERFILE = join(import.meta.dirname, '../../deploy/Dockerfile');

export const memoryUnderLoad: Benchmark = {
  name: 'memory-under-load',
  summary: `Resident memory of \`catalog serve\` on a file with 10,000 artifacts in three layers during n minutes of ${REQUESTS_PER_SECOND} requests per second and an ingest every ${INGEST_SECONDS} s: the maximum and the growth in the last hour.`,
  n: 120,
  small_n: 1,
  run: async (context) => {
    const isSmall = context.n <= memoryUnderLoad.small_n;
    const layers = writeLayers(context, isSmall ? SMALL_ARTIFACTS : ARTIFACTS);
    const home = join(context.folder, 'home');
    mkdirSync(home);
    const { environment } = readDockerfile(readFileSync(DOCKERFILE, 'utf8'));
    const server = await startRegistryProcess(home, {
      flags: ['--layer-path', layers],
      env: environment,
    });
    try {
      await untilIngested(server.url);
      await untilEmbedded(server.url);
      const run = await measure(server, layers, context, isSmall ? undefined : SAMPLES);
      return toResult(context.n, run);
    } finally {
      await server.stop();
    }
  },
};

function writeLayers({ seed, folder }: RunContext, artifacts: number): string {
  const layers = join(folder, 'layers');
  mkdirSync(layers);
  writeFileSync(join(layers, '.registry-config'), 'multi_layer: true\n');
  writeCatalog(join(layers, 'main'), { n: artifacts * 0.7, seed });
  writeCatalog(join(layers, 'team'), { n: artifacts * 0.2, seed: `${seed} team` });
  writeCatalog(join(layers, 'busy'), { n: artifacts * 0.1, seed: `${seed} busy` });
  for (let index = 0; index < LARGE_FILES; index += 1) writeLargeSkill(layers, index);
  changeArtifact(layers, 0);
  return layers;
}

function writeLargeSkill(layers: string, index: number): void {
  const skill = join(layers, 'main/large', `model-${index}`);
  mkdirSync(join(skill, 'data'), { recursive: true });
  const head = `---\nname: model-${index}\ndescription: Has a large file, number ${index}.\n---\n`;
  writeFileSync(join(skill, 'SKILL.md'), `${head}Read [the data](data/model.txt).\n`);
  writeFileSync(join(skill, 'data/model.txt'), `${index}`.padEnd(LARGE_FILE_BYTES, 'data '));
}

function changeArtifact(layers: string, round: number): void {
  const command = join(layers, 'busy/ops/changing');
  mkdirSync(command, { recursive: true });
  const head = `type: command\nname: changing\nversion: 1.0.${round}\ndescription: Changes often.`;
  writeFileSync(join(command, 'next'), `---\n${head}\n---\nRound ${round}.\n`);
  renameSync(join(command, 'next'), join(command, 'ARTIFACT.md'));
}

interface Run {
  samples: MemorySample[];
  /** CPU usage of the process in percent of a core. */
  cpu: number;
  load: SteadyLoad;
}

async function measure(
  server: RegistryProcess,
  layers: string,
  { n, seed }: RunContext,
  file: string | undefined,
): Promise<Run> {
  const { url } = server;
  const load = startSteadyLoad({
    url,
    ids: await listIds(url),
    objects: await listObjects(url),
    random: seededRandom(`steady load ${seed}`),
  });
  const samples: MemorySample[] = [];
  const cpuBefore = server.cpuMs();
  const start = performance.now();
  const seconds = (): number => (performance.now() - start) / 1000;
  for (let round = 1; seconds() < n * 60; round += 1) {
    if (round % (INGEST_SECONDS / SAMPLE_SECONDS) === 0) changeArtifact(layers, round);
    samples.push(await readSample(server, seconds()));
    if (file !== undefined) writeFileSync(file, formatSamples(samples));
    await delay(Math.max(0, round * SAMPLE_SECONDS - seconds()) * 1000);
  }
  const cpu = (server.cpuMs() - cpuBefore) / seconds() / 10;
  await load.stop();
  return { samples, cpu, load };
}

async function readSample({ url, pid }: RegistryProcess, seconds: number): Promise<MemorySample> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const metric = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) / 1024 / 1024;
  return {
    seconds,
    rss: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024,
    heap_used: metric('nodejs_heap_size_used_bytes'),
    heap_total: metric('nodejs_heap_size_total_bytes'),
    external: metric('nodejs_external_memory_bytes'),
  };
}

async function listIds(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/v1/sync/manifest`);
  const { artifacts }: { artifacts: { id: string }[] } = JSON.parse(await answer.text());
  return artifacts.map(({ id }) => id);
}

async function listObjects(url: string): Promise<string[]> {
  const paths: string[] = [];
  for (let index = 0; index < LARGE_FILES; index += 1) {
    const answer = await fetch(`${url}/v1/load_artifact?id=large/model-${index}`);
    const record: { large_resources: Record<string, { presigned_url: string }> } = JSON.parse(
      await answer.text(),
    );
    for (const { presigned_url } of Object.values(record.large_resources)) {
      paths.push(new URL(presigned_url).pathname);
    }
  }
  return paths;
}

function toResult(n: number, { samples, cpu, load }: Run): RunResult {
  const { minutes, max_rss, growth } = summarizeLastHour(samples);
  const plain = { baseline: null, ratio: null, cpu_ratio: null, n };
  const failures = Object.entries(load.failures()).map(([name, count]) => `${name} × ${count}`);
  return resultOfParts(
    'memory-under-load',
    [
      {
        ...plain,
        name: 'memory-under-load',
        value: max_rss,
        unit: 'MB',
        goal: `value <= ${MAX_MB}`,
        met: max_rss <= MAX_MB,
      },
      {
        ...plain,
        name: 'memory-under-load-growth',
        value: growth,
        unit: '%',
        goal: `value <= ${MAX_GROWTH_PERCENT}`,
        met: growth <= MAX_GROWTH_PERCENT,
      },
    ],
    [
      ...describeLoad(),
      `growth: from the median of the first sixth to that of the last sixth of the last ${minutes.toFixed(0)} minutes`,
      `${load.sent()} requests, ${load.skipped()} skipped while all connections were busy, ${cpu.toFixed(0)} % of one core; failed: ${failures.join(', ') || 'none'}`,
      'SQLite, the built-in embedding model, and the environment of the container image',
    ],
  );
}
