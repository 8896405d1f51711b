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
  /** Overlay artifacts that contain content of another artifact. */
  extending?: ReadonlySet<string>;
}

/** Lists versions in all layers that the caller can see. */
export type ListVersions = (id: string, signal?: AbortSignal) => Promise<VersionList['versions']>;

/** Fingerprint of a source, which only that source can interpret. */
export interface SourceStamp {
  seen: FingerprintedEntry[];
  /** Revision; empty for a folder. */
  revision: string;
}

/** Source of artifacts: a folder, or a registry over HTTP. Sync, the MCP server and the SDKs use it alike (SPEC-48). */
export interface CatalogSource {
  readonly registry: string;
  list(signal?: AbortSignal): Promise<CatalogListing>;
  load(ids: readonly string[], signal?: AbortSignal): Promise<Artifact[]>;
  /** Identifies the caller without network access; absent for a folder. */
  viewer?(signal?: AbortSignal): Promise<string>;
  /** Lists versions; undefined for a folder, which has no history (SPEC-48). */
  readonly listVersions?: ListVersions;
  stamp(): SourceStamp;
  /** Returns true if nothing has changed since each fingerprint, as cheaply as possible. */
  isCurrent(stamps: readonly SourceStamp[], signal?: AbortSignal): Promise<boolean>;
}
