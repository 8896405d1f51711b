import { setTimeout as delay } from 'node:timers/promises';
import { artifactRecord, type ArtifactRecord } from '@catalog/contract/records/artifact';
import { syncManifest } from '@catalog/contract/records/discovery';
import { acceptedIngest, ingestJob, ingestJobs } from '@catalog/contract/records/ingest';
import { layerList } from '@catalog/contract/records/layer';
import { bytesHash, contentHash, type HashedFile } from '@catalog/core/artifact/content-hash';
import { sendAndExpect } from './client.ts';
import { isPossible, type History, type LayerState } from './history.ts';
import { revisionOf } from './source.ts';
import { deliver, type WorkloadState } from './workload.ts';

const TIMEOUT_MS = 30_000;

export async function findFaults(url: string, surroundings: WorkloadState): Promise<string[]> {
  const { history } = surroundings;
  const checks = [
    () => checkLayers(url, history),
    () => checkJobs(url, history),
    () => checkDeliveries(url, surroundings),
    () => checkServed(url),
    () => checkPublished(url, history.published),
  ];
  const faults: string[] = [];
  for (const check of checks) {
    // A response that stops a check is a fault too.
    faults.push(...(await check().catch((error: unknown) => [String(error)])));
  }
  return faults;
}

/** Accepts an acknowledged state, or the state of the one request without a response. */
export async function checkLayers(url: string, history: History): Promise<string[]> {
  const readState = await readStates(url);
  const faults: string[] = [];
  for (const [id, possible] of history.layers) {
    const state = readState(id);
    if (!isPossible(state, possible)) {
      faults.push(`layer ${id} is ${JSON.stringify(state)}, not ${JSON.stringify(possible)}`);
    }
    history.layers.set(id, [state]);
  }
  return faults;
}

export async function readStates(url: string): Promise<(id: string) => LayerState> {
  const live = await sendAndExpect(`${url}/v1/layers`, [200, layerList]);
  const deleted = await sendAndExpect(`${url}/v1/layers?deleted=true`, [200, layerList]);
  return (id) =>
    stateOf(id, live.layers, 'live') ??
    stateOf(id, deleted.layers, 'deleted') ?? { kind: 'absent' };
}

function stateOf(
  id: string,
  layers: readonly { id: string; public: boolean }[],
  kind: 'live' | 'deleted',
): LayerState | undefined {
  const layer = layers.find((one) => one.id === id);
  return layer && { kind, public: layer.public };
}

/** Checks that every acknowledged job succeeds, and that no other job remains pending or running. */
async function checkJobs(url: string, { jobs, interrupted }: History): Promise<string[]> {
  const faults: string[] = [];
  const give_up_at = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { ingests } = await sendAndExpect(`${url}/v1/layers/ingests`, [200, ingestJobs]);
    for (const { job, attempts } of ingests) if (attempts > 1) interrupted.add(job);
    const open = ingests.filter(({ state }) => state === 'queued' || state === 'running');
    if (open.length === 0) break;
    if (performance.now() > give_up_at) {
      faults.push(`stuck: ${open.map(({ job, state }) => `${job} ${state}`).join(', ')}`);
      break;
    }
    await delay(20);
  }
  for (const job of jobs) {
    const { state, error } = await sendAndExpect(`${url}/v1/ingests/${job}`, [200, ingestJob]);
    if (state !== 'done') faults.push(`job ${job} is ${state}: ${error?.message ?? ''}`);
  }
  jobs.clear();
  return faults;
}

/** Accepts the pushed edition or a newer one. Repeating a delivery must return the same job. */
async function checkDeliveries(
  url: string,
  { history, webhook }: WorkloadState,
): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, job, edition } of history.deliveries.splice(0)) {
    const again = await deliver(url, webhook, id);
    if (again?.status !== 202 || acceptedIngest.parse(again.body).job !== job) {
      faults.push(`${id} again answered ${JSON.stringify(again)}, not ${job}`);
    }
    const { version } = await sendAndExpect(`${url}/v1/load_artifact?id=${edition.path}`, [
      200,
      artifactRecord,
    ]);
    if (revisionOf(version) < edition.revision) {
      faults.push(`${id} was acknowledged, and ${version} is served`);
    }
    history.published.add(`${edition.path}@${version}`);
  }
  return faults;
}

async function checkServed(url: string): Promise<string[]> {
  const faults: string[] = [];
  const { artifacts } = await sendAndExpect(`${url}/v1/sync/manifest`, [200, syncManifest]);
  for (const { id, version, content_hash } of artifacts) {
    const record = await sendAndExpect(`${url}/v1/load_artifact?id=${id}&version=${version}`, [
      200,
      artifactRecord,
    ]);
    const hash = contentHash(await filesOf(record));
    if (hash !== content_hash || record.content_hash !== content_hash) {
      faults.push(`${id}@${version} is not what it was announced as`);
    }
  }
  return faults;
}

async function filesOf(record: ArtifactRecord): Promise<HashedFile[]> {
  const texts: [string, string][] = Object.entries(record.resources);
  if (record.manifest_body !== undefined) texts.push(['ARTIFACT.md', record.manifest_body]);
  const files = texts.map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
    executable: record.executable?.includes(path) === true,
  }));
  for (const [path, { presigned_url, content_hash }] of Object.entries(record.large_resources)) {
    const response = await fetch(presigned_url);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytesHash(bytes) !== content_hash) throw new Error(`${presigned_url} is not whole`);
    files.push({ path, bytes, executable: false });
  }
  return files;
}

/** Checks that every version that was reported as ingested can still be loaded with its exact pin. */
export async function checkPublished(url: string, published: Iterable<string>): Promise<string[]> {
  const faults: string[] = [];
  for (const key of published) {
    const [id = '', version = ''] = key.split('@');
    const response = await fetch(`${url}/v1/load_artifact?id=${id}&version=${version}`, {
      method: 'HEAD',
    });
    if (response.status !== 200) faults.push(`${key} was acknowledged and is gone`);
  }
  return faults;
}
