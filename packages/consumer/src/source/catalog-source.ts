import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import type { VersionList } from '@catalog/contract/records/artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Rejection } from '@catalog/core/ingest/types';
import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import type { SeenEntry } from '@catalog/core/node/read-layer';

/** One artifact of the effective view, without its bytes. */
export interface CatalogEntry {
  id: string;
  type: string;
  version: string;
  layer: string;
  content_hash: string;
  deprecated: boolean;
}

/** The effective view of the caller, one entry per id in byte order, and what did not make it there. */
export interface CatalogListing {
  entries: CatalogEntry[];
  rejected: Rejection[];
  advisories: Diagnostic[];
  /** Policy for executable content that the registry announces; absent if it has none. */
  registry_rules?: readonly AnnouncedContentRule[];
  /** Layer name of the overlay: files of this workspace, not the registry's. */
  overlay_layer?: string;
  /** Artifacts of the overlay that extend another one, and so hold content of it. */
  extending?: ReadonlySet<string>;
}

/** Lists every version a registry keeps of an artifact, in all layers the caller can see. */
export type ListVersions = (id: string, signal?: AbortSignal) => Promise<VersionList['versions']>;

/** What a source looked like when it was listed; opaque to everybody but the source that made it. */
export interface SourceStamp {
  /** Files on this machine. */
  seen: SeenEntry[];
  /** The name a registry elsewhere gives to what it serves; empty for a folder. */
  revision: string;
}

/**
 * Where artifacts come from: a folder, or a registry over HTTP. Sync, the MCP server and the SDKs
 * read through this and cannot tell which it is (SPEC-48).
 */
export interface CatalogSource {
  /** The registry as the lock file names it. */
  readonly registry: string;
  /** The whole effective view. */
  list(signal?: AbortSignal): Promise<CatalogListing>;
  /** The named artifacts of the listing, in the order asked for. */
  load(ids: readonly string[], signal?: AbortSignal): Promise<Artifact[]>;
  /** Identifies the caller without asking the registry; absent for a folder, which has no callers. */
  viewer?(signal?: AbortSignal): Promise<string>;
  /** Undefined for a folder, which keeps no history (SPEC-48). */
  readonly listVersions?: ListVersions;
  /** What the last `list` saw. */
  stamp(): SourceStamp;
  /** Whether a new listing would be the one each stamp was taken of, found out as cheaply as can be. */
  isCurrent(stamps: readonly SourceStamp[], signal?: AbortSignal): Promise<boolean>;
}
