import { compareBytes } from '../artifact/compare-bytes.ts';
import { ancestorPaths } from '../domain/domain-path.ts';
import type { DomainSearchResult } from '../ports/domains.ts';
import type { DomainVectorHit } from '../ports/vector-index.ts';
import { isWithin } from '../text/slash-path.ts';
import { fuse, roundScore } from './fuse.ts';

/** Maximum number of domains per search. In a larger catalog, further domains are found through their artifacts. */
export const MAX_DOMAINS = 100;
export const MAX_ARTIFACTS = 20;
/** Weight of a domain's best artifact, compared with the description of the domain. */
const ARTIFACT_WEIGHT = 0.25;

export interface DomainArms {
  words: DomainSearchResult;
  /** Nearest domains; undefined if the vector search failed. */
  near: { hits: readonly DomainVectorHit[]; floor: number } | undefined;
  beneath: readonly { id: string; score: number }[];
}

export interface FusedDomain {
  path: string;
  score: number;
}

/** Returns all domains that may be results. The caller checks their visibility. */
export function domainCandidates(arms: DomainArms): string[] {
  const named = [...arms.words.hits, ...listAboveFloor(arms)].map(({ path }) => path);
  return [...new Set([...named, ...arms.beneath.flatMap(({ id }) => ancestorPaths(id))])];
}

function listAboveFloor({ near }: DomainArms): readonly DomainVectorHit[] {
  if (near === undefined) return [];
  return near.hits.filter(({ similarity }) => similarity >= near.floor);
}

/**
 * Scores domains by their descriptions, with words and vectors, and by their best artifact, which counts for the
 * nearest visible domain. Ties are ordered by path.
 */
export function fuseDomains(
  arms: DomainArms,
  isShown: (path: string) => boolean,
  scope: string,
): FusedDomain[] {
  const { words, near, beneath } = arms;
  const scores = new Map(words.hits.map(({ path, score }) => [path, score]));
  const similarities = new Map((near?.hits ?? []).map((hit) => [hit.path, hit.similarity]));
  const spoken = new Map<string, number>();
  for (const { id, score } of beneath) {
    const path = ancestorPaths(id).find((above) => isShown(above) && isWithin(above, scope));
    if (path !== undefined && !spoken.has(path)) spoken.set(path, score);
  }
  const found = new Set([
    ...scores.keys(),
    ...listAboveFloor(arms).map(({ path }) => path),
    ...spoken.keys(),
  ]);
  return [...found]
    .filter(isShown)
    .map((path) => {
      const lexical = { score: scores.get(path) ?? 0, bound: words.bound };
      const own = fuse(lexical, { cosine: similarities.get(path) ?? 0 });
      return { path, score: roundScore(own + ARTIFACT_WEIGHT * (spoken.get(path) ?? 0)) };
    })
    .sort((a, b) => b.score - a.score || compareBytes(a.path, b.path));
}
