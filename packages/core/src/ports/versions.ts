import type { Sensitivity } from '../artifact/types.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** Bundled file of a version. Its content is stored as a blob, or as an object above the inline limit. */
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
  /** Ids of all parents, nearest first. */
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
  /** Declared sensitivity; null counts as low. */
  sensitivity: Sensitivity | null;
  search_visibility: 'indexed' | 'direct-only';
  deprecated: boolean;
  replaced_by: string | null;
  content_hash: string;
  /** Number that increases with every ingested version of the tenant. `latest` is the highest. */
  ingest_order: number;
  ingested_at: string;
}

/** Stored version, which never changes. */
export interface VersionRecord extends VersionColumns {
  authored_hash: string;
  /** Content of `ARTIFACT.md`; null for a skill without one. */
  manifest: string | null;
  skill: string | null;
  /** Files; paths in byte order. */
  files: readonly StoredFile[];
  extends: StoredExtends | null;
  /** Frontmatter for search results; null if it is hidden. */
  frontmatter: string | null;
  /** Why loading is rejected although the version was ingested (extends, rule 5). */
  refusal: string | null;
  /** Git commit of the first read; null for a folder or if unknown. */
  source_commit: string | null;
}

/** Served version of an id in a layer. An artifact that was removed from its source has none. */
export interface HeadRecord extends VersionColumns {
  frontmatter: string | null;
}

export interface ListedHead extends Pick<
  VersionColumns,
  'layer' | 'id' | 'version' | 'type' | 'content_hash' | 'deprecated'
> {
  /** False if the version must never be served; its frontmatter is hidden. */
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

/** Page of a view: up to `limit` heads after the id `after`, in byte order. */
export interface ViewPage {
  /** `a/b` selects the id itself and all below it; empty selects all. */
  prefix: string;
  after: string;
  limit: number;
}

export interface VersionSummary {
  version: string;
  content_hash: string;
  deprecated: boolean;
  /** Order for `latest`; differs from `stored_order` after a rollback. */
  ingest_order: number;
  stored_order: number;
  ingested_at: string;
  /** True if the source returned to an earlier version (SPEC-70). */
  rolled_back: boolean;
}

/** State of a version that rollbacks change; the version itself never changes. */
export interface VersionStanding extends Pick<
  VersionSummary,
  'version' | 'ingest_order' | 'rolled_back'
> {
  id: string;
}

/** Version with a parent, whose content it contains. */
export interface ExtendingVersion {
  layer: LayerNumber;
  id: string;
  version: string;
  parent: StoredExtends;
}

export interface Blob {
  content_hash: string;
  bytes: Uint8Array;
}

/** Permanent record of a version (SPEC-7). */
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

/** Rejected artifact, stored until it is accepted or removed (SPEC-56). */
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
  /** Lists the heads of ids in the given layers, in any order. The caller selects by precedence. */
  listHeadsOf(tenant: Tenant, layers: LayerStack, ids: readonly string[]): Promise<HeadRecord[]>;
  /** Returns texts of ids with a head in the layer, in any order. */
  readTexts(tenant: Tenant, layer: LayerNumber, ids: readonly string[]): Promise<HeadText[]>;
  /** Lists a page of a view: for each id, the head of the highest layer. */
  listView(tenant: Tenant, layers: LayerStack, page: ViewPage): Promise<ListedHead[]>;
  describeView(tenant: Tenant, layers: LayerStack, page: ViewPage): Promise<DescribedHead[]>;
  /** Returns exact counts of a view, from counters that writes maintain. */
  countView(tenant: Tenant, layers: LayerStack): Promise<ViewCounts>;
  get(
    tenant: Tenant,
    layer: LayerNumber,
    id: string,
    version: string,
  ): Promise<VersionRecord | undefined>;
  /** Lists all versions of an id that a layer ever ingested, by `ingest_order`. */
  listVersions(tenant: Tenant, layer: LayerNumber, id: string): Promise<VersionSummary[]>;
  /** Lists all versions whose direct parent has one of the ids. Reads all versions with a parent. */
  listExtending(tenant: Tenant, ids: readonly string[]): Promise<ExtendingVersion[]>;
  countVersions(tenant: Tenant, layer: LayerNumber): Promise<number>;
  /** Returns the git commit of each version of an id; absent if unknown. */
  listCommits(tenant: Tenant, layer: LayerNumber, id: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Lists up to `limit` heads before a position, last ingested first, then by descending id. Several layers may have
   * the same id; the caller selects by precedence.
   */
  listRecent(
    tenant: Tenant,
    layers: LayerStack,
    page: { before: RecentPlace; limit: number },
  ): Promise<RecentPage>;
  /** Returns the authored hash of every version that a layer ever ingested, by `id@version`. */
  readLedger(
    tenant: Tenant,
    layer_id: string,
    keys: readonly { id: string; version: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  readBlobs(tenant: Tenant, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Lists the versions that contain an object, so that access to it is checked like a load. */
  listHoldersOf(
    tenant: Tenant,
    layers: LayerStack,
    content_hash: string,
    limit: number,
  ): Promise<{ layer: LayerNumber; id: string; version: string }[]>;
  /** Returns the hashes that no version of the tenant contains, in any layer. */
  listUnreferenced(tenant: Tenant, hashes: readonly string[]): Promise<string[]>;
  /**
   * Lists references to an id by `from` and kind. A page contains all layers of its last entry, so it may exceed the
   * limit; the last page is shorter than the limit.
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
  /** Lists layers with rejected artifacts that wait for one of the ids. */
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
  /** Stores versions. Throws if the ledger has other content for one of them. */
  putVersions(tenant: Tenant, layer_id: string, versions: readonly VersionRecord[]): Promise<void>;
  /**
   * Deletes versions of a layer and blobs that no other version uses. Keeps the ledger. The caller replaces their
   * heads first.
   */
  purgeVersions(
    tenant: Tenant,
    layer: LayerNumber,
    versions: readonly { id: string; version: string }[],
  ): Promise<void>;
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
  /** Removes heads. Versions and ledger stay (SPEC-20). */
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
