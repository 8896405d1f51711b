import type { LockedTarget, LockFile } from './types.ts';

const SINGLE_HARNESS_ID = 'default';

/**
 * Returns the id of the same target in the lock. The id of a single harness is `default`, and that of
 * one of several is its name.
 */
export function lockedId(
  { id, harness }: Pick<LockedTarget, 'id' | 'harness'>,
  { targets }: Pick<LockFile, 'targets'>,
): string {
  if (targets.some((target) => target.id === id)) return id;
  const other = id === SINGLE_HARNESS_ID ? harness : id === harness ? SINGLE_HARNESS_ID : undefined;
  return targets.find((target) => target.id === other && target.harness === harness)?.id ?? id;
}
