import type { Look } from './probe.ts';

/** How far a primary had come at a moment. */
export interface Mark {
  position: number;
  at_ms: number;
}

/**
 * The moment as of which a standby is known to have everything, on a clock that only moves forward.
 *
 * It is the later of two: when it was last seen to have replayed all that the primary had flushed, and
 * when the last transaction it has was committed. The second alone would call a standby of a quiet
 * primary hours old; the first alone would not notice that one which this process cannot compare goes
 * on. Once the primary is gone nothing can be compared any more, and the moment stays where it was: the
 * lag grows by a second each second, since nobody can tell what the primary took after the last contact.
 */
export function currentSince(
  before_ms: number | undefined,
  look: Extract<Look, { kind: 'standby' }>,
  looked_ms: number,
  marks: readonly Mark[],
): number {
  const reached = marks.filter(({ position }) => position <= look.position);
  return Math.max(
    before_ms ?? Number.NEGATIVE_INFINITY,
    looked_ms - look.behind_ms,
    ...reached.map(({ at_ms }) => at_ms),
  );
}
