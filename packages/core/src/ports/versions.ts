import type { Sensitivity } from '../artifact/types.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** Bundled file of a stored version. Its content is a blob, or an object above the size cutoff. */
export interface StoredFile {
  path: string;
  content_hash: string;
  size: number;
  executable: boolean;
}

export interface StoredExtends {
  id: string;
  version: string;
  layer: LayerNumber;
  /** Ids of all merged artifacts, nearest first. */
  ancestors: readonly string[];
}

export interface VersionColumns {
  layer: LayerNumber;
  id: string;
  version: string;
  type: string;
  name: string;
  description: string;
  when_to_use: readonly string[];
  tags: readonly string[];
  /** Null if none is declared; counts as low. */
  sensitivity: Sensitivity | null;
  search_visibility: 'indexed' | 'direct-only';
  deprecated: boolean;
  replaced_by: string | null;
  content_hash: string;
  /** Increases with every ingested version of the tenant. `latest` is the highest. */
  ingest_order: number;
  ingested_at: string;
}

/** Immutable after it is stored. */
export interface VersionRecord extends VersionColumns {
  authored_hash: string;
  /** Null for a bare skill. */
  manifest: string | null;
  skill: string | null;
  /** Paths in byte order. */
  files: readonly StoredFile[];
  extends: StoredExtends | null;
  /** Frontmatter with its fences, as shown in search results; null if it is hidden. */
  frontmatter: string | null;
  /** Reason why loading is rejected although the version was ingested (extends, rule 5). */
  refusal: string | null;
  /** Git commit that it was first read from; null for a folder, and if unknown. */
  source_commit: string | null;
}

/** An artifact that was removed from its source has no head. */
export interface HeadRecord extends VersionColumns {
  frontmatter: string | null;
}

export interface ListedHead extends Pick<
  VersionColumns,
  'layer' | 'id' | 'version' | 'type' | 'content_hash' | 'deprecated'
> {
  /** False if the version was ingested but is never served. It has no visible frontmatter. */
  servable: boolean;
}

export type DescribedHead = Pick<VersionColumns, 'layer' | 'id' | 'type' | 'description'>;

export type RecentPlace = Pick<VersionColumns, 'ingested_at' | 'id'>;

export type RecentHead = RecentPlace & Pick<VersionColumns, 'layer'>;

export interface RecentPage {
  heads: RecentHead[];
  next: RecentPlace | undefined;
}

export function toRecentPage(heads: RecentHead[], limit: number): RecentPage {
  const last = heads.length < limit ? undefined : heads.at(-1);
  return { heads, next: last && { ingested_at: last.ingested_at, id: last.id } };
}

export type HeadText = Pick<VersionColumns, 'id' | 'name' | 'description' | 'when_to_use' | 'tags'>;

/** Page of a view in byte order of ids: up to `limit` heads after the id `after`. */
export interface ViewPage {
  /** Finds `a/b` itself and `a/b/...`; empty for all. */
  prefix: string;
  after: string;
  limit: number;
}

export interface VersionSummary {
  version: string;
  content_hash: string;
  deprecated: boolean;
  /** Differs from `stored_order` after a rollback to the version. */
  ingest_order: number;
  stored_order: number;
  ingested_at: string;
  /** True if the source returned to an earlier version (SPEC-70). */
  rolled_back: boolean;
}

/** Changes to a version by rollbacks. The version itself is immutable. */
export interface VersionStanding extends Pick<
  VersionSummary,
  'version' | 'ingest_order' | 'rolled_back'
> {
  id: string;
}

export interface Blob {
  content_hash: string;
  bytes: Uint8Array;
}

/** Kept forever (SPEC-7). */
export interface LedgerRow {
  id: string;
  version: string;
  authored_hash: string;
}

export interface Edge {
  from: string;
  to: string;
  kind: 'extends' | 'delegates_to' | 'mcpServers';
  to_version: string | null;
}

export interface EdgePlace {
  from: string;
  kind: string;
}

/** Stored until the artifact is accepted or removed from the source (SPEC-56). */
export interface RejectionRecord {
  artifact_id: string;
  type?: string | undefined;
  code: string;
  reason: string;
  /** Ids whose arrival triggers a retry. */
  awaits: readonly string[];
}

export interface ViewCounts {
  artifact_count: number;
  by_type: Readonly<Record<string, number>>;
  by_sensitivity: Readonly<Record<Sensitivity, number>>;
}

/** Layer numbers of a view, lowest precedence first. */
export type LayerStack = readonly LayerNumber[];

