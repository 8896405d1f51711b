import type { ProbeResult } from '../pool/probe.ts';

export interface Standing {
  mode: 'ready' | 'read_only';
  /** Index of the current or last writable server. */
  primary: number;
  /** Highest known PostgreSQL timeline. A server with a lower timeline was replaced by a promoted standby. */
  timeline: number;
  failures: number;
  successes: number;
  /** Indexes of other writable servers; nothing may be written to them. */
  rivals: readonly number[];
  responds: boolean;
}

/** Number of consecutive successful probes that end read-only mode (SPEC-35). */
export const SUCCESSES_TO_RETURN = 3;

/**
 * Computes the next state from a probe of all servers. A writable server becomes the primary, so a promoted standby
 * needs no restart. If two servers are writable, the one with the higher timeline wins; if the timelines are equal, the
 * current primary stays. A server that a promotion replaced never becomes primary again, because writes to it would be
 * lost. Read-only mode requires a standby that responds; without one, the registry is unavailable.
 */
export function decideStanding(
  before: Standing,
  looks: readonly ProbeResult[],
  probe_failures: number,
): Standing {
  const writable = looks.flatMap((look, at) => (look.kind === 'writable' ? [at] : []));
  const timeline = Math.max(before.timeline, ...looks.map(timelineOf));
  const newest = writable.filter((at) => timelineOf(looks[at]) === timeline);
  const [first] = newest;
  const responds = looks.some(({ kind }) => kind !== 'gone');
  if (first === undefined) {
    // A server whose connections are all in use is running, but its role is unknown.
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

function timelineOf(look: ProbeResult | undefined): number {
  return look?.kind === 'writable' ? look.timeline : 0;
}

/** The first server is assumed to be the primary. */
export const FIRST_STANDING: Standing = {
  mode: 'ready',
  primary: 0,
  timeline: 0,
  failures: 0,
  successes: 0,
  rivals: [],
  responds: true,
};
