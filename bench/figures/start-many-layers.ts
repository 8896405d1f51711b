import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median, type Figure, type FigureResult } from '../figure.ts';
import { startGitHost, type GitHostProcess } from '../git-host-process.ts';
import { dropBenchDatabase, keepDatabase, query, type BenchDatabase } from '../pg-database.ts';
import {
  startRegistryProcess,
  untilIngested,
  WITHOUT_VECTORS,
  type RegistryProcess,
} from '../registry-process.ts';

const DATABASE = 'catalog_bench_start_many_layers';
const ROUNDS = 3;
const AT_MOST_MS = 5000;

export const startManyLayers: Figure = {
  name: 'start-many-layers',
  summary:
    'Time from the start of `catalog serve` on PostgreSQL with n git layers until `latest` serves a commit that was pushed as soon as `/readyz` returned 200. An unchanged layer must leave no audit record.',
  kind: 'speed',
  n: 1000,
  small_n: 20,
  run: async ({ n, folder }) => {
    await dropBenchDatabase(DATABASE);
    const database = await keepDatabase(DATABASE);
    const git = await startGitHost(join(folder, 'git'));
    try {
      return await measure({ n, folder, database, git });
    } finally {
      await git.stop();
      await dropBenchDatabase(DATABASE);
    }
  },
};

interface Stage {
  n: number;
  folder: string;
  database: BenchDatabase;
  git: GitHostProcess;
}

/** A git layer, and how its host delivers a push. */
interface Layer {
  artifact: string;
  push(version: string): void;
  deliver(url: string): Promise<void>;
}

interface Round {
  ready_ms: number;
  served_ms: number;
  /** Until a commit was served that nobody delivered: the comparison of all layers found it. */
  compared_ms: number;
  /** Audit records of the layers that did not change. */
  idle_records: number;
}

async function measure(stage: Stage): Promise<FigureResult> {
  const { n, folder, database } = stage;
  const home = join(folder, 'home');
  mkdirSync(home);
  const start = (): Promise<RegistryProcess> =>
    startRegistryProcess(home, {
      env: {
        ...WITHOUT_VECTORS,
        CATALOG_REGISTRY_STORE: 'postgres',
        CATALOG_POSTGRES_DSN: database.dsn,
        CATALOG_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
      },
    });
  let registry = await start();
  try {
    const layers: Layer[] = [];
    for (let at = 0; at < n; at += 1) layers.push(await register(registry.url, stage.git, at));
    await untilIngested(registry.url);
    const [pushed, moved] = [layers.at(Math.floor(n / 2)), layers.at(-1)];
    if (pushed === undefined || moved === undefined) throw new RangeError('n must be above 0');
    const rounds: Round[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      await registry.stop();
      const version = `1.0.${round}`;
      moved.push(version);
      const before = await lastPosition(database);
      const started = performance.now();
      registry = await start();
      await untilReady(registry.url);
      const ready_ms = performance.now() - started;
      pushed.push(version);
      await pushed.deliver(registry.url);
      await untilServed(registry.url, pushed.artifact, version);
      const served_ms = performance.now() - started;
      await untilServed(registry.url, moved.artifact, version);
      const compared_ms = performance.now() - started;
      const idle_records = await countIdleRecords(database, before, n);
      rounds.push({ ready_ms, served_ms, compared_ms, idle_records });
    }
    return toResult(n, rounds);
  } finally {
    await registry.stop();
  }
}

function toResult(n: number, rounds: readonly Round[]): FigureResult {
  const served = rounds.map(({ served_ms }) => served_ms);
  const idle = rounds.reduce((sum, { idle_records }) => sum + idle_records, 0);
  const list = (of: (round: Round) => number): string =>
    rounds.map((round) => Math.round(of(round))).join(', ');
  return {
    name: 'start-many-layers',
    value: median(served),
    unit: 'ms',
    baseline: null,
    ratio: null,
    cpu_ratio: null,
    n,
    goal: `value < ${AT_MOST_MS}, 0 audit records without a change`,
    met: Math.max(...served) < AT_MOST_MS && idle === 0,
    notes: [
      `${ROUNDS} starts; ready after ${list(({ ready_ms }) => ready_ms)} ms, the push served after ${list(({ served_ms }) => served_ms)} ms`,
      `a commit made while the registry was stopped, in the layer that is compared last, served after ${list(({ compared_ms }) => compared_ms)} ms`,
      `audit records of layers that did not change: ${idle}`,
      'the git host runs on the same machine, one process for each of its answers',
    ],
  };
}

/** Registers a repository with one artifact as a layer. */
async function register(url: string, git: GitHostProcess, at: number): Promise<Layer> {
  const id = idOf(at);
  const artifact = `${id}/rule`;
  const repository = git.addRepository(`${id}.git`);
  const push = (version: string): void => {
    const fields = `type: rule\nversion: ${version}\ndescription: What to do about case ${at}.`;
    repository.commit({ [`${artifact}/ARTIFACT.md`]: `---\n${fields}\n---\nDo it.\n` });
  };
  push('1.0.0');
  const response = await fetch(`${url}/v1/layers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, source_type: 'git', repo: repository.url, ref: 'main' }),
  });
  const { webhook_url, webhook_secret }: { webhook_url: string; webhook_secret: string } =
    JSON.parse(await response.text());
  const { pathname, search } = new URL(webhook_url);
  const body = '{"ref":"refs/heads/main"}';
  const signature = createHmac('sha256', webhook_secret).update(body).digest('hex');
  return {
    artifact,
    push,
    // Each process of the registry has its own port.
    async deliver(origin) {
      const headers = { 'x-hub-signature-256': `sha256=${signature}` };
      const delivered = await fetch(origin + pathname + search, { method: 'POST', headers, body });
      const text = await delivered.text();
      if (delivered.status !== 202) throw new Error(text);
    },
  };
}

function idOf(at: number): string {
  return `layer-${at}`;
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await delay(5);
}

async function untilServed(url: string, artifact: string, version: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/v1/load_artifact?id=${artifact}`);
    if ((await response.text()).includes(`"version":"${version}"`)) return;
    await delay(5);
  }
}

async function lastPosition({ owner_dsn }: BenchDatabase): Promise<string> {
  const [row] = await query<{ last: string }>(
    owner_dsn,
    'SELECT coalesce(max(position), 0) AS last FROM catalog.audit',
  );
  return row?.last ?? '0';
}

/** Counts audit records since a position that name a layer without a change. */
async function countIdleRecords(
  { owner_dsn }: BenchDatabase,
  since: string,
  n: number,
): Promise<number> {
  const changed = [idOf(Math.floor(n / 2)), idOf(n - 1)];
  const rows = await query<{ text: string }>(
    owner_dsn,
    'SELECT record::text AS text FROM catalog.audit WHERE position > $1',
    [since],
  );
  const ofChanged = rows.filter(({ text }) => changed.some((id) => text.includes(`"${id}"`)));
  return rows.length - ofChanged.length;
}
