import type { Discovery } from '@catalog/consumer/discover/discovery';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { TOP_K_MAX } from '@catalog/contract/limits';
import type { VersionList } from '@catalog/contract/records/artifact';
import type { SearchResponse, SearchResult } from '@catalog/contract/records/discovery';
import { lastSegment } from '@catalog/core/text/slash-path';

export interface SearchPlace {
  id: string;
  query: string;
  verdict: Verdict;
  /** 1-based; null if the artifact is not in the results. */
  rank: number | null;
  total_matched: number;
  result: SearchResult | null;
  above: SearchResult[];
  /** The layer of the searched version is first. */
  layers: string[];
  degraded: boolean;
  words_only: boolean;
}

export type Verdict =
  | 'found'
  /** Matches, but ranks below the maximum number of results. */
  | 'outranked'
  /** Matches no words, and its similarity is too low. */
  | 'unrelated'
  /** Matches no words, and its embedding is pending. */
  | 'not-embedded'
  | 'deprecated'
  /** The author limits it to lookups by id. */
  | 'direct-only'
  /** Missing, or not visible to the caller. */
  | 'absent';

/** Derives the rank from ordinary requests, so it reveals nothing that the caller cannot see. */
export async function placeInSearch(
  discovery: Discovery,
  { id, query }: { id: string; query: string },
  signal: AbortSignal,
): Promise<SearchPlace> {
  const ask = (more: { query: string; scope?: string }): Promise<SearchResponse> =>
    discovery.searchArtifacts({ ...more, top_k: TOP_K_MAX, explain: true }, signal);
  const answer = await ask({ query });
  const rank = answer.results.findIndex((result) => result.id === id) + 1;
  // The scope contains only the artifact and its subdirectory, so it ranks among the first.
  const own = rank > 0 ? answer : await ask({ query, scope: id });
  const result = own.results.find((each) => each.id === id) ?? null;
  const versions = await listVersions(discovery, id, signal);
  return {
    id,
    query,
    verdict:
      result === null ? await explainAbsence(ask, id, versions) : rank > 0 ? 'found' : 'outranked',
    rank: rank > 0 ? rank : null,
    total_matched: answer.total_matched,
    result,
    above: answer.results.slice(0, rank > 0 ? rank - 1 : undefined),
    layers: listLayers(versions),
    degraded: answer.degraded === true,
    words_only: answer.words_only === true,
  };
}

type Versions = VersionList['versions'];

async function listVersions(
  discovery: Discovery,
  id: string,
  signal: AbortSignal,
): Promise<Versions> {
  try {
    return (await discovery.listVersions({ id }, signal)).versions;
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'registry.not_found') return [];
    throw error;
  }
}

/** Layers that serve the artifact now. The layer of the winning version is first. */
function listLayers(versions: Versions): string[] {
  const served = versions.filter(({ withdrawn }) => !withdrawn);
  const first = served.toSorted((a, b) => Number(b.latest) - Number(a.latest));
  return [...new Set(first.map(({ layer }) => layer))];
}

async function explainAbsence(
  ask: (more: { query: string; scope?: string }) => Promise<SearchResponse>,
  id: string,
  versions: Versions,
): Promise<Verdict> {
  const current = versions.find(({ latest }) => latest);
  if (current === undefined) return 'absent';
  if (current.deprecated) return 'deprecated';
  const isIn = ({ results }: SearchResponse): boolean => results.some((each) => each.id === id);
  // A search without a query lists all artifacts except those that opt out.
  if (!isIn(await ask({ query: '', scope: id }))) return 'direct-only';
  // The query for its own name returns its similarity, which is null without a vector.
  const named = await ask({ query: lastSegment(id), scope: id });
  const similarity = named.results.find((each) => each.id === id)?.explanation?.similarity;
  const hasVectors = named.degraded !== true && named.words_only !== true;
  return similarity === null && hasVectors ? 'not-embedded' : 'unrelated';
}
