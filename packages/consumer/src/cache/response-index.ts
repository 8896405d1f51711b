import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { isRecord } from '../identity/stored-tokens.ts';
import type { CatalogEntry } from '../source/catalog-source.ts';
import { now } from '../clock.ts';
import {
  getCacheFile,
  listPart,
  markUsed,
  partPath,
  removeCacheFile,
  writeCacheFile,
} from './cache-folder.ts';
import { viewerName, type Viewer } from './manifest-cache.ts';

export interface IndexedArtifact extends CatalogEntry {
  replaced_by?: string;
  deprecation_warning?: string;
}

export type IndexEntry = {
  id: string;
  asked: 'latest' | 'version';
  seen_at: number;
} & ({ kind: 'served'; artifact: IndexedArtifact } | { kind: 'gone' });

/** Records a response to a caller (SPEC-65) in its own file, so that other processes never read a partial write. */
export function recordServed(
  folder: string,
  viewer: Viewer,
  artifact: IndexedArtifact,
  request_kind: 'latest' | 'version',
): void {
  const { id, version } = artifact;
  const row: IndexEntry = { id, asked: 'version', seen_at: now(), kind: 'served', artifact };
  write(folder, viewer, [id, version], row);
  if (request_kind === 'latest') write(folder, viewer, [id], { ...row, asked: request_kind });
}

export function recordNotFound(folder: string, viewer: Viewer, id: string, version: string): void {
  if (version === '') write(folder, viewer, [id], gone(id));
  else removeCacheFile(folder, { part: 'index', name: nameOf(viewer, [id, version]) });
}

function gone(id: string): IndexEntry {
  return { id, asked: 'latest', seen_at: now(), kind: 'gone' };
}

/** Lists the responses to a viewer. */
export function listIndexEntries(folder: string, viewer: Viewer): IndexEntry[] {
  return listNames(folder, viewer).flatMap((name) => {
    const row = readRow(partPath(folder, 'index', name));
    if (row !== undefined) markUsed(folder, getCacheFile(folder, 'index', name));
    return row ?? [];
  });
}

export function getIndexStamp(folder: string, viewer: Viewer): string {
  const start = `${viewerName(viewer)}.`;
  return listPart(folder, 'index')
    .filter(({ name }) => name.startsWith(start))
    .map(({ name, used_at }) => `${name} ${used_at}`)
    .sort()
    .join('\n');
}

export function removeIndexEntries(folder: string, viewer: Viewer): void {
  for (const name of listNames(folder, viewer)) removeCacheFile(folder, { part: 'index', name });
}

function listNames(folder: string, viewer: Viewer): string[] {
  const start = `${viewerName(viewer)}.`;
  return listPart(folder, 'index').flatMap(({ name }) => (name.startsWith(start) ? [name] : []));
}

function write(folder: string, viewer: Viewer, key: readonly string[], row: IndexEntry): void {
  writeCacheFile(folder, 'index', nameOf(viewer, key), Buffer.from(JSON.stringify(row)));
}

function nameOf(viewer: Viewer, key: readonly string[]): string {
  const hash = bytesHash(JSON.stringify(key)).slice('sha256:'.length);
  return `${viewerName(viewer)}.${hash}`;
}

function readRow(path: string): IndexEntry | undefined {
  try {
    const row: unknown = JSON.parse(readRegularFile(path, MAX_TEXT_BYTES).toString('utf8'));
    return isRow(row) ? row : undefined;
  } catch {
    return undefined;
  }
}

function isRow(value: unknown): value is IndexEntry {
  if (!isRecord(value) || typeof value['id'] !== 'string') return false;
  if (typeof value['seen_at'] !== 'number') return false;
  if (value['asked'] !== 'latest' && value['asked'] !== 'version') return false;
  return (
    value['kind'] === 'gone' || (value['kind'] === 'served' && isIndexedArtifact(value['artifact']))
  );
}

const TEXTS = ['id', 'type', 'version', 'layer', 'content_hash'] as const;

function isIndexedArtifact(value: unknown): boolean {
  return isRecord(value) && TEXTS.every((name) => typeof value[name] === 'string');
}
