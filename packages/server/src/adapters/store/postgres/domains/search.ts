import { hasContent } from '@catalog/core/domain/merge-domains';
import type {
  DomainSearchResult,
  DomainDescription,
  DomainQuery,
} from '@catalog/core/ports/domains';
import { describeDomain } from '@catalog/core/search/describe-domain';
import { languageOf } from '@catalog/core/search/index-kind';
import { DEFAULT_LANGUAGE } from '@catalog/core/search/language';
import { queryWords } from '@catalog/core/search/query-terms';
import { scoreDomains, type DomainPosting } from '@catalog/core/search/score-domains';
import { type TermFrequency, weighQueryOf } from '@catalog/core/search/weigh-query';
import { subtreeRanges } from '@catalog/core/text/path-ranges';
import { isWithin } from '@catalog/core/text/slash-path';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import { mergeFiles } from './files.ts';
import { isHidden, loadUnlisted, unlistedBelow, type DomainView } from './view.ts';
import type { Queries } from '../../shared/queries.ts';
import { getIndexing } from '../search/indexing.ts';
import { listWords, type WordStatements } from '../search/vocabulary.ts';

const FIND_POSTINGS: Sql<DomainPosting> = `SELECT named.term, p.path, p.impact
  FROM unnest($2::int[]) AS of_view (layer) CROSS JOIN unnest($3::text[]) AS named (term)
  CROSS JOIN LATERAL (SELECT path, impact FROM domain_postings
    WHERE tenant = $1 AND layer = of_view.layer AND term = named.term) p`;
const COUNT_FILES: Sql<{ files: number }> =
  `SELECT coalesce(sum(file_count), 0) AS files FROM domains
  WHERE tenant = $1 AND path = '' AND layer = ANY($2::int[])`;

const WORDS: WordStatements<TermFrequency> = {
  beginning: `SELECT term, count(*)::int AS holders FROM domain_postings
    WHERE tenant = $1 AND layer = ANY ($2::int[]) AND term >= $3 AND term < $4 AND is_word(term)
    GROUP BY term ORDER BY term LIMIT $5`,
  held: `SELECT term, count(*)::int AS holders FROM domain_postings
    WHERE tenant = $1 AND layer = ANY ($2::int[]) AND term = ANY ($3::text[]) GROUP BY term`,
};

/**
 * Searches by words. The cost depends on the number of `DOMAIN.md` files in visible layers that contain
 * one of them.
 */
export async function searchDomains(
  queries: Queries,
  view: DomainView,
  { query, scope, top_k }: DomainQuery,
): Promise<DomainSearchResult> {
  if (query.trim() === '') return browseDomains(queries, view, scope, top_k);
  const { tenant, layers } = view;
  const languages = (await getIndexing(queries, tenant)).kinds.map(languageOf);
  const words = queryWords(query, languages);
  const queryTerms = [...new Set(words.flatMap((word) => word.terms))];
  await loadUnlisted(queries, view, [scope]);
  const found = await queries.rows(FIND_POSTINGS, tenant, layers, queryTerms);
  const counted = await queries.row(COUNT_FILES, tenant, layers);
  const byTerm = Map.groupBy(found, ({ term }) => term);
  const known = {
    documents: counted?.files ?? 0,
    holdersOf: (term: string) => byTerm.get(term)?.length ?? 0,
  };
  const { terms, bound } = await weighQueryOf(words, known, (wanted) =>
    listWords(queries, tenant, layers, WORDS, wanted),
  );
  if (isHidden(view, scope)) return { hits: [], terms, bound, total_matched: 0 };
  const others = terms.filter((term) => term.for !== undefined).map(({ term }) => term);
  const postings =
    others.length === 0
      ? found
      : [...found, ...(await queries.rows(FIND_POSTINGS, tenant, layers, others))];
  const scores = scoreDomains(
    terms,
    postings,
    (path) => isWithin(path, scope) && !isHidden(view, path),
    languages.at(-1) ?? DEFAULT_LANGUAGE,
  );
  const merged = await mergeFiles(queries, tenant, layers, scores.paths(), 2);
  for (const domain of merged.values()) scores.putMerged(domain);
  return { hits: scores.best(top_k), terms, bound, total_matched: scores.total() };
}

const LIST_DESCRIBED: Sql<{ path: string }> = `SELECT DISTINCT d.path
  FROM unnest($3::text[], $4::text[]) AS below ("from", before)
  CROSS JOIN LATERAL (SELECT path FROM domains
    WHERE tenant = $1 AND path >= below."from" AND path < below.before
      AND description IS NOT NULL AND curated AND layer = ANY($2::int[])) d
  ORDER BY d.path`;

/**
 * Lists every described domain by path. The cost depends on the number of `DOMAIN.md` files below
 * the scope.
 */
async function browseDomains(
  queries: Queries,
  view: DomainView,
  scope: string,
  top_k: number,
): Promise<DomainSearchResult> {
  const { tenant, layers } = view;
  await loadUnlisted(queries, view, [scope]);
  const ranges = isHidden(view, scope) ? [] : subtreeRanges(scope, unlistedBelow(view, scope));
  const bounds = columns(ranges, 'from', 'before');
  const found = await queries.rows(LIST_DESCRIBED, tenant, layers, ...bounds);
  const hits = found.slice(0, top_k).map(({ path }) => ({ path, score: 0 }));
  return { hits, terms: [], bound: 0, total_matched: found.length };
}

export async function describeDomains(
  queries: Queries,
  view: DomainView,
  paths: readonly string[],
): Promise<DomainDescription[]> {
  const merged = await mergeFiles(queries, view.tenant, view.layers, [...new Set(paths)]);
  await loadUnlisted(queries, view, [...merged.keys()]);
  return [...merged.values()]
    .filter((domain) => hasContent(domain) && !isHidden(view, domain.path))
    .map(describeDomain);
}
