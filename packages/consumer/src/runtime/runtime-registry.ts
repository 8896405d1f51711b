import type {
  DomainMapRecord,
  DomainSearchResponse,
  SearchResponse,
} from '@catalog/contract/records/discovery';
import type { Artifact } from '@catalog/core/artifact/types';

/** What is said beside an answer that did not come from the registry just now (CACHE-01). */
export interface Offline {
  status?: 'offline';
  served_from_cache?: true;
}

/** An artifact with all its files, its content hash verified. */
export interface LoadedArtifact extends Offline {
  artifact: Artifact;
  layer: string;
  /** From the workspace's overlay, not from the registry. */
  overlay?: true;
  deprecated: boolean;
  replaced_by?: string;
  deprecation_warning?: string;
}

/** Questions of one session get answers of one state, as far as `latest` goes. */
export interface InSession {
  session_id?: string;
}

/**
 * A registry as an agent asks it in the middle of its work: the four questions, the overlay on top,
 * the cache mode decided. Every answer comes within its time, or is an error of the catalogue.
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
