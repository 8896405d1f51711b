import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { VersionList } from '@catalog/contract/records/artifact';
import { loadServed } from '../source/load-served.ts';
import type { IndexedArtifact } from '../cache/response-index.ts';
import { openListVersions } from './list-versions.ts';
import type { OfflineRegistry } from './offline-registry.ts';
import type { OnlineOptions } from './online-registry.ts';
import type { BaseRegistry } from './open-overlay.ts';
import { withinTime } from './within-time.ts';

export function openBelow({
  connection,
  cache_folder,
  viewer,
  limits,
  verifier,
  offline,
}: OnlineOptions & { offline: OfflineRegistry }): BaseRegistry {
  const { registry } = connection;
  const listVersions = openListVersions({ connection, limits });
  return {
    listVersions: async (id, signal) => {
      try {
        return await listVersions(id, signal);
      } catch (error) {
        if (!isNetwork(error)) throw error;
        return offline.listVersions(await viewer(signal), id).map(toVersion);
      }
    },
    load: (entries, signal) =>
      withinTime(registry, limits.discovery_ms, signal, (own, onProgress) =>
        loadServed(entries, { connection, cache_folder, verifier, onProgress }, own),
      ),
  };
}

function isNetwork(error: unknown): boolean {
  return error instanceof CatalogError && error.code.startsWith('network.');
}

function toVersion(seen: IndexedArtifact, place: number): VersionList['versions'][number] {
  const { version, layer, content_hash, deprecated } = seen;
  const latest = place === 0;
  return { version, layer, content_hash, deprecated, withdrawn: false, latest, ingested_at: '' };
}
