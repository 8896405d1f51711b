import type { DecidedCatalog } from '@catalog/core/ingest/decide-snapshots';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { statFolderRegistry, readFolderRegistry } from '@catalog/core/node/read-folder-registry';
import { statLayer, type FingerprintedEntry } from '@catalog/core/node/read-layer';
import { OVERLAY_FOLDER, readOverlay } from './overlay-folder.ts';

const OVERLAY_PREFIX = `${OVERLAY_FOLDER}:`;

export interface FolderReading {
  /** Lowest precedence first; the overlay is last and marked. */
  layers: LayerSnapshot[];
  seen: FingerprintedEntry[];
}

export function readFolder(path: string, overlay: string | undefined): FolderReading {
  const { layers, seen } = readFolderRegistry(path);
  if (overlay === undefined) return { layers, seen };
  const reading = readOverlay(
    overlay,
    layers.map(({ layer }) => layer),
  );
  return {
    layers: [...layers, reading.snapshot],
    seen: [...seen, ...prefixed(reading.seen)],
  };
}

export function statFolder(path: string, overlay: string | undefined): FingerprintedEntry[] {
  const seen = statFolderRegistry(path);
  return overlay === undefined ? seen : [...seen, ...prefixed(statLayer(overlay))];
}

export function seenPath(path: string, overlay: string | undefined, entry: string): string {
  return overlay !== undefined && entry.startsWith(OVERLAY_PREFIX)
    ? `${overlay}/${entry.slice(OVERLAY_PREFIX.length)}`
    : `${path}/${entry}`;
}

/** Uses the rules of ingest, whose code is imported on demand. */
export async function decideFolder({ layers }: FolderReading): Promise<DecidedCatalog> {
  const [{ decideSnapshots }, { harnessCapabilities }] = await Promise.all([
    import('@catalog/core/ingest/decide-snapshots'),
    import('@catalog/harness/registry'),
  ]);
  return decideSnapshots(layers, { capabilities: harnessCapabilities() });
}

function prefixed(seen: readonly FingerprintedEntry[]): FingerprintedEntry[] {
  return seen.map((entry) => ({ ...entry, path: OVERLAY_PREFIX + entry.path }));
}
