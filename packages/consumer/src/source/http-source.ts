import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Artifact } from '@catalog/core/artifact/types';
import { statLayer, type FingerprintedEntry } from '@catalog/core/node/read-layer';
import type { CacheMode } from '../config/cache-modes.ts';
import type { MinServerVersion, SigningSettings } from '../config/types.ts';
import type { Viewer } from '../cache/manifest-cache.ts';
import type {
  CatalogEntry,
  CatalogListing,
  CatalogSource,
  ListVersions,
} from './catalog-source.ts';
import { connect } from './connect.ts';
import { readOverlay } from './overlay-folder.ts';
import { sameSeen } from './same-seen.ts';
import { openViewReader, type ServedView } from './served-view.ts';
import type { ApprovedTokens } from '../trust/approve-tokens.ts';
import type { SourceOptions } from './source-options.ts';
import { toEntry } from './to-entry.ts';

export interface HttpSourceOptions extends Omit<SourceOptions, 'signIn'> {
  registry: string;
  overlay: string | undefined;
  cache_folder: string;
  min_server_versions: readonly MinServerVersion[];
  proxy: Readonly<Record<string, string>>;
  tokens?: ApprovedTokens | undefined;
  cache_mode: CacheMode | undefined;
  object_hosts: readonly string[];
  subject: (signal?: AbortSignal) => Promise<string>;
  signing: SigningSettings;
  home: string;
}

/**
 * Opens a registry over HTTP. One request returns the manifest, or reports that the cached one is current. Only bodies
 * that are not cached are loaded, in batches.
 */
export function openHttpSource(options: HttpSourceOptions): CatalogSource {
  const { overlay, cache_folder } = options;
  const connection = connect(options);
  const view = openViewReader({ ...options, connection });
  let stamp: { seen: FingerprintedEntry[]; revision: string } = { seen: [], revision: '' };
  let entries = new Map<string, CatalogEntry>();
  let artifacts = new Map<string, Artifact>();

  const identifyViewer = async (signal?: AbortSignal): Promise<Viewer> => ({
    registry: connection.registry,
    subject: await options.subject(signal),
  });

  /** The code is imported when needed, because a sync without changes does not use it. */
  async function loadEntries(
    wanted: readonly CatalogEntry[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, Artifact>> {
    if (wanted.length === 0) return new Map();
    const { loadServed } = await import('./load-served.ts');
    const onProgress = (done: number, total: number): void => options.onLoad?.(done, total);
    const { openSignatureVerifier } = await import('../signing/signature-verifier.ts');
    const verifier = openSignatureVerifier({ ...options, connection, viewer: identifyViewer });
    return loadServed(wanted, { connection, cache_folder, verifier, onProgress }, signal);
  }

  async function composeOverlay(
    folder: string,
    served: CatalogListing,
    signal: AbortSignal | undefined,
  ): Promise<CatalogListing> {
    const layers = [...served.entries, ...served.rejected].map(({ layer }) => layer);
    const { snapshot, seen } = readOverlay(folder, layers);
    stamp = { ...stamp, seen };
    const { decideOverlay, listExtending } = await import('./overlay-on-served.ts');
    const decided = await decideOverlay(snapshot, {
      ...served,
      load: (wanted) => loadEntries(wanted, signal),
      listVersions: (id) => listVersions(id, signal),
    });
    artifacts = new Map(decided.artifacts.map((artifact) => [artifact.id, artifact]));
    return {
      entries: [
        ...served.entries.filter(({ id }) => !artifacts.has(id)),
        ...decided.artifacts.map(toEntry),
      ].sort((a, b) => compareBytes(a.id, b.id)),
      rejected: inOrder([...served.rejected, ...decided.rejected]),
      advisories: decided.advisories,
      registry_rules: served.registry_rules ?? [],
      overlay_layer: snapshot.layer,
      extending: listExtending(snapshot),
    };
  }

  const listVersions: ListVersions = async (id, signal) => {
    const { openClient } = await import('@catalog/sdk/client');
    return (await openClient(connection).listVersions({ id }, signal)).versions;
  };

  return {
    registry: connection.registry,
    viewer: options.subject,
    list: async (signal) => {
      const served = await view.load(signal);
      stamp = { seen: [], revision: served.revision };
      artifacts = new Map();
      const below = toListing(served);
      const listing = overlay === undefined ? below : await composeOverlay(overlay, below, signal);
      entries = new Map(listing.entries.map((entry) => [entry.id, entry]));
      return listing;
    },
    load: async (ids, signal) => {
      const missing = ids.filter((id) => !artifacts.has(id));
      const wanted = missing.flatMap((id) => entries.get(id) ?? []);
      const loaded = await loadEntries(wanted, signal);
      for (const [id, artifact] of loaded) artifacts.set(id, artifact);
      return ids.flatMap((id) => artifacts.get(id) ?? []);
    },
    listVersions,
    stamp: () => stamp,
    isCurrent: async (stamps, signal) => {
      const revisions = new Set(stamps.map(({ revision }) => revision));
      const [revision = ''] = revisions;
      if (revisions.size !== 1 || revision === '') return false;
      const seen = overlay === undefined ? [] : statLayer(overlay);
      const locate = (entry: string): string => `${overlay ?? ''}/${entry}`;
      return (
        stamps.every((one) => sameSeen(one.seen, seen, locate)) &&
        (await view.isCurrent(revision, signal))
      );
    },
  };
}

function toListing({ manifest }: ServedView): CatalogListing {
  return {
    entries: manifest.artifacts,
    // Only the ingest report of a registry contains positions in files.
    rejected: inOrder(manifest.rejected.map((row) => ({ ...row, diagnostics: [] }))),
    advisories: [],
    ...(manifest.executable_content === undefined
      ? {}
      : { registry_rules: manifest.executable_content }),
  };
}

/** Sorts rejected artifacts by id; layers keep their order. */
function inOrder(rejected: CatalogListing['rejected']): CatalogListing['rejected'] {
  return rejected.sort((a, b) => compareBytes(a.artifact_id, b.artifact_id));
}