export interface VersionReads {
  /**
   * Lists the heads of the ids in all given layers, in no particular order. The caller composes
   * them.
   */
  listHeadsOf(tenant: Tenant, layers: LayerStack, ids: readonly string[]): Promise<HeadRecord[]>;
  /** Returns the texts of the given ids that have a head in the layer, in no particular order. */
  readTexts(tenant: Tenant, layer: LayerNumber, ids: readonly string[]): Promise<HeadText[]>;
  /** Lists a page of the composed view: the head of the highest layer for each id. */
  listView(tenant: Tenant, layers: LayerStack, page: ViewPage): Promise<ListedHead[]>;
  describeView(tenant: Tenant, layers: LayerStack, page: ViewPage): Promise<DescribedHead[]>;
  /** Returns exact counts of the composed view, from counters that writes maintain. */
  countView(tenant: Tenant, layers: LayerStack): Promise<ViewCounts>;
  get(
    tenant: Tenant,
    layer: LayerNumber,
    id: string,
    version: string,
  ): Promise<VersionRecord | undefined>;
  /** Lists all versions of an id that the layer has ever ingested, by `ingest_order`. */
  listVersions(tenant: Tenant, layer: LayerNumber, id: string): Promise<VersionSummary[]>;
  countVersions(tenant: Tenant, layer: LayerNumber): Promise<number>;
  /** Returns the git commit of each version of an id in the layer. Versions without one are absent. */
  listCommits(tenant: Tenant, layer: LayerNumber, id: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Lists up to `limit` (at least 1) heads before the position `before`, the last ingested first, ties
   * by descending id. An id may have heads in several layers; the caller composes them.
   */
  listRecent(
    tenant: Tenant,
    layers: LayerStack,
    page: { before: RecentPlace; limit: number },
  ): Promise<RecentPage>;
  /** Returns the authored hash of every version that the layer has ever ingested, by `id@version`. */
  readLedger(
    tenant: Tenant,
    layer_id: string,
    keys: readonly { id: string; version: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  readBlobs(tenant: Tenant, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Lists the versions of the layers that contain an object, so that access is checked as for a
   * load.
   */
  listHoldersOf(
    tenant: Tenant,
    layers: LayerStack,
    content_hash: string,
    limit: number,
  ): Promise<{ layer: LayerNumber; id: string; version: string }[]>;
  /**
   * Returns the hashes that no version of the tenant contains, in any layer, including deleted
   * ones.
   */
  listUnreferenced(tenant: Tenant, hashes: readonly string[]): Promise<string[]>;
  /**
   * Lists edges by `from` and kind in byte order. A page includes all layers of its last `from` and
   * kind, so it may exceed the limit. The last page is shorter than the limit.
   */
  listEdgesTo(
    tenant: Tenant,
    layers: LayerStack,
    id: string,
    page: { after: EdgePlace | undefined; limit: number },
  ): Promise<(Edge & { layer: LayerNumber })[]>;
  /** Lists a page of the ids of a layer's heads, in byte order. */
  listHeadIds(
    tenant: Tenant,
    layer: LayerNumber,
    after: string,
    limit: number,
  ): Promise<{ id: string; content_hash: string; version: string }[]>;
  listRejections(
    tenant: Tenant,
    layers: LayerStack,
  ): Promise<(RejectionRecord & { layer: LayerNumber })[]>;
  /** Lists layers with rejections that wait for one of the ids. */
  listWaiting(
    tenant: Tenant,
    ids: readonly string[],
  ): Promise<{ layer: LayerNumber; artifact_id: string }[]>;
  findServers(
    tenant: Tenant,
    layers: LayerStack,
    identifiers: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}

export interface VersionWrites extends VersionReads {
  takeIngestOrders(tenant: Tenant, count: number): Promise<number>;
  putBlobs(tenant: Tenant, blobs: readonly Blob[]): Promise<void>;
  /** Throws if the ledger has different content. */
  putVersions(tenant: Tenant, layer_id: string, versions: readonly VersionRecord[]): Promise<void>;
  putStandings(
    tenant: Tenant,
    layer: LayerNumber,
    standings: readonly VersionStanding[],
  ): Promise<void>;
  putHeads(
    tenant: Tenant,
    layer: LayerNumber,
    heads: readonly (HeadRecord & { edges: readonly Edge[]; server_identifier: string | null })[],
  ): Promise<void>;
  /** Keeps versions and ledger (SPEC-20). */
  removeHeads(tenant: Tenant, layer: LayerNumber, ids: readonly string[]): Promise<void>;
  putRejections(
    tenant: Tenant,
    layer: LayerNumber,
    rejections: readonly RejectionRecord[],
  ): Promise<void>;
  removeRejections(
    tenant: Tenant,
    layer: LayerNumber,
    artifact_ids: readonly string[],
  ): Promise<void>;
}
