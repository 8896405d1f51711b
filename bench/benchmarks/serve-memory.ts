import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { fillStore } from '../fill-store.ts';
import { startRegistryProcess } from '../registry-process.ts';
import { openSide, type Client } from '../timed-requests.ts';

/** Time after the start of a process in which its layers are ingested again. */
const SETTLE_MS = 5_000;
const CLIENTS = 16;
const LOAD_SECONDS = 20;
/** Maximum memory of an idle process, from the install page. */
const MAX_IDLE_MB = 256;
/** Memory limit of the Helm chart. */
const MAX_PEAK_MB = 1024;
const PATHS = [
  '/v1/search_artifacts?query=release',
  '/v1/search_artifacts?query=how+to+check+a+release+before+it+ships',
  '/v1/load_domain',
  '/v1/catalog?limit=100',
];

export const serveMemory: Benchmark = {
  name: 'serve-memory',
  summary:
    'Resident memory of `catalog serve` on a file with n artifacts: idle, and the peak during the first ingest and under searches, domain maps and lists on 16 connections for 20 s.',
  n: 10_000,
  small_n: 300,
  run: async (context) => {
    const home = join(context.folder, 'home');
    const ingesting = await fillStore(context, home, ({ pid }) => readMemory(pid, 'VmHWM'));
    const { idle, peak } = await measureLoad(home, context.repeat(LOAD_SECONDS));
    const { n } = context;
    return resultOfParts(
      'serve-memory',
      [
        measurement('serve-memory-idle', n, idle, MAX_IDLE_MB),
        measurement('serve-memory-ingest', n, ingesting, MAX_PEAK_MB),
        measurement('serve-memory-load', n, peak, MAX_PEAK_MB),
      ],
      [
        'idle: VmRSS of the process 5 s after it is ready and has read its layer again; ingest and load: VmHWM',
        'SQLite, the built-in embedding model, 64 MB for cached responses',
      ],
    );
  },
};

async function measureLoad(home: string, seconds: number): Promise<{ idle: number; peak: number }> {
  const server = await startRegistryProcess(home);
  try {
    await delay(SETTLE_MS);
    const idle = readMemory(server.pid, 'VmRSS');
    const end = performance.now() + seconds * 1000;
    const { url } = server;
    const sides = Array.from({ length: CLIENTS }, () =>
      openSide({ url, cpuMs: () => 0, stop: async () => undefined }),
    );
    await Promise.all(sides.map(({ client }) => sendUntil(client, end)));
    for (const { client } of sides) client.close();
    return { idle, peak: readMemory(server.pid, 'VmHWM') };
  } finally {
    await server.stop();
  }
}

async function sendUntil(client: Client, end: number): Promise<void> {
  for (let at = 0; performance.now() < end; at += 1) {
    await client.get(PATHS[at % PATHS.length] ?? '');
  }
}

/** Returns the memory of a process in megabytes, as the kernel counts it. */
function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return Number(kilobytes) / 1024;
}

function measurement(name: string, n: number, value: number, maxMegabytes: number): Measurement {
  return {
    name,
    value,
    unit: 'MB',
    baseline: null,
    ratio: null,
    cpu_ratio: null,
    n,
    goal: `value <= ${maxMegabytes}`,
    met: value <= maxMegabytes,
  };
}
