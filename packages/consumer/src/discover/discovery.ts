import type { ArtifactRecord, Lineage, VersionList } from '@catalog/contract/records/artifact';
import type { DomainMapRecord, SearchResponse } from '@catalog/contract/records/discovery';

/**
 * Looking around in a registry, whether it is a folder or a server: what a person asks before
 * anything is delivered. The client of a server is one as it is.
 */
export interface Discovery {
  searchArtifacts(
    input: {
      query?: string;
      type?: string;
      /** An artifact must carry all of them. */
      tags?: readonly string[];
      scope?: string;
      top_k?: number;
      /** Tell for each result which words and what similarity put it there. */
      explain?: boolean;
    },
    signal?: AbortSignal,
  ): Promise<SearchResponse>;
  loadDomain(
    input: { path?: string; depth?: number },
    signal?: AbortSignal,
  ): Promise<DomainMapRecord>;
  loadArtifact(
    input: { id: string; version?: string },
    signal?: AbortSignal,
  ): Promise<ArtifactRecord>;
  listVersions(input: { id: string }, signal?: AbortSignal): Promise<VersionList>;
  /** Lists the parents of an artifact, and the artifacts that contribute its fields. */
  loadLineage(
    input: { id: string; version?: string; layer?: string },
    signal?: AbortSignal,
  ): Promise<Lineage>;
}
