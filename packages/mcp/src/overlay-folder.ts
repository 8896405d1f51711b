import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface OverlayPlaces {
  /** `CATALOG_OVERLAY_PATH`, absolute. */
  named: string | undefined;
  /** The folders the host works in. */
  roots: readonly string[];
  /** The workspace the server was started in. */
  workspace: string;
}

/** The folder whose artifacts stand above the registry's (ENV-04); looked for at every call. */
export function overlayFolder({ named, roots, workspace }: OverlayPlaces): string | undefined {
  if (named !== undefined) return named;
  const places = roots.length > 0 ? roots : [workspace];
  return places.map((root) => join(root, '.catalog/overlay')).find((folder) => existsSync(folder));
}
