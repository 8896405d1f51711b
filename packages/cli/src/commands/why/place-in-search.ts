import type { Discovery } from '@catalog/consumer/discover/discovery';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { TOP_K_MAX } from '@catalog/contract/limits';
import type { VersionList } from '@catalog/contract/records/artifact';
import type { SearchResponse, SearchResult } from '@catalog/contract/records/discovery';
import { lastSegment } from '@catalog/core/text/slash-path';

/** Where an artifact stands in a search, or why it does not. */
export interface SearchPlace {
  id: string;
  query: string;
  verdict: Verdict;
  /** From 1; null where it is not among the results. */
  rank: number | null;
  total_matched: number;
  /** The artifact as a search shows it, with its reasons; null where it does not match. */
  result: SearchResult | null;
  /** Better results, best first. */
  above: SearchResult[];
  /** The layers that hold it, that of the version which is searched first. */
  layers: string[];
  /** The search by meaning did not answer. */
  degraded: boolean;
  /** The registry has no embeddings. */
  words_only: boolean;
}

export type Verdict =
  | 'found'
  /** It matches, behind more results than a search answers. */
  | 'outranked'
  /** It has none of the words, and what it means is too far away. */
  | 'unrelated'
  /** It has none of the words, and what it means is not known yet. */
  | 'not-embedded'
  | 'deprecated'
  /** It asks to be found by its id alone. */
  | 'direct-only'
  /** There is none, or this caller may not see it. */
  | 'absent';

/** Asks a registry what it would show anyway; nothing here sees more than the caller. */
export async function placeInSearch(
  discovery: Discovery,
  { id, query }: { id: string; query: string },
  signal: AbortSignal,
): Promise<SearchPlace> {
  const ask = (more: { query: string; scope?: string }): Promise<SearchResponse> =>
    discovery.searchArtifacts({ ...more, top_k: TOP_K_MAX, explain: true }, signal);
  const answer = await ask({ query });
  const rank = answer.results.findIndex((result) => result.id === id) + 1;
  // Below the artifact are only those in its own folder, so it is among the first.
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

/** Those that serve it now, the one whose version wins first. */
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
  // Without a query a search lists all there is to find; what it leaves out has asked for it.
  if (!isIn(await ask({ query: '', scope: id }))) return 'direct-only';
  // Its own name finds it, and tells whether it has a vector.
  const named = await ask({ query: lastSegment(id), scope: id });
  const similarity = named.results.find((each) => each.id === id)?.explanation?.similarity;
  const hasVectors = named.degraded !== true && named.words_only !== true;
  return similarity === null && hasVectors ? 'not-embedded' : 'unrelated';
}
