import type {
  DomainMapRecord,
  DomainSearchResponse,
  SearchResponse,
} from '@catalog/contract/records/discovery';
import type { Artifact } from '@catalog/core/artifact/types';

/** Status of a response from the cache (CACHE-01). */
export interface Offline {
  status?: 'offline';
  served_from_cache?: true;
}

export interface LoadedArtifact extends Offline {
  artifact: Artifact;
  layer: string;
  overlay?: true;
  deprecated: boolean;
  replaced_by?: string;
  deprecation_warning?: string;
}

/** Session; its requests resolve `latest` to the same versions. */
export interface InSession {
  session_id?: string;
}

/**
 * Operations for an agent, with overlay and cache mode. Each call ends within its timeout, or throws an error with a
 * documented code.
 */
export interface RuntimeRegistry {
  loadDomain(
    input: InSession & { path?: string; depth?: number },
    signal?: AbortSignal,
  ): Promise<DomainMapRecord & Offline>;
  searchDomains(
    input: InSession & { query?: string; scope?: string; top_k?: number },
    signal?: AbortSignal,
  ): Promise<DomainSearchResponse & Offline>;
  searchArtifacts(
    input: InSession & {
      query?: string;
      type?: string;
      tags?: readonly string[];
      scope?: string;
      top_k?: number;
    },
    signal?: AbortSignal,
  ): Promise<SearchResponse & Offline>;
  loadArtifact(
    input: InSession & {
      id: string;
      version?: string;
      onProgress?: (done: number, total: number) => void;
    },
    signal?: AbortSignal,
  ): Promise<LoadedArtifact>;
}
