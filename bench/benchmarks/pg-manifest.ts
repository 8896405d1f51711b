import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { finished } from 'node:stream/promises';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { SCHEMA } from '@catalog/server/adapters/store/postgres/pool/pool';
import { ALL_LISTED } from '@catalog/server/adapters/store/postgres/versions/view-page';
import { Client, escapeLiteral } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { median, type Benchmark, type RunContext, type Measurement } from '../benchmark.ts';
import { loadCatalog } from '../fixtures/pg-catalog.ts';
import { startRegistryProcess, WITHOUT_VECTORS } from '../registry-process.ts';

const AT_LEAST_RATIO = 0.5;
/** Maximum growth of memory, far below a tenth of the size of a manifest with a million artifacts. */
const MAX_MB = 64;
const ROUNDS = 5;
/** Number of streams before the measurement, in which the heap reaches a stable size. */
const WARM_UP_STREAMS = 3;
const SAMPLE_EVERY_MS = 25;
const MANIFEST = '/v1/sync/manifest';

export const pgManifest: Benchmark = {
  name: 'pg-manifest',
  summary:
    'Streams the sync manifest of a view of 60 layers from a registry on PostgreSQL, compared with `COPY` of the same query. Measures rows per second and the memory growth of the registry.',
  servers: true,
  n: 1_000_000,
  small_n: 1_000,
  run: async (context) => {
    const { manifest, copy, growth_mb, bytes } = await measure(context);
    const rate: Measurement = {
      name: 'pg-manifest',
      value: manifest.rate,
      baseline: copy.rate,
      unit: 'rows/s',
      ratio: manifest.rate / copy.rate,
      cpu_ratio: null,
      n: context.n,
      goal: `ratio >= ${AT_LEAST_RATIO}`,
      met: manifest.rate / copy.rate >= AT_LEAST_RATIO,
    };
    const memory: Measurement = {
      name: 'pg-manifest-memory',
      value: growth_mb,
      baseline: null,
      unit: 'MB',
      ratio: null,
      cpu_ratio: null,
      n: context.n,
      goal: `value <= ${MAX_MB}`,
      met: growth_mb <= MAX_MB,
    };
    return {
      ...rate,
      parts: [rate, memory],
      met: rate.met && memory.met,
      notes: [
        `manifest: ${manifest.rows} artifacts, ${bytes} bytes of JSON over HTTP on loopback; medians of ${ROUNDS} alternating runs`,
        `baseline: COPY of the ${copy.rows} heads that the manifest is built from, in one statement, to this machine`,
        'memory: peak resident memory while streaming, minus the resident memory after the first three runs',
      ],
    };
  },
};

interface Side {
  rows: number;
  rate: number;
}

interface Measured {
  manifest: Side;
  copy: Side;
  growth_mb: number;
  bytes: number;
}

async function measure({ n, seed, folder }: RunContext): Promise<Measured> {
  const { database, layers } = await loadCatalog({ n, seed });
  const registry = await startRegistryProcess(folder, {
    env: {
      CATALOG_REGISTRY_STORE: 'postgres',
      CATALOG_POSTGRES_DSN: database.dsn,
      ...WITHOUT_VECTORS,
    },
  });
  const client = await openCopier(database.dsn);
  try {
    const sql = formatCopyQuery(layers.map(({ number }) => number));
    const first = await countArtifacts(registry.url);
    for (let warm = 1; warm < WARM_UP_STREAMS; warm += 1) await readManifest(registry.url);
    const heads = await copyRows(client, sql);
    const memory = watchMemory(registry.pid);
    const manifestMs: number[] = [];
    const copyMs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      copyMs.push(await timed(() => copyRows(client, sql)));
      const ms = await timed(async () => {
        const bytes = await readManifest(registry.url);
        if (bytes !== first.bytes) throw new Error('two manifests of one view differ');
      });
      manifestMs.push(ms);
    }
    return {
      manifest: { rows: first.rows, rate: (first.rows / median(manifestMs)) * 1000 },
      copy: { rows: heads, rate: (heads / median(copyMs)) * 1000 },
      growth_mb: memory.stop(),
      bytes: first.bytes,
    };
  } finally {
    await client.end();
    await registry.stop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function readManifest(url: string, onChunk?: (chunk: Buffer) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    get(`${url}${MANIFEST}`, (incoming) => {
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        onChunk?.(chunk);
      });
      incoming.on('end', () => {
        if (incoming.statusCode === 200) resolve(bytes);
        else reject(new Error(`the manifest answered ${incoming.statusCode}`));
      });
      incoming.on('error', reject);
    }).on('error', reject);
  });
}

const OPENING = '{'.codePointAt(0);

/**
 * Counts the objects in a manifest: one for each artifact, and the manifest itself. Nothing else in
 * it contains a brace.
 */
async function countArtifacts(url: string): Promise<{ rows: number; bytes: number }> {
  let objects = 0;
  const bytes = await readManifest(url, (chunk) => {
    for (const byte of chunk) if (byte === OPENING) objects += 1;
  });
  return { rows: objects - 1, bytes };
}

/** Opens a connection with the same access as those of the program. */
async function openCopier(dsn: string): Promise<Client> {
  const client = new Client({
    connectionString: dsn,
    options: `-c search_path=${SCHEMA} -c catalog.tenant=${ONLY_TENANT}`,
  });
  await client.connect();
  return client;
}

function formatCopyQuery(layers: readonly number[]): string {
  const values = [String(ONLY_TENANT), `{${layers.join(',')}}`, '', '\u{10FFFF}'];
  const sql = ALL_LISTED.replaceAll(/\$(\d)/g, (_, place) =>
    escapeLiteral(values[Number(place) - 1] ?? ''),
  );
  return `COPY (${sql}) TO STDOUT`;
}

async function copyRows(client: Client, sql: string): Promise<number> {
  const stream = client.query(copyTo(sql));
  stream.resume();
  await finished(stream);
  return stream.rowCount;
}

const PAGE_KB = 4;

/** Measures the peak growth of a process's resident memory, in megabytes. */
function watchMemory(pid: number): { stop(): number } {
  const resident = (): number => {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * PAGE_KB) / 1024;
  };
  const before = resident();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, resident())), SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak - before;
    },
  };
}
