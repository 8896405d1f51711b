import type { Trigger } from './read-triggers.ts';

/**
 * How far down an artifact counts as found, where nobody says otherwise: an agent reads the first few
 * results and chooses among them, so the first alone would be too strict and ten would test nothing.
 */
export const TRIGGER_DEPTH = 3;

/** What a search said to a trigger of an artifact. */
export interface TriggerOutcome extends Trigger {
  passed: boolean;
  /** Where the artifact stands among the results, from 1; null where it is not among them. */
  rank: number | null;
  /** What comes first; null where nothing is found. */
  first: string | null;
  /** What stands above whoever should have won, best first. */
  above: string[];
  /** Why it failed, as a phrase about the artifact; absent where it passed. */
  reason?: string;
}

/**
 * Judges a trigger by the ids a search answered, best first. An artifact that should trigger has to be
 * among the first `top_k`. One that should not may not come first; where another is to win instead,
 * that one has to be among them and above this one.
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

/** Everything is above what is not there. */
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
