import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { TOP_K_DEFAULT, TOP_K_MAX } from '@catalog/contract/limits';
import type {
  DomainSearchResponse,
  SearchResponse,
  SearchResult,
} from '@catalog/contract/records/discovery';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Artifact } from '@catalog/core/artifact/types';
import { ancestorPaths } from '@catalog/core/domain/domain-path';
import { mergeDomains, type MergedDomain } from '@catalog/core/domain/merge-domains';
import type { Domain } from '@catalog/core/domain/read-domain';
import { domainTerms } from '@catalog/core/search/domain-terms';
import { fuse } from '@catalog/core/search/fuse';
import { queryTerms } from '@catalog/core/search/query-terms';
import { referenceSearch } from '@catalog/core/search/reference-search';
import { scoreDomains } from '@catalog/core/search/score-domains';
import { isWithin } from '@catalog/core/text/slash-path';

/** What a search looks at of an artifact. */
export type SearchedArtifact = Pick<
  Artifact,
  'id' | 'type' | 'version' | 'name' | 'description' | 'fields'
>;

export interface ArtifactQuestion {
  query?: string;
  type?: string;
  /** An artifact must carry all of them. */
  tags?: readonly string[];
  scope?: string;
  top_k?: number;
}

/** Searches layers that are all at hand, lowest precedence first, as a server searches its index. */
export function searchInMemory(
  layers: readonly (readonly SearchedArtifact[])[],
  { query = '', type = '', tags = [], scope = '', top_k = TOP_K_DEFAULT }: ArtifactQuestion,
): SearchResponse {
  if (top_k > TOP_K_MAX) throw tooMany(top_k);
  const searched = layers.map((held, number) => ({
    number,
    heads: new Set(held.map(({ id }) => id)),
    documents: held.filter(isSearched).map(({ id, type: of, name, description, fields }) => ({
      id,
      type: of,
      name,
      description,
      tags: fields.tags ?? [],
      when_to_use: fields.when_to_use ?? [],
    })),
  }));
  const answer = referenceSearch(searched, { query, type, tags, scope, top_k });
  const results = answer.hits.flatMap(({ layer, id, score }) => {
    const found = layers[layer]?.find((artifact) => artifact.id === id);
    const shown = fuse({ score, bound: answer.bound });
    return found === undefined ? [] : [toResult(found, shown)];
  });
  return { query, total_matched: answer.total_matched, results };
}

/** What is deprecated or found by its id alone is not shown around. */
export function isSearched({ fields }: Pick<Artifact, 'fields'>): boolean {
  return fields.deprecated !== true && fields.search_visibility !== 'direct-only';
}

function toResult(
  { id, type, version, description, fields }: SearchedArtifact,
  score: number,
): SearchResult {
  const { tags = [], sensitivity } = fields;
  const shown = { id, type, version, score, description, tags };
  return sensitivity === undefined ? shown : { ...shown, sensitivity };
}

export interface DomainQuestion {
  query?: string;
  scope?: string;
  top_k?: number;
}

/** The described and listed domains by the words of a query; lowest precedence first. */
export function searchDomainsInMemory(
  domains: readonly Domain[],
  { query = '', scope = '', top_k = TOP_K_DEFAULT }: DomainQuestion,
): DomainSearchResponse {
  if (top_k > TOP_K_MAX) throw tooMany(top_k);
  const merged = mergeByPath(domains);
  const terms = queryTerms(query);
  const postings = [...merged.values()].flatMap((domain) => {
    const impacts = domainTerms(domain);
    return terms.flatMap((term) => {
      const impact = impacts.get(term);
      return impact === undefined ? [] : [{ term, path: domain.path, impact }];
    });
  });
  const isWanted = (path: string): boolean => isWithin(path, scope) && !isUnlisted(merged, path);
  const scores = scoreDomains(terms, postings, domains.length, isWanted);
  const hits = scores.best(top_k).flatMap((path) => {
    const domain = merged.get(path);
    return domain === undefined ? [] : [scores.toHit(domain)];
  });
  return {
    query,
    total_matched: scores.total(),
    domains: hits.map((hit) => ({ ...hit, keywords: [...hit.keywords] })),
  };
}

function mergeByPath(domains: readonly Domain[]): ReadonlyMap<string, MergedDomain> {
  const files = Map.groupBy(domains, ({ path }) => path);
  return new Map(
    [...files]
      .sort(([a], [b]) => compareBytes(a, b))
      .map(([path, layers]) => [path, mergeDomains(path, layers)]),
  );
}

function isUnlisted(merged: ReadonlyMap<string, MergedDomain>, path: string): boolean {
  return [path, ...ancestorPaths(path)].some((above) => merged.get(above)?.unlisted === true);
}

function tooMany(top_k: number): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `A search answers at most ${TOP_K_MAX} results, not ${top_k}.`,
    { details: { argument: 'top_k' }, suggested_action: `Ask for ${TOP_K_MAX} or fewer.` },
  );
}
