import { compareBytes } from '../artifact/compare-bytes.ts';
import { ancestorPaths } from '../domain/domain-path.ts';
import type { DomainAnswer } from '../ports/domains.ts';
import type { DomainVectorHit } from '../ports/vector-index.ts';
import { isWithin } from '../text/slash-path.ts';
import { fuse, roundScore } from './fuse.ts';

/** How many domains each arm is asked for; a catalogue that has more is searched by its artifacts. */
export const MOST_DOMAINS = 100;
/** The best artifacts of the query, which speak for the domains they lie in. */
export const MOST_BENEATH = 20;
/** What the best artifact of a domain adds to what its authors say of it. */
const BENEATH_WEIGHT = 0.25;

/** What a query found, before any domain is described. */
export interface DomainArms {
  words: DomainAnswer;
  /** Undefined where the vectors did not answer. */
  near: { hits: readonly DomainVectorHit[]; floor: number } | undefined;
  /** The best artifacts in the scope, best first. */
  beneath: readonly { id: string; score: number }[];
}

export interface FusedDomain {
  path: string;
  score: number;
}

/** Every domain that may be among the results: whether one is shown at all is to be asked of these. */
export function domainCandidates(arms: DomainArms): string[] {
  const named = [...arms.words.hits, ...meant(arms)].map(({ path }) => path);
  return [...new Set([...named, ...arms.beneath.flatMap(({ id }) => ancestorPaths(id))])];
}

/** What was found by meaning alone, too. */
function meant({ near }: DomainArms): readonly DomainVectorHit[] {
  if (near === undefined) return [];
  return near.hits.filter(({ similarity }) => similarity >= near.floor);
}

/**
 * The domains a query found, best first and then by path: by what their authors say of them, in words
 * and meaning, and by the best artifact in them, which speaks for the nearest domain that is shown.
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
    ...meant(arms).map(({ path }) => path),
    ...spoken.keys(),
  ]);
  return [...found]
    .filter(isShown)
    .map((path) => {
      const lexical = { score: scores.get(path) ?? 0, bound: words.bound };
      const own = fuse(lexical, { cosine: similarities.get(path) ?? 0 });
      return { path, score: roundScore(own + BENEATH_WEIGHT * (spoken.get(path) ?? 0)) };
    })
    .sort((a, b) => b.score - a.score || compareBytes(a.path, b.path));
}
