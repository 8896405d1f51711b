import type { Look } from '../pool/probe.ts';

/** What follows from the probes so far. */
export interface Standing {
  mode: 'ready' | 'read_only';
  /** The place of the server that takes writes, or did when it was last seen. */
  primary: number;
  /** The highest timeline of a server that took writes: one below it was left behind by a promotion. */
  timeline: number;
  /** Probes in a row that found no primary. */
  failures: number;
  /** Probes in a row that found one. */
  successes: number;
  /** The places of servers that take writes beside the primary; nobody may write to those. */
  rivals: readonly number[];
  /** Whether any server responded to the last probe. */
  responds: boolean;
}

/** Probes in a row that end read-only mode (SPEC-35). */
export const SUCCESSES_TO_RETURN = 3;

/**
 * What is true after one more probe of every server. Whichever server takes writes is the primary: a
 * promoted standby needs no restart of anybody. Of two, the one that was promoted later is; the same
 * timeline twice is a copy, and the one that was primary stays it. One that was left behind is never
 * the primary again, also while its successor does not answer: what it took would be lost.
 *
 * Read-only mode needs a standby that answers. Without one there is nothing to read from, and the
 * registry is not read-only but gone.
 */
export function decideStanding(
  before: Standing,
  looks: readonly Look[],
  probe_failures: number,
): Standing {
  const writable = looks.flatMap((look, at) => (look.kind === 'writable' ? [at] : []));
  const timeline = Math.max(before.timeline, ...looks.map(timelineOf));
  const newest = writable.filter((at) => timelineOf(looks[at]) === timeline);
  const [first] = newest;
  const responds = looks.some(({ kind }) => kind !== 'gone');
  if (first === undefined) {
    // A server without a free connection is there, whatever it is.
    if (looks[before.primary]?.kind === 'full') return { ...before, responds };
    const failures = before.failures + 1;
    const hasStandby = looks.some(({ kind }) => kind === 'standby');
    const isLost = probe_failures > 0 && failures >= probe_failures && hasStandby;
    return {
      ...before,
      mode: isLost ? 'read_only' : before.mode,
      failures,
      successes: 0,
      rivals: writable.filter((at) => at !== before.primary),
      responds,
    };
  }
  const primary = newest.includes(before.primary) ? before.primary : first;
  const successes = before.successes + 1;
  const isBack = before.mode === 'read_only' && successes >= SUCCESSES_TO_RETURN;
  return {
    mode: isBack ? 'ready' : before.mode,
    primary,
    timeline,
    failures: 0,
    successes,
    rivals: writable.filter((at) => at !== primary),
    responds,
  };
}

function timelineOf(look: Look | undefined): number {
  return look?.kind === 'writable' ? look.timeline : 0;
}

/** Before the first probe: the first server is the primary until one shows that it is. */
export const FIRST_STANDING: Standing = {
  mode: 'ready',
  primary: 0,
  timeline: 0,
  failures: 0,
  successes: 0,
  rivals: [],
  responds: true,
};
