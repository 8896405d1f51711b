import type { CacheMode } from '../config/cache-modes.ts';
import type { Viewer } from '../cache/manifest-cache.ts';
import { cacheMiss } from '../source/connect.ts';
import { isUnreachable } from '../source/is-unreachable.ts';
import type { OfflineRegistry } from './offline-registry.ts';
import type { Offline, RuntimeRegistry } from './runtime-registry.ts';

export interface ServedOptions {
  mode: CacheMode;
  online: RuntimeRegistry;
  offline: OfflineRegistry;
  viewer: (signal?: AbortSignal) => Promise<Viewer>;
}

const FROM_CACHE: Offline = { status: 'offline', served_from_cache: true };

interface RegistryRequest<T> {
  online: () => Promise<T>;
  offline: (viewer: Viewer) => T | undefined | Promise<T | undefined>;
  /** Empty response; undefined if there is none for the operation. */
  empty: T | undefined;
  what: string;
  details?: { artifact_id: string; version?: string };
}

/**
 * Opens a registry that uses the cache when it is unreachable, depending on the mode (CACHE-01 to CACHE-07, SPEC-43,
 * SPEC-65).
 */
export function openServedRegistry({
  mode,
  online,
  offline,
  viewer,
}: ServedOptions): RuntimeRegistry {
  async function runRequest<T extends object>(
    registry_request: RegistryRequest<T>,
    signal: AbortSignal | undefined,
  ): Promise<T & Offline> {
    if (mode === 'offline-only') {
      const cached = await registry_request.offline(await viewer(signal));
      if (cached === undefined) throw cacheMiss(registry_request.what, registry_request.details);
      return { ...cached, ...FROM_CACHE };
    }
    try {
      return await registry_request.online();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isUnreachable(error)) throw error;
      const cached = await registry_request.offline(await viewer(signal));
      if (cached !== undefined)
        return mode === 'offline-first' ? cached : { ...cached, ...FROM_CACHE };
      if (mode === 'always-revalidate' || registry_request.empty === undefined) throw error;
      return { ...registry_request.empty, status: 'offline' };
    }
  }

  return {
    loadDomain: (input, signal) => {
      const { path = '' } = input;
      return runRequest(
        {
          online: () => online.loadDomain(input, signal),
          offline: (who) => offline.loadDomain(who, input),
          empty: { path, description: '', keywords: [], subdomains: [], notable: [] },
          what: path === '' ? 'the domain map' : `the domain ${path}`,
        },
        signal,
      );
    },
    searchDomains: (input, signal) =>
      runRequest(
        {
          online: () => online.searchDomains(input, signal),
          offline: (who) => offline.searchDomains(who, input),
          empty: { query: input.query ?? '', total_matched: 0, domains: [] },
          what: 'anything to search',
        },
        signal,
      ),
    searchArtifacts: (input, signal) =>
      runRequest(
        {
          online: () => online.searchArtifacts(input, signal),
          offline: (who) => offline.searchArtifacts(who, input),
          empty: { query: input.query ?? '', total_matched: 0, results: [] },
          what: 'anything to search',
        },
        signal,
      ),
    loadArtifact: (input, signal) => {
      const { id, version } = input;
      return runRequest(
        {
          online: () => online.loadArtifact(input, signal),
          offline: (who) => offline.loadArtifact(who, input),
          empty: undefined,
          what: version === undefined ? id : `${id} ${version}`,
          details: { artifact_id: id, ...(version === undefined ? {} : { version }) },
        },
        signal,
      );
    },
  };
}
