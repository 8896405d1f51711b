import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { loadLock } from '@catalog/consumer/lock/read-lock';
import type { SyncReport } from '@catalog/consumer/sync/report';
import { runSync } from '@catalog/consumer/sync/run-sync';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { listIngests } from '@catalog/contract/endpoints/layers';
import { adapters } from '@catalog/harness/registry';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { hashTree, listEntries } from '../../../bench/tree.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { writeRandomCatalog, type RandomCatalog } from './random-catalog.ts';

export interface ParityTrial {
  catalogue: RandomCatalog;
  /** Numbers of installed and of rejected artifacts, which are equal on both sides. */
  delivered: number;
  rejected: number;
  /** Differences between server and folder; SPEC-48 requires an empty list. */
  differences: string[];
}

/** True for every third catalog, which contains invalid artifacts. */
export function isFlawed(trial: number): boolean {
  return trial % 3 === 0;
}

/** Compares files, modes, lock rows and rejections of a folder and a server that ingested it. */
export async function tryParity(folder: string, seed: string, trial: number): Promise<ParityTrial> {
  mkdirSync(folder, { recursive: true });
  const random = seededRandom(`parity ${seed} ${trial}`);
  const catalog = writeRandomCatalog(folder, random, { flawed: isFlawed(trial) });
  const harness = random.pick(['none', 'none', ...adapters.keys()]);
  const server = await startRegistry({ settings: { layer_path: catalog.registry }, keep: true });
  try {
    await ingested(server, catalog.layers.length);
    const { here, differences } = await deliverTwice(folder, server, catalog, harness);
    return {
      catalogue: catalog,
      delivered: here.artifacts,
      rejected: here.rejected.length,
      differences: differences.map((line) => `catalogue ${trial}: ${line}`),
    };
  } finally {
    await server.close();
  }
}

export async function tryEveryHarness(
  folder: string,
  catalog: SyncedCatalog,
): Promise<{ harness: string; files: number; differences: string[] }[]> {
  const settings = { layer_path: catalog.registry };
  const server = await startRegistry({ settings, keep: true });
  try {
    await ingested(server, catalog.layers.length);
    const trials = [];
    for (const harness of adapters.keys()) {
      const place = join(folder, harness);
      mkdirSync(place);
      const { here, differences } = await deliverTwice(place, server, catalog, harness);
      const files = [...here.tree.keys()].filter((path) => !path.endsWith('/')).length;
      trials.push({
        harness,
        files,
        differences: differences.map((line) => `${harness}: ${line}`),
      });
    }
    return trials;
  } finally {
    await server.close();
  }
}

type SyncedCatalog = Pick<RandomCatalog, 'registry' | 'overlay' | 'layers'>;

async function deliverTwice(
  folder: string,
  server: RegistryServer,
  catalog: SyncedCatalog,
  harness: string,
): Promise<{ here: Outcome; differences: string[] }> {
  const here = await deliver(folder, 'from-folder', catalog.registry, catalog, harness);
  const there = await deliver(folder, 'from-server', server.url, catalog, harness);
  return { here, differences: compareOutcomes(here, there) };
}

/** Waits until no ingest is pending: an artifact whose parent arrived later is ingested again. */
async function ingested(server: RegistryServer, layers: number): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    const { ingests } = await server.call(listIngests);
    const open = ingests.filter(({ state }) => state === 'queued' || state === 'running');
    quiet = open.length === 0 && ingests.length >= layers ? quiet + 1 : 0;
    await delay(10);
  }
}

interface Outcome {
  tree: Map<string, string>;
  lock: string[];
  rejected: string[];
  artifacts: number;
}

const SYNC = { mode: 'sync', wait_ms: 0, ignore_runtime: true } as const;

async function deliver(
  folder: string,
  name: string,
  registry: string,
  { overlay }: SyncedCatalog,
  harness: string,
): Promise<Outcome> {
  const target = join(folder, name);
  mkdirSync(target);
  const config = loadConfig({
    cwd: target,
    home: join(folder, 'home'),
    env: { CATALOG_REGISTRY: registry, CATALOG_HARNESS: harness },
    flags: {
      ...(overlay === undefined ? {} : { overlay }),
      unsupported: 'skip',
      on_clash: 'qualify',
    },
  });
  try {
    return toOutcome(target, await runSync(config, SYNC));
  } catch (error) {
    // If a catalog cannot be installed, both sides must fail for the same reason.
    if (!(error instanceof CatalogError)) throw error;
    const reason = error.message.replaceAll(target, '<target>');
    return {
      tree: new Map(),
      lock: [],
      rejected: [`failed: ${error.code} ${reason}`],
      artifacts: 0,
    };
  }
}

/** Excluded files: the lock is compared row by row, and the state depends on the machine. */
const OWN_RECORDS = /^\.catalog\/(?:sync\.lock$|state\/)/;

function toOutcome(target: string, report: SyncReport): Outcome {
  const tree = hashTree(target, (path) => !OWN_RECORDS.test(path));
  for (const [path, hash] of tree) {
    tree.set(path, `${(statSync(join(target, path)).mode & 0o777).toString(8)} ${hash}`);
  }
  for (const path of listEntries(target)) if (path.endsWith('/')) tree.set(path, 'folder');
  const { targets, ...lock } = loadLock(target);
  const rows = targets.map((row) => ({ ...row, registry: '' }));
  const [first] = report.targets;
  return {
    tree,
    lock: Object.entries({ ...lock, targets: rows }).flatMap(([kind, all]) =>
      Array.isArray(all) ? all.map((row) => `${kind} ${JSON.stringify(row)}`) : [],
    ),
    rejected: (first?.rejected ?? []).map(({ artifact_id, layer, code, reason }) =>
      JSON.stringify({ artifact_id, layer, code, reason }),
    ),
    artifacts: first?.artifacts.length ?? 0,
  };
}

function compareOutcomes(here: Outcome, there: Outcome): string[] {
  const paths = new Set([...here.tree.keys(), ...there.tree.keys()]);
  const files = [...paths].filter((path) => here.tree.get(path) !== there.tree.get(path));
  return [
    ...files.map((path) => `${path} is ${there.tree.get(path) ?? 'missing'}`),
    ...compareLines('lock', here.lock, there.lock),
    ...compareLines('rejected', here.rejected, there.rejected),
  ];
}

function compareLines(what: string, here: readonly string[], there: readonly string[]): string[] {
  const [ours, theirs] = [new Set(here), new Set(there)];
  const differences = [
    ...here
      .filter((line) => !theirs.has(line))
      .map((line) => `${what} only from the folder: ${line}`),
    ...there
      .filter((line) => !ours.has(line))
      .map((line) => `${what} only from the server: ${line}`),
  ];
  const reordered = differences.length === 0 && here.join('\n') !== there.join('\n');
  return reordered ? [`${what} in another order`] : differences;
}
