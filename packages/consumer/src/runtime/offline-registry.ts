import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type {
  DomainMapRecord,
  DomainSearchResponse,
  SearchResponse,
} from '@catalog/contract/records/discovery';
import { parsePin, resolvePin } from '@catalog/core/version/pin';
import type { Viewer } from '../cache/manifest-cache.ts';
import { openPackageCache } from '../cache/package-cache.ts';
import type { IndexedArtifact } from '../cache/response-index.ts';
import { mapInMemory } from '../discover/map-in-memory.ts';
import {
  searchDomainsInMemory,
  searchInMemory,
  type ArtifactQuery,
  type DomainQuery,
} from '../discover/search-in-memory.ts';
import { loadCachedPackage } from '../source/fetch-package.ts';
import type { SignatureVerifier } from '../signing/signature-verifier.ts';
import type { ListedArtifact } from './listed-artifact.ts';
import { toLoaded } from './loaded-artifact.ts';
import { openOfflineViews } from './offline-view.ts';
import type { LoadedArtifact } from './runtime-registry.ts';

/** Operations on a cached view; undefined results mean that the cache has no data. */
export interface OfflineRegistry {
  loadDomain(
    viewer: Viewer,
    input: { path?: string; depth?: number },
  ): Promise<DomainMapRecord | undefined>;
  searchDomains(viewer: Viewer, input: DomainQuery): DomainSearchResponse | undefined;
  searchArtifacts(viewer: Viewer, input: ArtifactQuery): Promise<SearchResponse | undefined>;
  loadArtifact(
    viewer: Viewer,
    input: { id: string; version?: string },
  ): Promise<LoadedArtifact | undefined>;
  /** Lists artifacts whose files are cached, by id. */
  listArtifacts(viewer: Viewer): readonly ListedArtifact[];
  listVersions(viewer: Viewer, id: string): readonly IndexedArtifact[];
}

export function openOfflineRegistry(
  cache_folder: string,
  verifier: SignatureVerifier,
): OfflineRegistry {
  const viewOf = openOfflineViews(cache_folder);

  return {
    loadDomain: async (viewer, input) => {
      const view = viewOf(viewer);
      if (view.artifacts.length === 0) return undefined;
      try {
        return await mapInMemory(view, input);
      } catch (error) {
        // Only the registry knows whether the domain exists.
        if (error instanceof CatalogError && error.code === 'domain.not_found') return undefined;
        throw error;
      }
    },
    searchDomains: (viewer, input) => {
      const { artifacts, domains } = viewOf(viewer);
      if (artifacts.length === 0) return undefined;
      return searchDomainsInMemory(domains, input);
    },
    searchArtifacts: async (viewer, input) => {
      const { artifacts } = viewOf(viewer);
      if (artifacts.length === 0) return undefined;
      return searchInMemory([{ name: '', artifacts }], input);
    },
    loadArtifact: async (viewer, { id, version = '' }) => {
      const known = viewOf(viewer).versions.get(id) ?? [];
      const candidates = known.map((seen, place) => ({ ...seen, ingest_order: -place }));
      const pin = parsePin(version);
      const found = pin.kind === 'latest' ? known[0] : resolvePin(pin, candidates);
      if (found === undefined) return undefined;
      const cache = openPackageCache(cache_folder);
      const files = cache.get([found.content_hash]).get(found.content_hash);
      const artifact = loadCachedPackage(found, files, cache);
      if (artifact === undefined) return undefined;
      await verifier.verify([{ entry: found, artifact, bundle: undefined }]);
      return toLoaded(found, artifact);
    },
    listArtifacts: (viewer) => viewOf(viewer).artifacts,
    listVersions: (viewer, id) => viewOf(viewer).versions.get(id) ?? [],
  };
}
