import { realFolder } from '../config/real-folder.ts';
import type { ResolvedTarget } from '../config/types.ts';

export function groupByDirectory(
  targets: readonly ResolvedTarget[],
): Map<string, ResolvedTarget[]> {
  return Map.groupBy(
    targets.toSorted((a, b) => (a.directory < b.directory ? -1 : 1)),
    (target) => realFolder(target.directory),
  );
}
