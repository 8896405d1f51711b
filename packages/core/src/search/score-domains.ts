import { compareBytes } from '../artifact/compare-bytes.ts';
import type { MergedDomain } from '../domain/merge-domains.ts';
import type { DomainHit } from '../ports/domains.ts';
import type { SearchedTerm } from '../ports/search-index.ts';
import { scoreOf } from './bm25.ts';
import { domainTerms } from './domain-terms.ts';
import type { SearchLanguage } from './language.ts';

export interface DomainPosting {
  term: string;
  path: string;
  impact: number;
}

export interface DomainScores {
  paths(): string[];
  /** Scores a domain with descriptions in several layers, which postings alone cannot do. */
  putMerged(domain: MergedDomain): void;
  total(): number;
  /** Returns the best domains; ties by path. */
  best(count: number): DomainHit[];
}

/** Scores domains from the postings of the whole view. Only paths that `isWanted` accepts are scored. */
export function scoreDomains(
  terms: readonly SearchedTerm[],
  postings: readonly DomainPosting[],
  isWanted: (path: string) => boolean,
  language: SearchLanguage,
): DomainScores {
  const rarities = new Map(terms.map(({ term, rarity }) => [term, rarity]));
  const sums = new Map<string, number>();
  for (const { term, path, impact } of postings) {
    if (!isWanted(path)) continue;
    sums.set(path, (sums.get(path) ?? 0) + (rarities.get(term) ?? 0) * impact);
  }
  return {
    paths: () => [...sums.keys()],
    putMerged(domain) {
      const impacts = domainTerms(domain, language);
      let sum = 0;
      for (const [term, rarity] of rarities) sum += rarity * (impacts.get(term) ?? 0);
      if (sum === 0) sums.delete(domain.path);
      else sums.set(domain.path, sum);
    },
    total: () => sums.size,
    best: (count) =>
      [...sums]
        .sort(([a, sumA], [b, sumB]) => sumB - sumA || compareBytes(a, b))
        .slice(0, count)
        .map(([path, sum]) => ({ path, score: scoreOf(sum) })),
  };
}
