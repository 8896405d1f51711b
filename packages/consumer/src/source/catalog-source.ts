import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import type { VersionList } from '@catalog/contract/records/artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Rejection } from '@catalog/core/ingest/types';
import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import type { FingerprintedEntry } from '@catalog/core/node/read-layer';

export interface CatalogEntry {
  id: string;
  type: string;
  version: string;
  layer: string;
  content_hash: string;
  deprecated: boolean;
}

export interface CatalogListing {
  entries: CatalogEntry[];
  rejected: Rejection[];
  advisories: Diagnostic[];
  registry_rules?: readonly AnnouncedContentRule[];
  overlay_layer?: string;
  /** Artifacts of the overlay that contain the content of another one. */
  extending?: ReadonlySet<string>;
}

/** Lists versions in all layers the caller can see. */
export type ListVersions = (id: string, signal?: AbortSignal) => Promise<VersionList['versions']>;

/** Fingerprint of a source; only the source that created it can interpret it. */
export interface SourceStamp {
  seen: FingerprintedEntry[];
  /** Empty for a folder. */
  revision: string;
}

/**
 * A folder, or a registry over HTTP. Sync, the MCP server and the SDKs use this interface, independent
 * of the kind (SPEC-48).
 */
export interface CatalogSource {
  readonly registry: string;
  list(signal?: AbortSignal): Promise<CatalogListing>;
  load(ids: readonly string[], signal?: AbortSignal): Promise<Artifact[]>;
  /** Identifies the caller without network access; absent for a folder. */
  viewer?(signal?: AbortSignal): Promise<string>;
  /** Undefined for a folder, which keeps no history (SPEC-48). */
  readonly listVersions?: ListVersions;
  stamp(): SourceStamp;
  /** Checks as cheaply as possible that a new listing would match each stamp. */
  isCurrent(stamps: readonly SourceStamp[], signal?: AbortSignal): Promise<boolean>;
}
