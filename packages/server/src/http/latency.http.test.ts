import { loadArtifact } from '@catalog/contract/endpoints/materialization';

import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { beforeAll, afterAll, expect, vi } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const ARTIFACTS = 1_000;
const REQUESTS = 600;
const LARGE_LOADS = 10;
const MEBIBYTE = 1_048_576;
const WORDS = ['deploy', 'review', 'invoice', 'python', 'cluster', 'rollback', 'schema', 'audit'];

let registry: RegistryServer;

beforeAll(async () => {
  registry = await startRegistry({ keep: true });
  await registry.ingest(
    Object.assign({}, ...Array.from({ length: ARTIFACTS }, (_, at) => files(at))),
  );
  // Embedding new artifacts in the same process would distort the measurement.
  const { embeddings } = registry.registry.store;
  await vi.waitFor(
    async () => expect((await embeddings.listModels()).some(({ ready }) => ready)).toBe(true),
    { timeout: 60_000, interval: 200 },
  );
}, 120_000);
afterAll(() => registry.close());

function files(at: number): FileTree {
  const [one, other, third] = [at, at * 3 + 1, at * 5 + 2].map((n) => WORDS[n % WORDS.length]);
  const folder = `area-${at % 20}/topic-${at % 7}/tool-${at}`;
  return {
    [`area-${at % 20}/DOMAIN.md`]: `---\ndescription: What ${one} needs.\n---\n`,
    [`${folder}/ARTIFACT.md`]: [
      '---',
      'type: command',
      `name: tool-${at}`,
      'version: 1.0.0',
      `description: To ${one} and ${other} a ${third}, number ${at}.`,
      '---',
      'Do it.\n',
    ].join('\n'),
  };
}

function p99(milliseconds: readonly number[]): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

/**
 * Measures the 99th percentile of requests, minus the time of interleaved requests to /healthz: other tests load the
 * machine.
 */
async function p99OfRequests(paths: (at: number) => string): Promise<number> {
  const times: number[] = [];
  const bare: number[] = [];
  let next = 0;
  const time = async (path: string, into: number[]): Promise<void> => {
    const began = performance.now();
    const { status } = await registry.request(path);
    into.push(performance.now() - began);
    expect(status, path).toBe(200);
  };
  const work = async (): Promise<void> => {
    while (next < REQUESTS) {
      await time(paths(next++), times);
      await time('/healthz', bare);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  expect(times).toHaveLength(REQUESTS);
  return p99(times) - p99(bare);
}

/** Timeout for hundreds of sequential requests, also on PostgreSQL and on a busy machine. */
const MANY_REQUESTS_MS = 180_000;

verifies(
  'LIMIT-05',
  'load_domain and searches respond within 200 ms at the 99th percentile',
  async () => {
    const word = (at: number) => WORDS[at % WORDS.length];
    for (const paths of [
      (at: number) => `/v1/load_domain?path=area-${at % 20}`,
      (at: number) => `/v1/search_domains?query=${word(at)}`,
      (at: number) => `/v1/search_artifacts?query=${word(at)}+${word(at + 3)}`,
    ]) {
      expect(await p99OfRequests(paths), paths(0)).toBeLessThan(200);
    }
  },
  { timeout: MANY_REQUESTS_MS },
);

verifies(
  'LIMIT-06',
  'load_artifact responds within 500 ms at the 99th percentile',
  async () => {
    const path = (at: number) => `area-${at % 20}/topic-${at % 7}/tool-${at}`;
    const paths = (at: number) => `/v1/load_artifact?id=${path((at * 7) % ARTIFACTS)}`;
    expect(await p99OfRequests(paths)).toBeLessThan(500);
  },
  { timeout: MANY_REQUESTS_MS },
);

verifies(
  'LIMIT-07',
  'first loads of 10 MB finish within 2 s at the 99th percentile, including the bytes',
  async () => {
    const times: number[] = [];
    for (let round = 1; round <= LARGE_LOADS; round += 1) times.push(await loadLarge(round));
    // With few samples, the 99th percentile is the slowest one.
    expect(p99(times)).toBeLessThan(2000);
  },
  { timeout: MANY_REQUESTS_MS },
);

async function loadLarge(round: number): Promise<number> {
  const id = `large-${round}`;
  const files = Array.from({ length: 5 }, (_, at) =>
    new Uint8Array(2 * MEBIBYTE).fill(round * 10 + at),
  );
  await registry.ingest(
    {
      [`${id}/ARTIFACT.md`]: `---\ntype: context\nname: ${id}\nversion: 1.0.0\ndescription: Large.\n---\nRead it.\n`,
      ...Object.fromEntries(files.map((bytes, at) => [`${id}/file-${at}.bin`, bytes])),
    },
    { id },
  );
  const began = performance.now();
  const { large_resources } = await registry.call(loadArtifact, { query: { id } });
  const sizes = await Promise.all(
    Object.values(large_resources).map(async ({ presigned_url }) => {
      const answer = await fetch(presigned_url);
      return (await answer.arrayBuffer()).byteLength;
    }),
  );
  expect(sizes).toEqual(files.map(({ byteLength }) => byteLength));
  return performance.now() - began;
}
