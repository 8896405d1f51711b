import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Artifact, PackageFile } from '@catalog/core/artifact/types';
import type { Connection } from '@catalog/sdk/connection';
import { download } from '@catalog/sdk/sync-calls';
import type { PackageCache } from '../cache/package-cache.ts';
import type { CachedFile } from '../cache/package-record.ts';
import type { CatalogEntry } from './catalog-source.ts';
import { hashMismatch, rebuildArtifact, type ServedFile } from './served-package.ts';

export interface Loading {
  connection: Connection;
  cache: PackageCache;
}

export interface Unfetched {
  kind: 'unfetched';
  path: string;
  cause: unknown;
}

export type FetchResult = { kind: 'taken'; artifact: Artifact } | Unfetched;
type Fetched = { kind: 'bytes'; bytes: Uint8Array } | Unfetched;

export async function fetchPackage(
  entry: CatalogEntry,
  served: readonly ServedFile[],
  { connection, cache }: Loading,
  signal: AbortSignal,
  onFile: (done: number, total: number) => void = () => undefined,
): Promise<FetchResult> {
  const whole: PackageFile[] = [];
  for (const file of served) {
    const { path, executable } = file;
    const got: Fetched =
      file.kind === 'inline'
        ? { kind: 'bytes', bytes: file.bytes }
        : await fetchLarge(entry, file, connection, cache, signal);
    if (got.kind === 'unfetched') return got;
    whole.push({ path, executable, bytes: got.bytes });
    onFile(whole.length, served.length);
  }
  const rebuilt = rebuildArtifact(entry, whole);
  if (rebuilt.kind === 'other') throw hashMismatch(entry, rebuilt.received);
  cache.put(entry.content_hash, served);
  return { kind: 'taken', artifact: rebuilt.artifact };
}

async function fetchLarge(
  entry: CatalogEntry,
  file: ServedFile & { kind: 'large' },
  connection: Connection,
  cache: PackageCache,
  signal: AbortSignal,
): Promise<Fetched> {
  const { content_hash, path } = file;
  const cached = cache.getBlob(content_hash);
  if (cached !== undefined) return { kind: 'bytes', bytes: cached };
  let bytes: Uint8Array;
  try {
    bytes = await download(connection, file, signal);
  } catch (cause) {
    signal.throwIfAborted();
    return { kind: 'unfetched', path, cause };
  }
  if (bytesHash(bytes) !== content_hash) throw hashMismatch(entry, bytesHash(bytes));
  cache.putBlob(content_hash, bytes);
  return { kind: 'bytes', bytes };
}

/** Loads a package from the cache. A corrupt one counts as missing. */
export function loadCachedPackage(
  entry: CatalogEntry,
  files: readonly CachedFile[] | undefined,
  cache: PackageCache,
): Artifact | undefined {
  const whole = files === undefined ? undefined : toWhole(files, cache);
  if (whole === undefined) return undefined;
  const rebuilt = rebuildArtifact(entry, whole);
  if (rebuilt.kind === 'ok') return rebuilt.artifact;
  cache.discard(entry.content_hash);
  return undefined;
}

function toWhole(files: readonly CachedFile[], cache: PackageCache): PackageFile[] | undefined {
  const whole: PackageFile[] = [];
  for (const file of files) {
    const bytes = file.kind === 'inline' ? file.bytes : cache.getBlob(file.content_hash);
    if (bytes === undefined) return undefined;
    whole.push({ path: file.path, executable: file.executable, bytes });
  }
  return whole;
}

export function notFetched(
  { id, version }: CatalogEntry,
  { path, cause }: Unfetched,
): CatalogError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CatalogError(
    'materialize.fetch_failed',
    `The file ${path} of ${id} ${version} could not be downloaded. ${reason}`,
    {
      details: { artifact_id: id, version, path },
      cause,
      ...(cause instanceof CatalogError && cause.code === 'materialize.fetch_failed'
        ? { suggested_action: cause.suggested_action }
        : {}),
    },
  );
}
