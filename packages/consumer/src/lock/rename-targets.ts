import { isOfTarget } from '../config/configured-target.ts';
import type { Config, ResolvedTarget } from '../config/types.ts';
import { isLoadedBy } from './loaded-owner.ts';
import { lockedId } from './locked-id.ts';
import type { LockFile } from './types.ts';

/**
 * Moves the rows of renamed targets to the new ids. A target is renamed if it has no rows and the lock has a target of
 * the same harness that is no longer configured. Otherwise a sync would treat its artifacts as removed (SPEC-73).
 */
export function renameTargets(
  lock: LockFile,
  running: readonly Pick<ResolvedTarget, 'id' | 'harness'>[],
  { configured_targets }: Pick<Config, 'configured_targets'>,
): LockFile {
  const known = new Set(running.map((target) => lockedId(target, lock)));
  const former = lock.targets.filter(
    ({ id }) =>
      !known.has(id) &&
      !isLoadedBy(id) &&
      !configured_targets.some((listed) => isOfTarget(id, listed)),
  );
  const names = new Map<string, string>();
  for (const { id, harness } of running) {
    if (lock.targets.some((target) => target.id === lockedId({ id, harness }, lock))) continue;
    const renamed = former.find((target) => target.harness === harness && !names.has(target.id));
    if (renamed !== undefined) names.set(renamed.id, id);
  }
  if (names.size === 0) return lock;
  const rename = <Row extends { target: string }>(rows: readonly Row[]): Row[] =>
    rows.map((row) => ({ ...row, target: names.get(row.target) ?? row.target }));
  return {
    ...lock,
    targets: lock.targets.map((target) => ({ ...target, id: names.get(target.id) ?? target.id })),
    artifacts: rename(lock.artifacts),
    files: rename(lock.files),
    entries: rename(lock.entries),
    pre_existing: rename(lock.pre_existing),
  };
}
