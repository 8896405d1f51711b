import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { BATCH_LOAD_MAX_IDS } from '@catalog/contract/limits';
import type { BatchItem } from '@catalog/contract/records/artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import { inParallel } from '@catalog/core/in-parallel';
import type { Connection } from '@catalog/sdk/connection';
import { loadBatch } from '@catalog/sdk/sync-calls';
import { BodyTooLarge } from '@catalog/sdk/unreachable';
import { openPackageCache, type PackageCache } from '../cache/package-cache.ts';
import type { ReceivedArtifact, SignatureVerifier } from '../signing/signature-verifier.ts';
import type { CatalogEntry } from './catalog-source.ts';
import { filesOf } from './served-package.ts';
import {
  notFetched,
  loadCachedPackage,
  fetchPackage,
  type Loading,
  type FetchResult,
} from './fetch-package.ts';

/** Number of concurrent batches, so that the registry always has work. */
const PARALLEL_BATCHES = 4;

export interface LoadingOptions {
  connection: Connection;
  cache_folder: string;
  verifier: SignatureVerifier;
  onProgress: (done: number, total: number) => void;
}

/**
 * Loads artifacts by id and verifies their hashes. Those that are not cached are requested with the hashes of the
 * manifest, so that list and content agree even if artifacts are published meanwhile. An interrupted load resumes,
 * because loaded ones are cached.
 */
export async function loadServed(
  entries: readonly CatalogEntry[],
  { connection, cache_folder, verifier, onProgress }: LoadingOptions,
  signal?: AbortSignal,
): Promise<Map<string, Artifact>> {
  const cache = openPackageCache(cache_folder);
  const loaded = new Map<string, Artifact>();
  const bundles = new Map<string, unknown>();
  const missing = takeFromCache(entries, cache, loaded);
  if (missing.length > 0) await loadMissing();
  await verifier.verify(toReceived(entries, loaded, bundles), signal);
  return loaded;

  async function loadMissing(): Promise<void> {
    const options = { parallel: PARALLEL_BATCHES, signal };
    onProgress(loaded.size, entries.length);
    try {
      await inParallel(splitIntoBatches(missing), options, async (batch, either) => {
        for (const [artifact, bundle] of await loadBatched(batch, { connection, cache }, either)) {
          loaded.set(artifact.id, artifact);
          bundles.set(artifact.id, bundle);
        }
        onProgress(loaded.size, entries.length);
      });
    } finally {
      cache.flush();
    }
  }
}

function toReceived(
  entries: readonly CatalogEntry[],
  loaded: ReadonlyMap<string, Artifact>,
  bundles: ReadonlyMap<string, unknown>,
): ReceivedArtifact[] {
  return entries.flatMap((entry) => {
    const artifact = loaded.get(entry.id);
    return artifact === undefined ? [] : [{ entry, artifact, bundle: bundles.get(entry.id) }];
  });
}

/** Adds cached artifacts to the result and returns the others. */
function takeFromCache(
  entries: readonly CatalogEntry[],
  cache: PackageCache,
  loaded: Map<string, Artifact>,
): CatalogEntry[] {
  const cached = cache.get(entries.map(({ content_hash }) => content_hash));
  return entries.filter((entry) => {
    const artifact = loadCachedPackage(entry, cached.get(entry.content_hash), cache);
    if (artifact !== undefined) loaded.set(entry.id, artifact);
    return artifact === undefined;
  });
}

function splitIntoBatches(entries: readonly CatalogEntry[]): CatalogEntry[][] {
  const batches: CatalogEntry[][] = [];
  for (let start = 0; start < entries.length; start += BATCH_LOAD_MAX_IDS) {
    batches.push(entries.slice(start, start + BATCH_LOAD_MAX_IDS));
  }
  return batches;
}

async function loadBatched(
  entries: readonly CatalogEntry[],
  loading: Loading,
  signal: AbortSignal,
): Promise<[Artifact, bundle: unknown][]> {
  const items = await loadItems(entries, loading, signal);
  const artifacts: [Artifact, bundle: unknown][] = [];
  for (const entry of entries) {
    const fetched = await takeItem(entry, items.get(entry.id), loading, signal);
    const artifact =
      fetched.kind === 'taken' ? fetched.artifact : await retryWithNewUrls(entry, loading, signal);
    const item = items.get(entry.id);
    artifacts.push([artifact, item?.status === 'ok' ? item.signature : undefined]);
  }
  return artifacts;
}

/** Loads a batch. If the response is too large, loads it in two halves. */
async function loadItems(
  entries: readonly CatalogEntry[],
  loading: Loading,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, BatchItem>> {
  try {
    return await loadAtOnce(entries, loading, signal);
  } catch (error) {
    const isTooLarge = error instanceof CatalogError && error.cause instanceof BodyTooLarge;
    if (!isTooLarge || entries.length === 1) throw error;
    const half = Math.ceil(entries.length / 2);
    const first = await loadItems(entries.slice(0, half), loading, signal);
    return new Map([...first, ...(await loadItems(entries.slice(half), loading, signal))]);
  }
}

async function loadAtOnce(
  entries: readonly CatalogEntry[],
  { connection }: Loading,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, BatchItem>> {
  const items = await loadBatch(
    connection,
    {
      ids: entries.map(({ id }) => id),
      // A pin by hash returns the exact content of the manifest, or an error.
      version_pins: Object.fromEntries(entries.map(({ id, content_hash }) => [id, content_hash])),
    },
    signal,
  );
  return new Map(items.map((item) => [item.id, item]));
}

/** Retries once with new URLs: they expire within minutes, and earlier downloads may take longer. */
async function retryWithNewUrls(
  entry: CatalogEntry,
  loading: Loading,
  signal: AbortSignal,
): Promise<Artifact> {
  const items = await loadItems([entry], loading, signal);
  const fetched = await takeItem(entry, items.get(entry.id), loading, signal);
  if (fetched.kind === 'unfetched') throw notFetched(entry, fetched);
  return fetched.artifact;
}

async function takeItem(
  entry: CatalogEntry,
  item: BatchItem | undefined,
  loading: Loading,
  signal: AbortSignal,
): Promise<FetchResult> {
  if (item?.status !== 'ok') throw notLoaded(entry, item?.error.message ?? 'it was omitted');
  return fetchPackage(entry, filesOf(item), loading, signal);
}

/** Creates the error for a missing version. Published versions stay loadable, so the view must have changed. */
function notLoaded({ id, version }: CatalogEntry, reason: string): CatalogError {
  return new CatalogError(
    'materialize.fetch_failed',
    `The registry listed ${id} ${version} but did not return it: ${reason}`,
    {
      details: { artifact_id: id, version },
      suggested_action: "Run again: the registry's content has probably changed in the meantime.",
    },
  );
}
