import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../tools/seeded-random.ts';
import { phrase } from '../fixtures/prose.ts';

export interface SteadyLoad {
  sent(): number;
  /** Number of requests that were due while all connections were busy. */
  skipped(): number;
  /** Number of responses by kind of request and status that are neither 200 nor 304. */
  failures(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

export interface LoadTarget {
  url: string;
  ids: readonly string[];
  objects: readonly string[];
  random: SeededRandom;
}

const SHARES = [
  ['unchanged manifests', 20],
  ['manifests', 2],
  ['loads of a random artifact', 34],
  ['batches of 20', 8],
  ['searches', 24],
  ['domain maps', 4],
  ['lists', 3],
  ['large files', 5],
] as const;
type Kind = (typeof SHARES)[number][0];

export const REQUESTS_PER_SECOND = 20;
const CONNECTIONS = 16;
/** Number of open event streams; the oldest one is replaced at a fixed interval. */
const READERS = 32;
const REPLACE_READER_MS = 10_000;
const CODINGS = ['br', 'gzip', 'identity'];

export function describeLoad(): string[] {
  const shares = SHARES.map(([kind, share]) => `${share} % ${kind}`);
  return [
    `${REQUESTS_PER_SECOND} requests per second on ${CONNECTIONS} connections, in three encodings; ${READERS} event streams, one replaced every ${REPLACE_READER_MS / 1000} s`,
    `requests: ${shares.join(', ')}`,
  ];
}

export function startSteadyLoad({ url, ids, objects, random }: LoadTarget): SteadyLoad {
  const kinds = SHARES.flatMap(([kind, share]) => Array<Kind>(share).fill(kind));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const streams = new Agent({ keepAlive: false });
  const failures: Record<string, number> = {};
  const pending = new Set<Promise<void>>();
  let sent = 0;
  let skipped = 0;
  let etag = '';
  const stopping = new AbortController();

  const querying = (): string =>
    random.int(2) === 0 ? phrase(random) : (phrase(random).split(' ')[0] ?? '');
  const batch = (): string =>
    JSON.stringify({ ids: Array.from({ length: 20 }, () => random.pick(ids)) });
  const paths: Record<Kind, () => string> = {
    'unchanged manifests': () => '/v1/sync/manifest',
    manifests: () => '/v1/sync/manifest',
    'loads of a random artifact': () =>
      `/v1/load_artifact?id=${encodeURIComponent(random.pick(ids))}`,
    'batches of 20': () => '/v1/artifacts:batchLoad',
    searches: () => `/v1/search_artifacts?query=${encodeURIComponent(querying())}`,
    'domain maps': () =>
      `/v1/load_domain?path=${encodeURIComponent(random.pick(ids).split('/')[0] ?? '')}`,
    lists: () =>
      `/v1/catalog?limit=100&scope=${encodeURIComponent(random.pick(ids).split('/')[0] ?? '')}`,
    'large files': () => random.pick(objects),
  };

  async function send(kind: Kind): Promise<void> {
    sent += 1;
    const headers: Record<string, string> = { 'accept-encoding': random.pick(CODINGS) };
    if (kind === 'unchanged manifests') headers['if-none-match'] = etag;
    const body = kind === 'batches of 20' ? batch() : undefined;
    if (body !== undefined) headers['content-type'] = 'application/json';
    try {
      const incoming = await exchange(url + paths[kind](), { agent, headers, body });
      const { statusCode = 0 } = incoming;
      if (kind === 'manifests' || kind === 'unchanged manifests')
        etag = incoming.headers.etag ?? etag;
      if (statusCode !== 200 && statusCode !== 304) count(`${kind}: ${statusCode}`);
    } catch (error) {
      count(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function count(failure: string): void {
    failures[failure] = (failures[failure] ?? 0) + 1;
  }

  async function sendAll(): Promise<void> {
    const start = performance.now();
    for (let next = 1; !stopping.signal.aborted; next += 1) {
      // No queue: it would send outdated entity tags and would not recover after a slow moment.
      if (pending.size < CONNECTIONS) {
        const work = send(random.pick(kinds)).finally(() => pending.delete(work));
        pending.add(work);
      } else skipped += 1;
      await delay(Math.max(0, start + (next * 1000) / REQUESTS_PER_SECOND - performance.now()));
    }
    await Promise.all(pending);
  }

  async function readEvents(): Promise<void> {
    const open: (() => void)[] = [];
    while (!stopping.signal.aborted) {
      open.push(openReader(url, streams, count));
      if (open.length <= READERS) continue;
      open.shift()?.();
      for (let waited = 0; waited < REPLACE_READER_MS && !stopping.signal.aborted; waited += 500)
        await delay(500);
    }
    for (const close of open) close();
  }

  const running = Promise.all([sendAll(), readEvents()]);
  return {
    sent: () => sent,
    skipped: () => skipped,
    failures: () => failures,
    stop: async () => {
      stopping.abort();
      await running;
      agent.destroy();
    },
  };
}

function exchange(
  url: string,
  {
    agent,
    headers,
    body,
  }: { agent: Agent; headers: Record<string, string>; body?: string | undefined },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request(url, { agent, headers, method }, (incoming) => {
      incoming.resume();
      incoming.on('end', () => resolve(incoming));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Opens an event stream; returns a function that closes it. */
function openReader(url: string, agent: Agent, fail: (failure: string) => void): () => void {
  let closed = false;
  const outgoing = request(`${url}/v1/events`, { agent }, (incoming) => {
    if (incoming.statusCode !== 200) fail(`events: ${incoming.statusCode}`);
    incoming.resume();
    incoming.on('error', () => undefined);
  });
  outgoing.on('error', (error) => {
    if (!closed) fail(`events: ${error.message}`);
  });
  outgoing.end();
  return () => {
    closed = true;
    outgoing.destroy();
  };
}
