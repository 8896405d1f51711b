import type { DomainReads } from '@catalog/core/ports/domains';
import { queryTerms } from '@catalog/core/search/query-terms';
import { scoreDomains, type DomainPosting } from '@catalog/core/search/score-domains';
import { isWithin } from '@catalog/core/text/slash-path';
import type { Connection } from './connection.ts';
import { mergeFiles } from './domain-files.ts';
import { isHidden, listUnlisted, type DomainView } from './domain-view.ts';

type DomainQuery = Parameters<DomainReads['search']>[2];
type DomainAnswer = Awaited<ReturnType<DomainReads['search']>>;

/**
 * The described domains of a view by the words of a query. The cost follows the `DOMAIN.md` files of
 * the visible layers that have one of the words.
 */
export function searchDomains(
  connection: Connection,
  view: DomainView,
  { query, scope, top_k }: DomainQuery,
): DomainAnswer {
  const terms = queryTerms(query);
  if (terms.length === 0 || isHidden(connection, view, scope))
    return { hits: [], total_matched: 0 };
  listUnlisted(connection, view, scope); // remembered by the view, so that no path below asks again
  const scores = scoreDomains(
    terms,
    terms.flatMap((term) => listPostings(connection, view, term)),
    countFiles(connection, view),
    (path) => isWithin(path, scope) && !isHidden(connection, view, path),
  );
  const merge = (path: string) => mergeFiles(connection, view.tenant, view.ranks, path) ?? [];
  const merged = listMerged(connection, view, scores.paths());
  for (const domain of merged.flatMap(merge)) scores.putMerged(domain);
  return {
    hits: scores
      .best(top_k)
      .flatMap(merge)
      .map((domain) => scores.toHit(domain)),
    total_matched: scores.total(),
  };
}

function listPostings(
  connection: Connection,
  { tenant, layers }: DomainView,
  term: string,
): DomainPosting[] {
  const inLayer = connection.statement<DomainPosting>(
    `SELECT term, path, impact FROM domain_postings WHERE tenant = ? AND layer = ? AND term = ?`,
  );
  return layers.flatMap((layer) => inLayer.all(tenant, layer, term));
}

/** How many `DOMAIN.md` files the layers have. */
function countFiles(connection: Connection, { tenant, layers }: DomainView): number {
  const row = connection
    .statement<{ files: number }>(
      `SELECT coalesce(sum(d.file_count), 0) AS files FROM json_each(?2) named
       CROSS JOIN domains d
       ON d.tenant = ?1 AND d.layer = named.value AND d.parent = '' AND d.path = ''`,
    )
    .get(tenant, JSON.stringify(layers));
  return row?.files ?? 0;
}

/** Those of the paths that several layers of the view describe. */
function listMerged(
  connection: Connection,
  { tenant, ranks }: DomainView,
  paths: readonly string[],
): string[] {
  const files = connection
    .statement<{ path: string; layer: number }>(
      `SELECT f.path, f.layer FROM json_each(?2) named
       CROSS JOIN domain_files f ON f.tenant = ?1 AND f.path = named.value`,
    )
    .all(tenant, JSON.stringify(paths));
  const seen = new Set<string>();
  const merged = new Set<string>();
  for (const { path, layer } of files) {
    if (!ranks.has(layer)) continue;
    if (seen.has(path)) merged.add(path);
    seen.add(path);
  }
  return [...merged];
}
