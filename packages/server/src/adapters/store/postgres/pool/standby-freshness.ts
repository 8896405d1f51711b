import type { ProbeResult } from './probe.ts';

export interface PrimaryPosition {
  position: number;
  at_ms: number;
}

/**
 * Returns the monotonic time as of which a standby has all data: the later of the last time when it had
 * replayed everything that the primary had flushed, and the commit time of its last transaction. With
 * the second alone, the standby of an idle primary would seem hours old. With the first alone, progress
 * of a standby that cannot be compared would be missed. While the primary is unavailable, the time does
 * not change: later writes to it are unknown.
 */
export function computeFreshness(
  before_ms: number | undefined,
  look: Extract<ProbeResult, { kind: 'standby' }>,
  looked_ms: number,
  marks: readonly PrimaryPosition[],
): number {
  const reached = marks.filter(({ position }) => position <= look.position);
  return Math.max(
    before_ms ?? Number.NEGATIVE_INFINITY,
    looked_ms - look.behind_ms,
    ...reached.map(({ at_ms }) => at_ms),
  );
}
