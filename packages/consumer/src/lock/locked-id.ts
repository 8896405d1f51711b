import type { LockedTarget, LockFile } from './types.ts';

/** The id of the target of the plain command, where one harness is all there is. */
const ALONE = 'default';

/**
 * The id under which a lock has a target. One harness by itself is `default` and among several goes by
 * its name, so what one run delivered as the first is found by the next as the second.
 */
export function lockedId(
  { id, harness }: Pick<LockedTarget, 'id' | 'harness'>,
  { targets }: Pick<LockFile, 'targets'>,
): string {
  if (targets.some((target) => target.id === id)) return id;
  const other = id === ALONE ? harness : id === harness ? ALONE : undefined;
  return targets.find((target) => target.id === other && target.harness === harness)?.id ?? id;
}
