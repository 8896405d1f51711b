import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface OverlayPlaces {
  /** `CATALOG_OVERLAY_PATH`, absolute. */
  named: string | undefined;
  /** The folders the host works in. */
  roots: readonly string[];
  /** The workspace the server was started in. */
  workspace: string;
  /** Throws if a folder is another user's workspace. */
  refuseForeign: (workspace: string) => void;
}

/** The folder whose artifacts stand above the registry's (ENV-04); looked for at every call. */
export function overlayFolder({
  named,
  roots,
  workspace,
  refuseForeign,
}: OverlayPlaces): string | undefined {
  if (named !== undefined) return named;
  const places = roots.length > 0 ? roots : [workspace];
  const place = places.find((root) => existsSync(join(root, '.catalog/overlay')));
  if (place === undefined) return undefined;
  refuseForeign(place);
  return join(place, '.catalog/overlay');
}
