import { existsSync, realpathSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ResolvedTarget } from '../config/types.ts';

/** Targets by the folder they write into; targets of one folder share a lock. */
export function groupByDirectory(
  targets: readonly ResolvedTarget[],
): Map<string, ResolvedTarget[]> {
  const marketplace = targets.find((target) => target.kind === 'marketplace');
  if (marketplace !== undefined) {
    throw new CatalogError(
      'config.invalid',
      `Target ${marketplace.id} is a marketplace target; this version delivers workspace targets only.`,
      { suggested_action: 'Remove the target, or run the others with --harness and --target.' },
    );
  }
  return Map.groupBy(
    targets.toSorted((a, b) => (a.directory < b.directory ? -1 : 1)),
    (target) => realDirectory(target.directory),
  );
}

/** One folder under two names is one folder. */
function realDirectory(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
