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

interface Counts {
  reads: number;
  ingests: number;
}

/** Clients that read and ingest without a pause, and what they received. */
export interface Traffic {
  /** Publishes a version, then sends requests until `work` has ended and more of them have succeeded. */
  during<Result>(url: string, work: () => Promise<Result>): Promise<Result>;
  counts: Counts;
  /** Requests that succeeded while `work` ran. */
  overlap: Counts;
  /** Versions whose ingest was acknowledged. */
  published: readonly string[];
  problems: string[];
}

/** Reads and ingests that must succeed in each phase. */
const MIN_READS = 30;
const MIN_INGESTS = 4;

/** Opens clients that edit a layer in a folder. */
export function openTraffic(folder: string): Traffic {
  const counts: Counts = { reads: 0, ingests: 0 };
  const overlap: Counts = { reads: 0, ingests: 0 };
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
      for (const path of PATHS) if ((await request(url + path)) !== undefined) counts.reads += 1;
    }
  }

  async function publish(url: string): Promise<void> {
    const version = `1.0.${published.length}`;
    writeVersion(folder, version);
    const report = await request(`${url}/v1/layers/reingest?id=${LAYER}`, { method: 'POST' });
    if (report === undefined) return;
    published.push(version);
    counts.ingests += 1;
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
    overlap,
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
      try {
        const before = { ...counts };
        const result = await work();
        const { reads, ingests } = counts;
        overlap.reads += reads - before.reads;
        overlap.ingests += ingests - before.ingests;
        const isEnough = (): boolean =>
          counts.reads >= reads + MIN_READS && counts.ingests >= ingests + MIN_INGESTS;
        while (!isEnough() && problems.length === 0) await pause(10);
        return result;
      } finally {
        stop.abort();
        await Promise.all(clients);
      }
    },
  };
}

/** Writes a version of the artifact to the folder of the layer. */
export function writeVersion(folder: string, version: string): void {
  writeTree(folder, {
    [`${ARTIFACT}/ARTIFACT.md`]: `---\ntype: rule\nversion: ${version}\ndescription: What changes.\n---\nDo it.\n`,
  });
}
