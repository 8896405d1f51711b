import type { SyncManifest } from '@catalog/contract/records/discovery';
import { checkMinServerVersion } from '@catalog/core/version/min-server-version';
import type { Connection } from '@catalog/sdk/connection';
import { getManifest, readManifest, type ManifestResponse } from '@catalog/sdk/sync-calls';
import { getCachedManifest, putCachedManifest, type Viewer } from '../cache/manifest-cache.ts';
import type { CacheMode } from '../config/cache-modes.ts';
import type { MinServerVersion } from '../config/types.ts';
import { viewerOf } from '../identity/subject-of.ts';
import { cacheMiss } from './connect.ts';
import { isUnreachable } from './is-unreachable.ts';

export interface ServedView {
  manifest: SyncManifest;
  /** ETag of the view; empty without one. */
  revision: string;
}

export interface ViewReader {
  /** Loads the current view. Sends no request if `isCurrent` has just fetched it. */
  load(signal?: AbortSignal): Promise<ServedView>;
  isCurrent(revision: string, signal?: AbortSignal): Promise<boolean>;
}

export interface ViewOptions {
  connection: Connection;
  cache_folder: string;
  min_server_versions: readonly MinServerVersion[];
  /** Cache mode; if undefined, an unreachable registry is an error. */
  cache_mode: CacheMode | undefined;
  subject: (signal?: AbortSignal) => Promise<string>;
}

const MAX_VERSION = 32;

export function openViewReader({
  connection,
  cache_folder,
  min_server_versions,
  cache_mode,
  subject,
}: ViewOptions): ViewReader {
  let prefetched: ServedView | undefined;

  async function fetchManifest(known: string, signal?: AbortSignal): Promise<ManifestResponse> {
    const answer = await getManifest(connection, known, signal);
    for (const { version, place } of min_server_versions) {
      const running = answer.server_version?.slice(0, MAX_VERSION) ?? 'nothing';
      checkMinServerVersion(version, place, running, `the registry at ${connection.registry}`);
    }
    return answer;
  }

  /** The caller is identified every time, because a user may sign in or out between two runs. */
  async function identifyViewer(signal?: AbortSignal): Promise<Viewer> {
    const token = await connection.tokens.token(signal);
    return { registry: connection.registry, subject: viewerOf(token) };
  }

  function keep(
    { manifest, etag, bytes }: ManifestResponse & { kind: 'manifest' },
    viewer: Viewer,
  ): ServedView {
    if (etag !== '') putCachedManifest(cache_folder, viewer, { etag, bytes });
    return { manifest, revision: etag };
  }

  function getCached(viewer: Viewer): ServedView | undefined {
    const cached = getCachedManifest(cache_folder, viewer);
    const manifest = cached === undefined ? undefined : readManifest(cached.bytes);
    if (cached === undefined || manifest === undefined) return undefined;
    return { manifest, revision: cached.etag };
  }

  async function loadNow(signal?: AbortSignal): Promise<ServedView> {
    const viewer = await identifyViewer(signal);
    const cached = getCached(viewer);
    const answer = await fetchManifest(cached?.revision ?? '', signal);
    if (answer.kind === 'manifest') return keep(answer, viewer);
    // "Unchanged" refers to the cached view.
    return cached ?? { manifest: { artifacts: [], rejected: [] }, revision: '' };
  }

  async function isCurrentNow(revision: string, signal?: AbortSignal): Promise<boolean> {
    const viewer = await identifyViewer(signal);
    const answer = await fetchManifest(revision, signal);
    if (answer.kind === 'manifest') prefetched = keep(answer, viewer);
    return answer.kind === 'unchanged';
  }

  /** Returns the cached response if the mode allows it (CACHE-05, CACHE-06). */
  async function withCacheFallback<T>(
    online: () => Promise<T>,
    offline: (cached: ServedView) => T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const getOwn = async (): Promise<ServedView | undefined> =>
      getCached({ registry: connection.registry, subject: await subject(signal) });
    if (cache_mode === 'offline-only') {
      const cached = await getOwn();
      if (cached === undefined) throw cacheMiss('the manifest of the registry');
      return offline(cached);
    }
    try {
      return await online();
    } catch (error) {
      signal?.throwIfAborted();
      if (cache_mode !== 'offline-first' || !isUnreachable(error)) throw error;
      const cached = await getOwn();
      if (cached === undefined) throw error;
      return offline(cached);
    }
  }

  return {
    load: async (signal) => {
      const view = prefetched;
      prefetched = undefined;
      if (view !== undefined) return view;
      return withCacheFallback(
        () => loadNow(signal),
        (cached) => cached,
        signal,
      );
    },
    isCurrent: (revision, signal) =>
      withCacheFallback(
        () => isCurrentNow(revision, signal),
        (cached) => cached.revision === revision,
        signal,
      ),
  };
}
