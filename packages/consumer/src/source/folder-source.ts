import { statSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact } from '@catalog/core/artifact/types';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { lookAtFolderRegistry, readFolderRegistry } from '@catalog/core/node/read-folder-registry';
import { lookAtLayer, readLayer, type SeenEntry } from '@catalog/core/node/read-layer';
import { sameSeen } from './same-seen.ts';
import type { CatalogListing, CatalogSource } from './catalog-source.ts';

/** The name of the overlay's layer in views, reports and the lock. */
export const OVERLAY_LAYER = 'overlay';

const OVERLAY_PREFIX = '.catalog/overlay:';

/** Everything a folder registry and its overlay hold, read once. */
interface Reading {
  layers: LayerSnapshot[];
  seen: SeenEntry[];
}

/** A folder as a registry: the same decisions as a server's ingest, with no server (decision 48). */
export function openFolderSource(path: string, overlay: string | undefined): CatalogSource {
  let seen: SeenEntry[] = [];
  let artifacts = new Map<string, Artifact>();

  return {
    registry: path,
    list: async () => {
      const reading = readAll(path, overlay);
      // Only a listing decides; a look that finds nothing changed need not load what does.
      const [{ decideSnapshots }, { effectiveView }, { harnessCapabilities }] = await Promise.all([
        import('@catalog/core/ingest/decide-snapshots'),
        import('@catalog/core/view/effective-view'),
        import('@catalog/harness/registry'),
      ]);
      const decided = decideSnapshots(reading.layers, { capabilities: harnessCapabilities() });
      const view = effectiveView(
        decided.artifacts,
        reading.layers.map((layer) => layer.layer),
      );
      seen = reading.seen;
      artifacts = new Map(view.map((artifact) => [artifact.id, artifact]));
      return toListing(view, decided);
    },
    load: async (ids) => ids.map((id) => loadFrom(artifacts, id)),
    stamp: () => ({ seen }),
    isCurrent: async (stamp) =>
      sameSeen(stamp.seen, lookAtAll(path, overlay), (entry) => absolute(path, overlay, entry)),
  };
}

function readAll(path: string, overlay: string | undefined): Reading {
  const { layers, seen } = readFolderRegistry(path);
  if (overlay === undefined) return { layers, seen };
  refuseMissingOverlay(overlay);
  const reading = readLayer(overlay, OVERLAY_LAYER);
  return {
    layers: [...layers, { ...reading.snapshot, overlay: true }],
    seen: [...seen, ...prefixed(reading.seen)],
  };
}

function lookAtAll(path: string, overlay: string | undefined): SeenEntry[] {
  const seen = lookAtFolderRegistry(path);
  return overlay === undefined ? seen : [...seen, ...prefixed(lookAtLayer(overlay))];
}

function prefixed(seen: readonly SeenEntry[]): SeenEntry[] {
  return seen.map((entry) => ({ ...entry, path: OVERLAY_PREFIX + entry.path }));
}

function absolute(path: string, overlay: string | undefined, entry: string): string {
  return overlay !== undefined && entry.startsWith(OVERLAY_PREFIX)
    ? `${overlay}/${entry.slice(OVERLAY_PREFIX.length)}`
    : `${path}/${entry}`;
}

function refuseMissingOverlay(overlay: string): void {
  if (statSync(overlay, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new CatalogError('config.invalid', `The overlay ${overlay} is not a folder.`, {
    details: { overlay },
    suggested_action: 'Create it, or unset CATALOG_OVERLAY_PATH and --overlay.',
  });
}

function toListing(
  view: readonly Artifact[],
  decided: Pick<CatalogListing, 'rejected' | 'advisories'>,
): CatalogListing {
  return {
    entries: view.map((artifact) => ({
      id: artifact.id,
      type: artifact.type,
      version: artifact.version,
      layer: artifact.layer,
      content_hash: artifact.content_hash,
      deprecated: artifact.fields.deprecated === true,
    })),
    rejected: decided.rejected,
    advisories: decided.advisories,
  };
}

function loadFrom(artifacts: ReadonlyMap<string, Artifact>, id: string): Artifact {
  const artifact = artifacts.get(id);
  if (artifact === undefined) {
    throw new CatalogError('registry.not_found', `There is no artifact ${id} in this registry.`, {
      details: { id },
    });
  }
  return artifact;
}
