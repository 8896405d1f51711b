import { hasContent } from '@catalog/core/domain/merge-domains';
import type {
  DomainSearchResult,
  DomainDescription,
  DomainQuery,
} from '@catalog/core/ports/domains';
import { describeDomain } from '@catalog/core/search/describe-domain';
import { DEFAULT_LANGUAGE } from '@catalog/core/search/language';
import { queryWords } from '@catalog/core/search/query-terms';
import { scoreDomains, type DomainPosting } from '@catalog/core/search/score-domains';
import { weighQuery } from '@catalog/core/search/weigh-query';
import { subtreeRanges } from '@catalog/core/text/path-ranges';
import { isWithin } from '@catalog/core/text/slash-path';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Connection } from '../connection/connection.ts';
import { mergeFiles } from './files.ts';
import { isHidden, listUnlisted, type DomainView } from './view.ts';
import { languagesOf } from '../search/indexing.ts';
import { listWords } from '../search/vocabulary.ts';

/**
 * Searches by words. The cost depends on the number of `DOMAIN.md` files in visible layers that contain
 * one of them.
 */
export function searchDomains(
  connection: Connection,
  view: DomainView,
  { query, scope, top_k }: DomainQuery,
): DomainSearchResult {
  if (query.trim() === '') return browseDomains(connection, view, scope, top_k);
  const languages = languagesOf(connection, view.tenant);
  const words = queryWords(query, languages);
  const found = new Map<string, DomainPosting[]>();
  const find = (term: string): DomainPosting[] => {
    const postings = found.get(term) ?? listPostings(connection, view, term);
    found.set(term, postings);
    return postings;
  };
  const known = {
    documents: countFiles(connection, view),
    holdersOf: (term: string) => find(term).length,
  };
  const { terms, bound } = weighQuery(words, known, (wordsRequest) =>
    listWords(connection, view.tenant, wordsRequest, (term) =>
      countPostings(connection, view, term),
    ),
  );
  if (isHidden(connection, view, scope)) return { hits: [], terms, bound, total_matched: 0 };
  listUnlisted(connection, view, scope); // cached in the view for its subdomains
  const scores = scoreDomains(
    terms,
    terms.flatMap(({ term }) => find(term)),
    (path) => isWithin(path, scope) && !isHidden(connection, view, path),
    languages.at(-1) ?? DEFAULT_LANGUAGE,
  );
  for (const path of listMerged(connection, view, scores.paths())) {
    const domain = mergeFiles(connection, view.tenant, view.ranks, path);
    if (domain !== undefined) scores.putMerged(domain);
  }
  return { hits: scores.best(top_k), terms, bound, total_matched: scores.total() };
}

/**
 * Lists every described domain by path. The cost depends on the number of `DOMAIN.md` files below
 * the scope.
 */
function browseDomains(
  connection: Connection,
  view: DomainView,
  scope: string,
  top_k: number,
): DomainSearchResult {
  const { tenant, layers } = view;
  const statement = connection.statement<{ path: string }>(
    `SELECT DISTINCT f.path FROM domain_files f
     CROSS JOIN domains d
       ON d.tenant = f.tenant AND d.path = f.path AND d.layer = f.layer AND d.curated = 1
     WHERE f.tenant = ?1 AND f.path >= ?3 AND f.path < ?4
       AND f.layer IN (SELECT value FROM json_each(?2))
     ORDER BY f.path`,
  );
  const ranges = isHidden(connection, view, scope)
    ? []
    : subtreeRanges(scope, listUnlisted(connection, view, scope));
  const found = ranges.flatMap(({ from, before }) =>
    statement.all(tenant, JSON.stringify(layers), from, before),
  );
  const hits = found.slice(0, top_k).map(({ path }) => ({ path, score: 0 }));
  return { hits, terms: [], bound: 0, total_matched: found.length };
}

export function describeDomains(
  connection: Connection,
  view: DomainView,
  paths: readonly string[],
): DomainDescription[] {
  return [...new Set(paths)].flatMap((path) => {
    const domain = mergeFiles(connection, view.tenant, view.ranks, path);
    if (domain === undefined || !hasContent(domain)) return [];
    return isHidden(connection, view, path) ? [] : [describeDomain(domain)];
  });
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

function countPostings(
  connection: Connection,
  { tenant, layers }: DomainView,
  term: string,
): number {
  const row = connection
    .statement<{ files: number }>(
      `SELECT count(*) AS files FROM json_each(?2) visible
       CROSS JOIN domain_postings p ON p.tenant = ?1 AND p.layer = visible.value AND p.term = ?3`,
    )
    .get(tenant, JSON.stringify(layers), term);
  return row?.files ?? 0;
}

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

function listMerged(
  connection: Connection,
  { tenant, ranks }: DomainView,
  paths: readonly string[],
): string[] {
  const files = connection
    .statement<{ path: string; layer: LayerNumber }>(
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
