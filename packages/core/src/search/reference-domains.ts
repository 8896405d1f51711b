import { compareBytes } from '../artifact/compare-bytes.ts';
import { mergeDomains, hasContent, type MergedDomain } from '../domain/merge-domains.ts';
import type { Domain } from '../domain/read-domain.ts';
import type {
  DomainSearchResult,
  DomainDescription,
  DomainHit,
  DomainQuery,
} from '../ports/domains.ts';
import { isWithin } from '../text/slash-path.ts';
import { scoreOf } from './bm25.ts';
import { describeDomain } from './describe-domain.ts';
import { domainTerms } from './domain-terms.ts';
import { queryWords } from './query-terms.ts';
import { weighAmong } from './weigh-among.ts';

/**
 * Reference implementation for tests: engines must return the same results. Layers are given lowest precedence first.
 * Without a query, all domains match.
 */
export function referenceDomainSearch(
  files: readonly Domain[],
  { query, scope, top_k }: DomainQuery,
): DomainSearchResult {
  const indexed = files.map((file) => domainTerms(mergeDomains(file.path, [file])));
  const { terms, bound } = weighAmong(indexed, queryWords(query));
  const isBrowse = query.trim() === '';
  const found = listDescribed(files)
    .filter(({ path }) => isWithin(path, scope))
    .map((domain): DomainHit => {
      const weighed = domainTerms(domain);
      const sum = terms.reduce(
        (total, { term, rarity }) => total + rarity * (weighed.get(term) ?? 0),
        0,
      );
      return { path: domain.path, score: scoreOf(sum) };
    })
    .filter(({ score }) => isBrowse || score > 0)
    .sort((a, b) => b.score - a.score || compareBytes(a.path, b.path));
  return { hits: found.slice(0, top_k), terms, bound, total_matched: found.length };
}

export function referenceDescriptions(
  files: readonly Domain[],
  paths: readonly string[],
): DomainDescription[] {
  const wanted = new Set(paths);
  return listDescribed(files)
    .filter(({ path }) => wanted.has(path))
    .map(describeDomain);
}

function listDescribed(files: readonly Domain[]): MergedDomain[] {
  const merged = [...Map.groupBy(files, ({ path }) => path)].map(([path, layers]) =>
    mergeDomains(path, layers),
  );
  const unlisted = merged.filter((domain) => domain.unlisted);
  return merged.filter(
    (domain) => hasContent(domain) && !unlisted.some((above) => isWithin(domain.path, above.path)),
  );
}
