import { existsSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isInside, realFolder } from './real-folder.ts';

/**
 * Returns the overlay of a workspace. Links are not followed: a clone could turn files outside the workspace into
 * artifacts.
 */
export function workspaceOverlay(workspace: string): string | undefined {
  const overlay = `${workspace}/.catalog/overlay`;
  if (!existsSync(overlay)) return undefined;
  const target = realFolder(overlay);
  if (isInside(target, realFolder(workspace))) return overlay;
  throw new CatalogError(
    'config.invalid',
    `The overlay ${overlay} is a link to ${target}, outside the workspace.`,
    {
      details: { overlay, target },
      suggested_action: `If you trust that folder, name it with CATALOG_OVERLAY_PATH or --overlay. Otherwise remove the link.`,
    },
  );
}
