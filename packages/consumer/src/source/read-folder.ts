import type { DecidedCatalog } from '@catalog/core/ingest/decide-snapshots';
import type { LayerSnapshot } from '@catalog/core/layer/types';
import { statFolderRegistry, readFolderRegistry } from '@catalog/core/node/read-folder-registry';
import { statLayer, type FingerprintedEntry } from '@catalog/core/node/read-layer';
import { OVERLAY_FOLDER, readOverlay } from './overlay-folder.ts';

const OVERLAY_PREFIX = `${OVERLAY_FOLDER}:`;

export interface FolderReading {
  /** Layers, lowest precedence first; the overlay comes last. */
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

/** Decides which artifacts of a folder are valid, by the rules of an ingest. Its code is imported when needed. */
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
