import { readManifest } from '@catalog/sdk/sync-calls';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Domain } from '@catalog/core/domain/read-domain';
import { getCacheFile, listPart } from '../cache/cache-folder.ts';
import { listDomainNotes } from '../cache/domain-notes.ts';
import { getCachedManifest, viewerName, type Viewer } from '../cache/manifest-cache.ts';
import { openPackageCache } from '../cache/package-cache.ts';
import {
  listIndexEntries,
  getIndexStamp,
  type IndexedArtifact,
  type IndexEntry,
} from '../cache/response-index.ts';
import type { SearchedArtifact } from '../discover/search-in-memory.ts';
import { loadCachedPackage } from '../source/fetch-package.ts';

export interface OfflineView {
  /** Artifacts whose complete package is cached, by id. */
  artifacts: readonly SearchedArtifact[];
  domains: readonly Domain[];
  /** All versions that the viewer loaded, the latest of each id first. */
  versions: ReadonlyMap<string, readonly IndexedArtifact[]>;
}

/** Opens views of the cache, which are read again only if the cache has changed. */
export function openOfflineViews(cache_folder: string): (viewer: Viewer) => OfflineView {
  let last: { stamp: string; view: OfflineView } | undefined;
  return (viewer) => {
    const stamp = stampOf(cache_folder, viewer);
    if (last?.stamp !== stamp) last = { stamp, view: readView(cache_folder, viewer) };
    return last.view;
  };
}

function stampOf(folder: string, viewer: Viewer): string {
  const manifest = getCacheFile(folder, 'manifests', viewerName(viewer));
  const packs = listPart(folder, 'packs').map(({ name }) => name);
  return JSON.stringify([viewer, getIndexStamp(folder, viewer), manifest, packs]);
}

function readView(folder: string, viewer: Viewer): OfflineView {
  const versions = listVersions(folder, viewer);
  const latest = [...versions.values()].flatMap(([first]) => first ?? []);
  const cache = openPackageCache(folder);
  const packages = cache.get(latest.map(({ content_hash }) => content_hash));
  const artifacts = latest.flatMap((entry) => {
    const artifact = loadCachedPackage(entry, packages.get(entry.content_hash), cache);
    if (artifact === undefined) return [];
    const { id, type, version, name, description, fields } = artifact;
    // Files are read when needed, because all of them would not fit in memory.
    return [{ id, type, version, name, description, fields }];
  });
  return {
    artifacts: artifacts.sort((a, b) => compareBytes(a.id, b.id)),
    domains: listDomainNotes(folder, viewer).map(({ path, description, keywords }) => ({
      path,
      layer: '',
      fields: { description, discovery: { keywords: [...keywords] } },
      body: '',
    })),
    versions,
  };
}

/** Lists versions by id. Of several records, the most recent one determines the latest version. */
function listVersions(folder: string, viewer: Viewer): Map<string, IndexedArtifact[]> {
  const manifest = getCachedManifest(folder, viewer);
  const listed = manifest === undefined ? undefined : readManifest(manifest.bytes)?.artifacts;
  const rows: IndexEntry[] = listIndexEntries(folder, viewer);
  for (const artifact of listed ?? []) {
    const seen_at = manifest?.seen_at ?? 0;
    rows.push({ id: artifact.id, asked: 'latest', seen_at, kind: 'served', artifact });
  }
  const versions = new Map<string, IndexedArtifact[]>();
  for (const [id, of] of Map.groupBy(rows, (row) => row.id)) {
    const byTime = of.toSorted((a, b) => b.seen_at - a.seen_at);
    const latest = byTime.find(({ asked }) => asked === 'latest');
    if (latest?.kind === 'gone') continue;
    const ordered = latest === undefined ? byTime : [latest, ...byTime];
    versions.set(id, uniqueVersions(ordered));
  }
  return versions;
}

function uniqueVersions(rows: readonly IndexEntry[]): IndexedArtifact[] {
  const unique = new Map<string, IndexedArtifact>();
  for (const row of rows) {
    if (row.kind === 'served' && !unique.has(row.artifact.content_hash)) {
      unique.set(row.artifact.content_hash, row.artifact);
    }
  }
  return [...unique.values()];
}
