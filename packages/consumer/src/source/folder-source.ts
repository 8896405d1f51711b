import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact } from '@catalog/core/artifact/types';
import type { FingerprintedEntry } from '@catalog/core/node/read-layer';
import type { CatalogListing, CatalogSource } from './catalog-source.ts';
import { decideFolder, statFolder, readFolder, seenPath } from './read-folder.ts';
import { sameSeen } from './same-seen.ts';
import { toEntry } from './to-entry.ts';

/** Opens a folder as a registry, by the rules of a server's ingest (SPEC-48). */
export function openFolderSource(path: string, overlay: string | undefined): CatalogSource {
  let seen: FingerprintedEntry[] = [];
  let artifacts = new Map<string, Artifact>();

  return {
    registry: path,
    list: async () => {
      const reading = readFolder(path, overlay);
      const decided = await decideFolder(reading);
      const { effectiveView } = await import('@catalog/core/view/effective-view');
      const view = effectiveView(
        decided.artifacts,
        reading.layers.map((layer) => layer.layer),
      );
      seen = reading.seen;
      artifacts = new Map(view.map((artifact) => [artifact.id, artifact]));
      const listing = toListing(view, decided);
      const on_top = reading.layers.find((layer) => layer.overlay === true);
      if (on_top === undefined) return listing;
      const { listExtending } = await import('./overlay-on-served.ts');
      return { ...listing, overlay_layer: on_top.layer, extending: listExtending(on_top) };
    },
    load: async (ids) => ids.map((id) => loadFrom(artifacts, id)),
    stamp: () => ({ seen, revision: '' }),
    isCurrent: async (stamps) => {
      const current = statFolder(path, overlay);
      const locate = (entry: string): string => seenPath(path, overlay, entry);
      return stamps.every((stamp) => sameSeen(stamp.seen, current, locate));
    },
  };
}

function toListing(
  view: readonly Artifact[],
  { rejected, advisories }: Pick<CatalogListing, 'rejected' | 'advisories'>,
): CatalogListing {
  return { entries: view.map(toEntry), rejected, advisories };
}

function loadFrom(artifacts: ReadonlyMap<string, Artifact>, id: string): Artifact {
  const artifact = artifacts.get(id);
  if (artifact === undefined) {
    throw new CatalogError('registry.not_found', `Artifact not found in this registry: ${id}.`, {
      details: { id },
    });
  }
  return artifact;
}
