import type { session } from '@catalog/contract/endpoints/browser';
import type {
  catalog,
  dependents,
  loadDomain,
  previewScope,
  recent,
  searchArtifacts,
  searchDomains,
} from '@catalog/contract/endpoints/discovery';
import type { listIngests, listLayers } from '@catalog/contract/endpoints/layers';
import type {
  artifactLineage,
  listVersions,
  loadArtifact,
} from '@catalog/contract/endpoints/materialization';
import type { getArtifactUsage, popular } from '@catalog/contract/endpoints/usage';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { monotonicMs } from '../clock.ts';
import { call } from './call.ts';

const SEARCH_PAGE = 25;
/** Maximum number of results that a user can page through. */
export const SEARCH_WINDOW = 200;
const LIST_PAGE = 50;
const RECENT = 8;
const POPULAR = 5;

const SECOND = 1000;

/** Query for the user's session, refreshed when the window regains focus. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call<typeof session>('GET', '/v1/ui/session', { signal }),
  staleTime: 30 * SECOND,
  refetchOnWindowFocus: true,
});

/** Query for a preview of the artifacts that the user can see. */
export const scopeQuery = queryOptions({
  queryKey: ['scope'],
  queryFn: ({ signal }) => call<typeof previewScope>('GET', '/v1/scope/preview', { signal }),
});

/** Returns the query of a domain. Its pages list subdomains by path, then artifacts by id. */
export function domainQuery(path: string, depth = 1) {
  return infiniteQueryOptions({
    queryKey: ['domain', path, depth],
    queryFn: ({ signal, pageParam }) =>
      call<typeof loadDomain>('GET', '/v1/load_domain', {
        query: { path, depth, counts: 'true', limit: LIST_PAGE, cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** Search terms and filters of the search page. */
export interface SearchArguments {
  query: string;
  type: string;
  tags: string;
  scope: string;
  layer: string;
  harness: string;
}

/** Search response with its duration in milliseconds, as measured by the browser. */
export interface TimedSearch extends SearchResponse {
  took_ms: number;
}

/** Returns the query of a search. The results of the previous one stay until the new ones arrive. */
export function searchQuery(search: SearchArguments) {
  return infiniteQueryOptions({
    queryKey: ['search', search],
    queryFn: async ({ signal, pageParam }): Promise<TimedSearch> => {
      const start = monotonicMs();
      const response = await call<typeof searchArtifacts>('GET', '/v1/search_artifacts', {
        query: {
          ...search,
          top_k: SEARCH_PAGE,
          offset: pageParam,
          explain: 'true',
          facets: 'true',
        },
        signal,
      });
      return { ...response, took_ms: Math.round(monotonicMs() - start) };
    },
    initialPageParam: 0,
    getNextPageParam: ({ results, total_matched }, _pages, offset) => {
      const next = offset + SEARCH_PAGE;
      const isLast = results.length < SEARCH_PAGE || next >= Math.min(total_matched, SEARCH_WINDOW);
      return isLast ? undefined : next;
    },
    placeholderData: keepPreviousData,
  });
}

/** Returns the paged query for deprecated artifacts in a scope. */
export function deprecatedQuery(scope: string) {
  return infiniteQueryOptions({
    queryKey: ['deprecated', scope],
    queryFn: ({ signal, pageParam }) =>
      call<typeof catalog>('GET', '/v1/catalog', {
        query: { scope, deprecated: 'true', limit: LIST_PAGE, cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** Query for the most recent artifacts. */
export const recentQuery = queryOptions({
  queryKey: ['recent'],
  queryFn: ({ signal }) =>
    call<typeof recent>('GET', '/v1/recent', { query: { limit: RECENT }, signal }),
});

/** Query for the most used artifacts. */
export const popularQuery = queryOptions({
  queryKey: ['popular'],
  queryFn: ({ signal }) =>
    call<typeof popular>('GET', '/v1/usage', { query: { limit: POPULAR }, signal }),
});

/** Returns the query for the loads and syncs of an artifact. */
export function usageQuery(id: string) {
  return queryOptions({
    queryKey: ['usage', id],
    queryFn: ({ signal }) =>
      call<typeof getArtifactUsage>('GET', '/v1/usage/artifact', { query: { id }, signal }),
  });
}

/** Returns the query for the three best matching domains, disabled for an empty search. */
export function domainSearchQuery(query: string) {
  return queryOptions({
    queryKey: ['domain-search', query],
    queryFn: ({ signal }) =>
      call<typeof searchDomains>('GET', '/v1/search_domains', {
        query: { query, top_k: 3 },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: query !== '',
  });
}

/** Returns the query for one version of an artifact, optionally from a specific layer. */
export function artifactQuery(id: string, version: string, layer = '') {
  return queryOptions({
    queryKey: ['artifact', id, version, layer],
    queryFn: ({ signal }) =>
      call<typeof loadArtifact>('GET', '/v1/load_artifact', {
        query: { id, version, layer },
        signal,
      }),
  });
}

/** Returns the query for all versions of an artifact. */
export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: ['versions', id],
    queryFn: ({ signal }) =>
      call<typeof listVersions>('GET', '/v1/artifacts/versions', { query: { id }, signal }),
  });
}

/** Returns the query for the lineage of an artifact version in a layer. */
export function lineageQuery(id: string, version: string, layer: string) {
  return queryOptions({
    queryKey: ['lineage', id, version, layer],
    queryFn: ({ signal }) =>
      call<typeof artifactLineage>('GET', '/v1/artifacts/lineage', {
        query: { id, version, layer },
        signal,
      }),
  });
}

/** Returns the paged query for artifacts that depend on an artifact. */
export function dependentsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['dependents', id],
    queryFn: ({ signal, pageParam }) =>
      call<typeof dependents>('GET', '/v1/dependents', {
        query: { id, limit: LIST_PAGE, cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** Returns the query for active layers with details, or for deleted layers. */
export function layersQuery(deleted = false) {
  return queryOptions({
    queryKey: ['layers', deleted],
    queryFn: ({ signal }) =>
      call<typeof listLayers>('GET', '/v1/layers', {
        query: deleted ? { deleted: 'true' } : { details: 'true' },
        signal,
      }),
  });
}

const PROGRESS_MS = SECOND;
/** Interval of polls without a running ingest, because another user may start one. */
const IDLE_MS = 10 * SECOND;

/** Returns the query for a layer's ingests, which polls faster while one is queued or running. */
export function ingestsQuery(id: string) {
  return queryOptions({
    queryKey: ['ingests', id],
    queryFn: ({ signal }) =>
      call<typeof listIngests>('GET', '/v1/layers/ingests', { query: { id }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.ingests.some(({ state }) => state === 'queued' || state === 'running')
        ? PROGRESS_MS
        : IDLE_MS,
  });
}
