import { compareBytes } from '../artifact/compare-bytes.ts';
import { titleOf } from '../domain/domain-path.ts';
import type { MergedDomain } from '../domain/merge-domains.ts';
import type { DomainHit } from '../ports/domains.ts';
import { lastSegment } from '../text/slash-path.ts';
import { boundOf, rarityOf, scoreOf } from './bm25.ts';
import { domainTerms } from './domain-terms.ts';
import { fuse } from './fuse.ts';

/** That a `DOMAIN.md` of a visible layer has a term of the query. */
export interface DomainPosting {
  term: string;
  path: string;
  impact: number;
}

/** The domains a query found, while what several layers say of one is still to be told. */
export interface DomainScores {
  /** Those found by the words of single files. */
  paths(): string[];
  /** What a domain that several layers describe is found by, which no posting tells. */
  putMerged(domain: MergedDomain): void;
  total(): number;
  /** The best first, equals by path in byte order. */
  best(count: number): string[];
  toHit(domain: MergedDomain): DomainHit;
}

/** `postings` are of the whole view, `documents` its `DOMAIN.md` files; only the `isWanted` are scored. */
export function scoreDomains(
  terms: readonly string[],
  postings: readonly DomainPosting[],
  documents: number,
  isWanted: (path: string) => boolean,
): DomainScores {
  const byTerm = Map.groupBy(postings, ({ term }) => term);
  const rarities = new Map(
    terms.map((term) => [term, rarityOf(documents, byTerm.get(term)?.length ?? 0)]),
  );
  const bound = boundOf([...rarities.values()]);
  const scores = new Map<string, number>();
  for (const { term, path, impact } of postings) {
    if (!isWanted(path)) continue;
    scores.set(path, (scores.get(path) ?? 0) + (rarities.get(term) ?? 0) * impact);
  }
  return {
    paths: () => [...scores.keys()],
    putMerged(domain) {
      const impacts = domainTerms(domain);
      let sum = 0;
      for (const [term, rarity] of rarities) sum += rarity * (impacts.get(term) ?? 0);
      if (sum === 0) scores.delete(domain.path);
      else scores.set(domain.path, sum);
    },
    total: () => scores.size,
    best: (count) =>
      [...scores]
        .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || compareBytes(a, b))
        .slice(0, count)
        .map(([path]) => path),
    toHit: ({ path, description, keywords }) => ({
      path,
      name: lastSegment(path),
      description: description === '' ? titleOf(path) : description,
      keywords,
      score: fuse({ score: scoreOf(scores.get(path) ?? 0), bound }),
    }),
  };
}
