import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { errorEnvelope } from '@catalog/contract/errors/envelope';
import { artifactRecord } from '@catalog/contract/records/artifact';
import { ingestReport } from '@catalog/contract/records/ingest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { runSync } from '@catalog/consumer/sync/run-sync';
import { writeArtifact } from '../serve-kill/source.ts';
import type { StoreFault } from './faults.ts';
import { LAYER, type Stage } from './stage.ts';

const TIMEOUT_MS = 90_000;
const LARGE_FILE = 'assets/model.txt';
/** Above the limit for uploads in one part. */
const IN_PARTS_BYTES = 17 * 1024 * 1024;
const WHOLE_BYTES = 400_000;

export interface Edition {
  id: string;
  version: string;
  large: string;
}

/** Returns a new edition; the large file of some is uploaded in parts. */
export function nextEdition(number: number): Edition {
  const index = number % 6;
  const size = number % 9 === 4 ? IN_PARTS_BYTES : WHOLE_BYTES;
  const line = `edition ${number} of model ${index}\n`;
  return {
    id: `ops/model-${index}`,
    version: `1.0.${number}`,
    large: line.repeat(Math.ceil(size / line.length)),
  };
}

export function publish({ source }: Stage, { id, version, large }: Edition): void {
  writeArtifact(source, id, {
    [LARGE_FILE]: large,
    'ARTIFACT.md': `---\ntype: rule\nversion: ${version}\nrule_mode: always\ndescription: Which model to use in ${id}.\n---\nUse it.\n`,
  });
}

/** Ingests the layer; it must succeed completely, or fail with the specified error code. */
export async function ingest({ url }: Stage): Promise<{ code: string | undefined }> {
  const answer = await fetch(`${url}/v1/layers/reingest?id=${LAYER}`, {
    method: 'POST',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body: unknown = await answer.json();
  if (answer.status !== 200) return { code: errorEnvelope.parse(body).code };
  const { rejected, lint_failures, conflicts } = ingestReport.parse(body);
  const problems = [...rejected, ...lint_failures, ...conflicts];
  if (problems.length > 0) throw new Error(`not taken: ${JSON.stringify(problems[0])}`);
  return { code: undefined };
}

export async function findMissingBytes(
  stage: Stage,
  id: string,
  version = '',
): Promise<{ faults: string[]; version: string | undefined }> {
  const query = new URLSearchParams({ id, ...(version === '' ? {} : { version }) });
  const answer = await fetch(`${stage.url}/v1/load_artifact?${query.toString()}`);
  const body: unknown = await answer.json();
  if (answer.status === 404) return { faults: [], version: undefined };
  const record = artifactRecord.parse(body);
  const faults = Object.values(record.large_resources).flatMap(({ content_hash }) =>
    stage.readStored(content_hash) === content_hash
      ? []
      : [`${id} ${record.version} is served and its bytes are not in the store`],
  );
  return { faults, version: record.version };
}

/** Accepts the right bytes, an error with its code, or a closed connection. */
export async function findServedFaults({ url }: Stage, { large }: Edition): Promise<string[]> {
  const hash = bytesHash(large);
  let answer: Response;
  let bytes: Uint8Array;
  try {
    answer = await fetch(`${url}/objects/${hash}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    bytes = new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    return error instanceof TypeError ? [] : [`/objects: ${String(error)}`];
  }
  if (answer.status === 200) {
    return bytesHash(bytes) === hash ? [] : ['/objects served other bytes as whole'];
  }
  const { code } = errorEnvelope.parse(JSON.parse(Buffer.from(bytes).toString()));
  return code === 'registry.unavailable' ? [] : [`/objects answered ${code}`];
}

/** Accepts the right files, or an error with its code and without files. */
export async function findSyncedFaults(
  { url }: Stage,
  folder: string,
  served: readonly Edition[],
): Promise<{ faults: string[]; code: string | undefined }> {
  const target = join(folder, 'workspace');
  const home = join(folder, 'consumer');
  for (const path of [target, home]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  }
  const env = { CATALOG_REGISTRY: url, CATALOG_HARNESS: 'none' };
  const config = loadConfig({ cwd: target, home, env, flags: {} });
  let code: string | undefined;
  try {
    await runSync(config, { mode: 'sync', wait_ms: 0 });
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    code = error.code;
  }
  const faults = served.flatMap(({ id, large }) => {
    const found = readIfThere(join(target, id, LARGE_FILE));
    if (found === undefined) return code === undefined ? [`a sync left ${id} out`] : [];
    if (code !== undefined) return [`a sync that failed with ${code} wrote ${id}`];
    return found === large ? [] : [`a sync wrote other bytes for ${id}`];
  });
  return { faults, code };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const STORE_FAILED = 'ingest.resource_store_failed';
const SYNC_CODES = new Set(['materialize.fetch_failed', 'materialize.content_hash_mismatch']);

export interface TrialOutcome {
  faults: string[];
  ingest: 'taken' | 'refused';
  sync: 'written' | 'refused';
}

/** Requests an edition in every way. After the store recovers, the same requests must succeed. */
export async function runTrial(
  stage: Stage,
  folder: string,
  fault: StoreFault,
  edition: Edition,
  served: Map<string, Edition>,
): Promise<TrialOutcome> {
  const faults: string[] = [];
  await stage.play(fault);
  publish(stage, edition);
  const { code } = await ingest(stage);
  if (code === undefined) served.set(edition.id, edition);
  else if (code !== STORE_FAILED) faults.push(`the ingest ended with ${code}`);
  if (fault.harmless === true && code !== undefined) faults.push('a slow store was given up');
  for (const id of new Set([...served.keys(), edition.id])) {
    const found = await findMissingBytes(stage, id);
    faults.push(...found.faults);
    if (found.version !== served.get(id)?.version)
      faults.push(`${id} is served in another version`);
  }
  for (const one of served.values()) faults.push(...(await findServedFaults(stage, one)));
  const synced = await findSyncedFaults(stage, folder, [...served.values()]);
  faults.push(...synced.faults);
  if (synced.code !== undefined && (fault.harmless === true || !SYNC_CODES.has(synced.code))) {
    faults.push(`the sync ended with ${synced.code}`);
  }
  await stage.play(undefined);
  faults.push(...(await recover(stage, folder, edition, served)));
  return {
    faults,
    ingest: code === undefined ? 'taken' : 'refused',
    sync: synced.code === undefined ? 'written' : 'refused',
  };
}

export async function recover(
  stage: Stage,
  folder: string,
  edition: Edition,
  served: Map<string, Edition>,
): Promise<string[]> {
  const { code } = await ingest(stage);
  if (code !== undefined) return [`the ingest failed with ${code} when the store was well again`];
  served.set(edition.id, edition);
  const { faults, code: problem } = await findSyncedFaults(stage, folder, [...served.values()]);
  if (problem !== undefined) faults.push(`the sync failed with ${problem} when the store was well`);
  return faults;
}
