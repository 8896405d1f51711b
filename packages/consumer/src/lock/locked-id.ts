import type { LockedTarget, LockFile } from './types.ts';

const SINGLE_HARNESS_ID = 'default';

/** Returns the id that a target has in the lock: `default` for a single harness, otherwise its name. */
export function lockedId(
  { id, harness }: Pick<LockedTarget, 'id' | 'harness'>,
  { targets }: Pick<LockFile, 'targets'>,
): string {
  if (targets.some((target) => target.id === id)) return id;
  const other = id === SINGLE_HARNESS_ID ? harness : id === harness ? SINGLE_HARNESS_ID : undefined;
  return targets.find((target) => target.id === other && target.harness === harness)?.id ?? id;
}
