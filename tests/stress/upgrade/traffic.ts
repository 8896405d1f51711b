import { setTimeout as pause } from 'node:timers/promises';
import { writeTree } from '@catalog/testkit/temporary-folder';

/** The artifact that every ingest publishes in a new version. */
export const ARTIFACT = 'ops/a';
export const LAYER = 'base';

const PATHS = [
  `/v1/load_artifact?id=${ARTIFACT}`,
  '/v1/search_artifacts?query=changes',
  '/v1/load_domain?path=ops',
  '/v1/sync/manifest',
  '/v1/catalog',
  '/readyz',
];

export interface Counts {
  reads: number;
  ingests: number;
}

export interface Traffic {
  /**
   * Ends when some requests after `work` have succeeded. Counts successful requests that overlapped
   * with `work`.
   */
  during(url: string, work: () => Promise<unknown>): Promise<Counts>;
  counts: Counts;
  published: readonly string[];
  problems: string[];
}

/** Minimum number of successful reads and ingests in each phase. */
const MIN_READS = 30;
const MIN_INGESTS = 4;

export function openTraffic(folder: string): Traffic {
  const counts: Counts = { reads: 0, ingests: 0 };
  /** Start and end of each successful request. */
  const times: Record<keyof Counts, [number, number][]> = { reads: [], ingests: [] };
  const published: string[] = [];
  const problems: string[] = [];

  async function request(url: string, init?: RequestInit): Promise<string | undefined> {
    try {
      const response = await fetch(url, init);
      const body = await response.text();
      if (response.ok) return body;
      problems.push(`${url}: ${response.status} ${body}`);
    } catch (error) {
      problems.push(`${url}: ${String(error)}`);
    }
    return undefined;
  }

  async function keepReading(url: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted && problems.length === 0) {
      for (const path of PATHS) {
        const start = performance.now();
        if ((await request(url + path)) !== undefined) count('reads', start);
      }
    }
  }

  function count(kind: keyof Counts, start: number): void {
    counts[kind] += 1;
    times[kind].push([start, performance.now()]);
  }

  async function publish(url: string): Promise<void> {
    const version = `1.0.${published.length}`;
    writeVersion(folder, version);
    const start = performance.now();
    const report = await request(`${url}/v1/layers/reingest?id=${LAYER}`, { method: 'POST' });
    if (report === undefined) return;
    published.push(version);
    count('ingests', start);
    const latest = await request(`${url}/v1/load_artifact?id=${ARTIFACT}`);
    if (latest?.includes(`"version":"${version}"`) === false) {
      problems.push(`the ingest of ${version} was acknowledged, but latest is ${latest}`);
    }
  }

  async function keepWriting(url: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted && problems.length === 0) await publish(url);
  }

  return {
    counts,
    published,
    problems,
    async during(url, work) {
      await publish(url);
      const stop = new AbortController();
      const clients = [
        keepReading(url, stop.signal),
        keepReading(url, stop.signal),
        keepWriting(url, stop.signal),
      ];
      const start = performance.now();
      let end = start;
      try {
        await work();
        end = performance.now();
        const { reads, ingests } = counts;
        const isEnough = (): boolean =>
          counts.reads >= reads + MIN_READS && counts.ingests >= ingests + MIN_INGESTS;
        while (!isEnough() && problems.length === 0) await pause(10);
      } finally {
        stop.abort();
        await Promise.all(clients);
      }
      const countDuring = (kind: keyof Counts): number =>
        times[kind].filter(([from, to]) => from < end && to > start).length;
      return { reads: countDuring('reads'), ingests: countDuring('ingests') };
    },
  };
}

export function writeVersion(folder: string, version: string): void {
  writeTree(folder, {
    [`${ARTIFACT}/ARTIFACT.md`]: `---\ntype: rule\nversion: ${version}\ndescription: What changes.\n---\nDo it.\n`,
  });
}
