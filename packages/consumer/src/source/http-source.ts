import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Artifact } from '@catalog/core/artifact/types';
import { lookAtLayer, type SeenEntry } from '@catalog/core/node/read-layer';
import type { CacheMode } from '../config/cache-modes.ts';
import type { MinServerVersion } from '../config/types.ts';
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
  /** The address of the registry. */
  registry: string;
  overlay: string | undefined;
  cache_folder: string;
  min_server_versions: readonly MinServerVersion[];
  proxy: Readonly<Record<string, string>>;
  /** Whose view it is; everybody's without. */
  tokens?: ApprovedTokens | undefined;
  cache_mode: CacheMode | undefined;
  object_hosts: readonly string[];
  /** Whose view a cache holds, found out without any network. */
  subject: (signal?: AbortSignal) => Promise<string>;
}

/**
 * A registry over HTTP. One manifest request says what there is, or that nothing has changed since a
 * manifest that is at hand; bodies come in batches, and only those that no cache holds.
 */
export function openHttpSource(options: HttpSourceOptions): CatalogSource {
  const { overlay, cache_folder } = options;
  const connection = connect(options);
  const view = openViewReader({ ...options, connection });
  let stamp: { seen: SeenEntry[]; revision: string } = { seen: [], revision: '' };
  let entries = new Map<string, CatalogEntry>();
  let artifacts = new Map<string, Artifact>();

  /** A run that finds nothing new does not even load what loads. */
  async function loadEntries(
    wanted: readonly CatalogEntry[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, Artifact>> {
    if (wanted.length === 0) return new Map();
    const { loadServed } = await import('./load-served.ts');
    const onProgress = (done: number, total: number): void => options.onLoad?.(done, total);
    return loadServed(wanted, { connection, cache_folder, onProgress }, signal);
  }

  /** Artifacts of the overlay take the place of served ones; they need no loading. */
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
      const seen = overlay === undefined ? [] : lookAtLayer(overlay);
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
    // Where in its files an author finds the reason, the report of the ingest tells.
    rejected: inOrder(manifest.rejected.map((row) => ({ ...row, diagnostics: [] }))),
    advisories: [],
    ...(manifest.executable_content === undefined
      ? {}
      : { registry_rules: manifest.executable_content }),
  };
}

/** By artifact; of one artifact, the lowest layer first, as the registry lists them. */
function inOrder(rejected: CatalogListing['rejected']): CatalogListing['rejected'] {
  return rejected.sort((a, b) => compareBytes(a.artifact_id, b.artifact_id));
}
