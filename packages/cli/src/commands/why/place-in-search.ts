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
  /** 1-based rank; null if the artifact is not in the results. */
  rank: number | null;
  total_matched: number;
  result: SearchResult | null;
  above: SearchResult[];
  /** Layers, that of the searched version first. */
  layers: string[];
  degraded: boolean;
  words_only: boolean;
}

export type Verdict =
  | 'found'
  /** Matches, but ranks below the last result. */
  | 'outranked'
  /** Matches no word, and is not similar enough. */
  | 'unrelated'
  /** Matches no word, and has no vector yet. */
  | 'not-embedded'
  | 'deprecated'
  /** The author limits the artifact to lookups by id. */
  | 'direct-only'
  /** Missing, or not visible to the caller. */
  | 'absent';

/** Finds the rank of an artifact with ordinary requests, which reveal nothing hidden. */
export async function placeInSearch(
  discovery: Discovery,
  { id, query }: { id: string; query: string },
  signal: AbortSignal,
): Promise<SearchPlace> {
  const ask = (more: { query: string; scope?: string }): Promise<SearchResponse> =>
    discovery.searchArtifacts({ ...more, top_k: TOP_K_MAX, explain: true }, signal);
  const answer = await ask({ query });
  const rank = answer.results.findIndex((result) => result.id === id) + 1;
  // The scope contains only the artifact and its descendants, so it ranks among the first.
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

/** Lists the layers that serve the artifact, that of the winning version first. */
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
  // A search without a query lists all artifacts, except those limited to lookups by id.
  if (!isIn(await ask({ query: '', scope: id }))) return 'direct-only';
  // A query for its name returns the similarity of an artifact; null means that there is no vector.
  const named = await ask({ query: lastSegment(id), scope: id });
  const similarity = named.results.find((each) => each.id === id)?.explanation?.similarity;
  const hasVectors = named.degraded !== true && named.words_only !== true;
  return similarity === null && hasVectors ? 'not-embedded' : 'unrelated';
}
