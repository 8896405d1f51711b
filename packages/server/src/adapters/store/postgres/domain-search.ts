import type { DomainReads } from '@catalog/core/ports/domains';
import { queryTerms } from '@catalog/core/search/query-terms';
import { scoreDomains, type DomainPosting } from '@catalog/core/search/score-domains';
import { isWithin } from '@catalog/core/text/slash-path';
import { mergeFiles } from './domain-files.ts';
import { isHidden, learnUnlisted, type DomainView } from './domain-view.ts';
import type { Queries } from './queries.ts';

type DomainQuery = Parameters<DomainReads['search']>[2];
type DomainAnswer = Awaited<ReturnType<DomainReads['search']>>;

const FIND_POSTINGS = `SELECT named.term, p.path, p.impact
  FROM unnest($2::int[]) AS of_view (layer) CROSS JOIN unnest($3::text[]) AS named (term)
  CROSS JOIN LATERAL (SELECT path, impact FROM domain_postings
    WHERE tenant = $1 AND layer = of_view.layer AND term = named.term) p`;
const COUNT_FILES = `SELECT coalesce(sum(file_count), 0) AS files FROM domains
  WHERE tenant = $1 AND path = '' AND layer = ANY($2::int[])`;

/**
 * The described domains of a view by the words of a query. The cost follows the `DOMAIN.md` files of
 * the visible layers that have one of the words.
 */
export async function searchDomains(
  queries: Queries,
  view: DomainView,
  { query, scope, top_k }: DomainQuery,
): Promise<DomainAnswer> {
  const { tenant, layers } = view;
  const terms = queryTerms(query);
  await learnUnlisted(queries, view, [scope]);
  if (terms.length === 0 || isHidden(view, scope)) return { hits: [], total_matched: 0 };
  const postings = await queries.rows<DomainPosting>(FIND_POSTINGS, tenant, layers, terms);
  const counted = await queries.row<{ files: number }>(COUNT_FILES, tenant, layers);
  const scores = scoreDomains(
    terms,
    postings,
    counted?.files ?? 0,
    (path) => isWithin(path, scope) && !isHidden(view, path),
  );
  const merged = await mergeFiles(queries, tenant, layers, scores.paths(), 2);
  for (const domain of merged.values()) scores.putMerged(domain);
  const best = scores.best(top_k);
  const described = await mergeFiles(queries, tenant, layers, best);
  return {
    hits: best.flatMap((path) => {
      const domain = described.get(path);
      return domain === undefined ? [] : [scores.toHit(domain)];
    }),
    total_matched: scores.total(),
  };
}
