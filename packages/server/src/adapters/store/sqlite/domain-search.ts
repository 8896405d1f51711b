import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { titleOf } from '@catalog/core/domain/domain-path';
import type { MergedDomain } from '@catalog/core/domain/merge-domains';
import type { DomainHit, DomainReads } from '@catalog/core/ports/domains';
import { boundOf, rarityOf, scoreOf } from '@catalog/core/search/bm25';
import { domainTerms } from '@catalog/core/search/domain-terms';
import { fuse } from '@catalog/core/search/fuse';
import { queryTerms } from '@catalog/core/search/query-terms';
import { isWithin, lastSegment } from '@catalog/core/text/slash-path';
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
  const documents = countFiles(connection, view);
  const words = terms.map((term) => findWord(connection, view, term, scope, documents));
  const scores = new Map<string, number>();
  for (const { rarity, impacts } of words) {
    for (const [path, impact] of impacts) {
      scores.set(path, (scores.get(path) ?? 0) + rarity * impact);
    }
  }
  for (const path of scores.keys()) if (isHidden(connection, view, path)) scores.delete(path);
  for (const path of listMerged(connection, view, [...scores.keys()])) {
    const score = scoreMerged(mergeFiles(connection, view.tenant, view.ranks, path), terms, words);
    if (score === 0) scores.delete(path);
    else scores.set(path, score);
  }
  const bound = boundOf(words.map(({ rarity }) => rarity));
  const hits = [...scores]
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || compareBytes(a, b))
    .slice(0, top_k)
    .flatMap(([path, sum]) => {
      const domain = mergeFiles(connection, view.tenant, view.ranks, path);
      return domain === undefined ? [] : [toHit(domain, fuse({ score: scoreOf(sum), bound }))];
    });
  return { hits, total_matched: scores.size };
}

/** A term of the query, with the impact it has in each `DOMAIN.md`; two of one path are in one entry. */
interface Word {
  rarity: number;
  impacts: ReadonlyMap<string, number>;
}

function findWord(
  connection: Connection,
  { tenant, layers }: DomainView,
  term: string,
  scope: string,
  documents: number,
): Word {
  const inLayer = connection.statement<{ path: string; impact: number }>(
    `SELECT path, impact FROM domain_postings WHERE tenant = ? AND layer = ? AND term = ?`,
  );
  const rows = layers.flatMap((layer) => inLayer.all(tenant, layer, term));
  const inScope = rows.filter(({ path }) => isWithin(path, scope));
  return {
    rarity: rarityOf(documents, rows.length),
    impacts: new Map(inScope.map(({ path, impact }) => [path, impact])),
  };
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

/** What the words find in a domain that several layers describe, which no posting tells. */
function scoreMerged(
  domain: MergedDomain | undefined,
  terms: readonly string[],
  words: readonly Word[],
): number {
  if (domain === undefined) return 0;
  const impacts = domainTerms(domain);
  return terms.reduce(
    (sum, term, index) => sum + (words[index]?.rarity ?? 0) * (impacts.get(term) ?? 0),
    0,
  );
}

function toHit({ path, description, keywords }: MergedDomain, score: number): DomainHit {
  return {
    path,
    name: lastSegment(path),
    description: description === '' ? titleOf(path) : description,
    keywords,
    score,
  };
}
