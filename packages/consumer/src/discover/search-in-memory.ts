import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { TOP_K_DEFAULT, TOP_K_MAX } from '@catalog/contract/limits';
import type {
  DomainSearchResponse,
  SearchResponse,
  SearchResult,
} from '@catalog/contract/records/discovery';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Domain } from '@catalog/core/domain/read-domain';
import type { SearchDocument, SearchQuery } from '@catalog/core/ports/search-index';
import { explainHit } from '@catalog/core/search/explain-hit';
import { fuse } from '@catalog/core/search/fuse';
import { minNearestCosine } from '@catalog/core/search/min-nearest-cosine';
import {
  referenceDescriptions,
  referenceDomainSearch,
} from '@catalog/core/search/reference-domains';
import { type KnownVectors, referenceHybrid } from '@catalog/core/search/reference-hybrid';
import type { HybridSearchResult } from '@catalog/core/search/hybrid-search';
import { isWithin } from '@catalog/core/text/slash-path';
import { splitList } from '@catalog/core/text/split-list';
import { scoreDocument, type SearchedLayer } from '@catalog/core/search/reference-search';
import { embeddedText } from '@catalog/core/search/embedded-text';
import { roundVector } from '@catalog/core/search/round-vector';

type ComputeSimilarities = (query: string) => KnownVectors;

const vectors = new WeakMap<SearchDocument, Float32Array>();

async function openBuiltInModel(): Promise<ComputeSimilarities> {
  const [{ encode, isWholeWord }, { leastNearest }, { MIN_SIMILARITY }] = await Promise.all([
    import('@catalog/embedder/encode'),
    import('@catalog/embedder/everyday-topics'),
    import('@catalog/embedder/model'),
  ]);
  function vectorOf(document: SearchDocument): Float32Array {
    const vector = vectors.get(document) ?? roundVector(encode(embeddedText(document)));
    vectors.set(document, vector);
    return vector;
  }
  return (query) => ({
    query: roundVector(encode(query)),
    of: vectorOf,
    floor: MIN_SIMILARITY,
    least_nearest: minNearestCosine(query, { isWholeWord, leastNearest }),
  });
}

export type SearchedArtifact = Pick<
  Artifact,
  'id' | 'type' | 'version' | 'name' | 'description' | 'fields'
>;

export interface ArtifactQuery {
  query?: string;
  type?: string;
  /** Tags, all of which an artifact must have. */
  tags?: readonly string[];
  scope?: string;
  top_k?: number;
}

export interface InMemorySearch extends ArtifactQuery {
  explain?: boolean;
  /** True to search only by words, like the results to merge with. */
  words_only?: boolean;
}

/** Splits types and paths at commas; an artifact must match one of each. */
function searchParts(
  layers: readonly SearchedLayer[],
  { type, scope, ...query }: SearchQuery,
  similarities: KnownVectors | undefined,
): HybridSearchResult {
  const [types, scopes] = [splitList(type), splitList(scope)];
  const [only_type = '', only_scope = ''] = [types[0], scopes[0]];
  if (types.length <= 1 && scopes.length <= 1) {
    return referenceHybrid(layers, { ...query, type: only_type, scope: only_scope }, similarities);
  }
  const unlimited_query = { ...query, type: '', scope: '', top_k: Infinity };
  const answer = referenceHybrid(layers, unlimited_query, similarities);
  const hits = answer.hits.filter(({ layer, id }) => {
    const document = layers[layer]?.documents.find((each) => each.id === id);
    return (
      (types.length === 0 || types.includes(document?.type ?? '')) &&
      (scopes.length === 0 || scopes.some((each) => isWithin(id, each)))
    );
  });
  return { ...answer, hits: hits.slice(0, query.top_k), total_matched: hits.length };
}

/** Searches layers in memory, given lowest precedence first, with the same results as a server. */
export async function searchInMemory(
  layers: readonly { name: string; artifacts: readonly SearchedArtifact[] }[],
  { query = '', type = '', tags = [], scope = '', top_k = TOP_K_DEFAULT, ...how }: InMemorySearch,
): Promise<SearchResponse> {
  if (top_k > TOP_K_MAX) throw tooMany(top_k);
  const searched = layers.map(({ artifacts }, number) => ({
    number,
    heads: new Set(artifacts.map(({ id }) => id)),
    documents: artifacts.filter(isSearched).map(documentOf),
  }));
  const byWords = query.trim() === '' || how.words_only === true;
  const computeSimilarities = byWords ? undefined : await openBuiltInModel();
  const answer = searchParts(
    searched,
    { query, type, tags, scope, top_k },
    computeSimilarities?.(query),
  );
  const results = answer.hits.flatMap((hit) => {
    const layer = layers[hit.layer];
    const found = layer?.artifacts.find(({ id }) => id === hit.id);
    if (layer === undefined || found === undefined) return [];
    const shown = toResult(found, hit.score);
    if (how.explain !== true) return [shown];
    const { matched } = scoreDocument(hit.layer, documentOf(found), answer.terms);
    return [{ ...shown, explanation: explainHit(answer, matched, hit, layer.name) }];
  });
  const { total_matched, total_estimated } = answer;
  return { query, total_matched, ...(total_estimated ? { total_estimated } : {}), results };
}

const documents = new WeakMap<SearchedArtifact, SearchDocument>();

function documentOf(artifact: SearchedArtifact): SearchDocument {
  const document = documents.get(artifact) ?? toDocument(artifact);
  documents.set(artifact, document);
  return document;
}

function toDocument({ id, type, name, description, fields }: SearchedArtifact): SearchDocument {
  const { tags = [], when_to_use = [] } = fields;
  return { id, type, name, description, tags, when_to_use };
}

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

export interface DomainQuery {
  query?: string;
  scope?: string;
  top_k?: number;
}

/** Searches listed domains with a description by words. Layers are given lowest precedence first. */
export function searchDomainsInMemory(
  domains: readonly Domain[],
  { query = '', scope = '', top_k = TOP_K_DEFAULT }: DomainQuery,
): DomainSearchResponse {
  if (top_k > TOP_K_MAX) throw tooMany(top_k);
  const { hits, bound, total_matched } = referenceDomainSearch(domains, { query, scope, top_k });
  const paths = hits.map(({ path }) => path);
  const described = referenceDescriptions(domains, paths);
  const shown = hits.flatMap(({ path, score }) => {
    const domain = described.find((each) => each.path === path);
    if (domain === undefined) return [];
    return [{ ...domain, keywords: [...domain.keywords], score: fuse({ score, bound }) }];
  });
  return { query, total_matched, domains: shown };
}

function tooMany(top_k: number): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    `A search returns up to ${TOP_K_MAX} results, but ${top_k} were requested.`,
    { details: { argument: 'top_k' }, suggested_action: `Request ${TOP_K_MAX} or fewer.` },
  );
}
