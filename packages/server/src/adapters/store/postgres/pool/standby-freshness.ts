import type { ProbeResult } from './probe.ts';

export interface PrimaryPosition {
  position: number;
  at_ms: number;
}

/**
 * Computes up to what time a standby has all data, in monotonic time: the later of the last time when it had replayed
 * everything flushed by the primary, and the commit time of its last transaction. The commit time alone would make the
 * standby of an idle primary seem hours old. While the primary is unavailable, the result does not change.
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
