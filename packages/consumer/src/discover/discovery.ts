import type { ArtifactRecord, Lineage, VersionList } from '@catalog/contract/records/artifact';
import type { DomainMapRecord, SearchResponse } from '@catalog/contract/records/discovery';

export interface Discovery {
  searchArtifacts(
    input: {
      query?: string;
      type?: string;
      /** Tags, all of which an artifact must have. */
      tags?: readonly string[];
      scope?: string;
      top_k?: number;
      /** True to add to each result the words and the similarity that led to it. */
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
  loadLineage(
    input: { id: string; version?: string; layer?: string },
    signal?: AbortSignal,
  ): Promise<Lineage>;
}
