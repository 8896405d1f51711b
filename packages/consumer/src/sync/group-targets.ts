import { realFolder } from '../config/real-folder.ts';
import type { ResolvedTarget } from '../config/types.ts';

/** Targets by the folder they write into; targets of one folder share a lock. */
export function groupByDirectory(
  targets: readonly ResolvedTarget[],
): Map<string, ResolvedTarget[]> {
  return Map.groupBy(
    targets.toSorted((a, b) => (a.directory < b.directory ? -1 : 1)),
    (target) => realFolder(target.directory),
  );
}
