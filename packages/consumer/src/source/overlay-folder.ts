import { statSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readLayer, type LayerReading } from '@catalog/core/node/read-layer';

const OVERLAY_LAYER = 'overlay';
export const OVERLAY_FOLDER = '.catalog/overlay';

export function readOverlay(folder: string, layers: Iterable<string>): LayerReading {
  refuseMissing(folder);
  // If a layer has this name, the overlay gets a name that no layer can have.
  const isTaken = new Set(layers).has(OVERLAY_LAYER);
  const { snapshot, seen } = readLayer(folder, isTaken ? OVERLAY_FOLDER : OVERLAY_LAYER);
  return { snapshot: { ...snapshot, overlay: true }, seen };
}

function refuseMissing(overlay: string): void {
  if (statSync(overlay, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new CatalogError('config.invalid', `The overlay ${overlay} is not a folder.`, {
    details: { overlay },
    suggested_action: 'Create it, or unset CATALOG_OVERLAY_PATH and --overlay.',
  });
}
