import type { Trigger } from './read-triggers.ts';

/** Number of results that count: an agent chooses among the first few. */
export const TRIGGER_DEPTH = 3;

export interface TriggerOutcome extends Trigger {
  passed: boolean;
  /** 1-based rank; null if the artifact was not found. */
  rank: number | null;
  first: string | null;
  /** Artifacts with a better rank, best first. */
  above: string[];
  /** Why the query failed, as a phrase about the artifact; absent if it passed. */
  reason?: string;
}

/**
 * Judges a trigger query by its results. An artifact that should trigger must be among the first `top_k`; otherwise it
 * must not be first. `instead` must be among the first `top_k` and above the artifact.
 */
export function judgeTrigger(
  id: string,
  trigger: Trigger,
  ranked: readonly string[],
  top_k: number,
): TriggerOutcome {
  const { query, should_trigger, instead } = trigger;
  const wanted = should_trigger ? id : instead;
  const rank = rankOf(id, ranked);
  const reason = should_trigger
    ? missed('it', rank, top_k)
    : instead === undefined
      ? rank === 1
        ? 'it ranks first'
        : undefined
      : lost(instead, rankOf(instead, ranked), rank, top_k);
  return {
    query,
    should_trigger,
    ...(instead === undefined ? {} : { instead }),
    passed: reason === undefined,
    rank,
    first: ranked[0] ?? null,
    above: wanted === undefined ? [] : aboveOf(wanted, ranked),
    ...(reason === undefined ? {} : { reason }),
  };
}

function rankOf(id: string, ranked: readonly string[]): number | null {
  const place = ranked.indexOf(id);
  return place === -1 ? null : place + 1;
}

function aboveOf(id: string, ranked: readonly string[]): string[] {
  const place = ranked.indexOf(id);
  return ranked.slice(0, place === -1 ? undefined : place);
}

function missed(who: string, rank: number | null, top_k: number): string | undefined {
  if (rank === null) return `${who} is not found`;
  if (rank <= top_k) return undefined;
  return `${who} ranks ${rank}, ${top_k === 1 ? 'not first' : `below the top ${top_k}`}`;
}

function lost(
  instead: string,
  winner: number | null,
  rank: number | null,
  top_k: number,
): string | undefined {
  if (rank !== null && (winner === null || rank < winner)) return `it ranks above ${instead}`;
  return missed(instead, winner, top_k);
}
