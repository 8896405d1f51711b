import type { Sensitivity } from '../artifact/types.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** A bundled file of a stored version. Its bytes are a blob, or an object when they pass the cutoff. */
export interface StoredFile {
  path: string;
  /** `sha256:<hex>` of the bytes. */
  content_hash: string;
  size: number;
  executable: boolean;
}

/** What a child was merged with when it was ingested. */
export interface StoredExtends {
  id: string;
  version: string;
  /** The number of the parent's layer. */
  layer: LayerNumber;
  /** The ids of everything merged into it, nearest first. */
  ancestors: readonly string[];
}

/** The columns that searches, listings and domain maps show of an artifact. */
export interface VersionColumns {
  /** The number of the layer. */
  layer: LayerNumber;
  id: string;
  version: string;
  type: string;
  name: string;
  description: string;
  when_to_use: readonly string[];
  tags: readonly string[];
  /** Null where none is declared; counted as low. */
  sensitivity: Sensitivity | null;
  search_visibility: 'indexed' | 'direct-only';
  deprecated: boolean;
  replaced_by: string | null;
  content_hash: string;
  /** Rises with every version the tenant takes; `latest` is the highest. */
  ingest_order: number;
  ingested_at: string;
}

/** One version of one artifact of one layer; never changed once stored. */
export interface VersionRecord extends VersionColumns {
  authored_hash: string;
  /** `ARTIFACT.md` as served; null for a bare skill. */
  manifest: string | null;
  /** `SKILL.md` as served. */
  skill: string | null;
  /** Paths in byte order. */
  files: readonly StoredFile[];
  extends: StoredExtends | null;
  /** The block a search result shows, with its fences; null where it cannot be shown. */
  frontmatter: string | null;
  /** Why a load is refused although the version was taken (extends, rule 5). */
  refusal: string | null;
  /** The git commit it was first read from; null for a folder, and if unknown. */
  source_commit: string | null;
}

/** The current version of an id in one layer. An artifact that left its source has none. */
export interface HeadRecord extends VersionColumns {
  frontmatter: string | null;
}

/** A head, as far as a manifest of a whole view shows it. */
export interface ListedHead extends Pick<
  VersionColumns,
  'layer' | 'id' | 'version' | 'type' | 'content_hash' | 'deprecated'
> {
  /** False where the version was taken and is never served: it has no frontmatter to show. */
  servable: boolean;
}

/** A head, as far as a catalog of a whole view tells what it is. */
export type DescribedHead = Pick<VersionColumns, 'layer' | 'id' | 'type' | 'description'>;

/** A place in the order of ingests. */
export type RecentPlace = Pick<VersionColumns, 'ingested_at' | 'id'>;

/** A head, as far as its place among the last ingested ones shows it. */
export type RecentHead = RecentPlace & Pick<VersionColumns, 'layer'>;

export interface RecentPage {
  heads: RecentHead[];
  /** Where the next page continues; undefined after the last page. */
  next: RecentPlace | undefined;
}

/** A page of heads, of which `limit` were requested. */
export function toRecentPage(heads: RecentHead[], limit: number): RecentPage {
  const last = heads.length < limit ? undefined : heads.at(-1);
  return { heads, next: last && { ingested_at: last.ingested_at, id: last.id } };
}

/** A head, as far as its meaning is searched. */
export type HeadText = Pick<VersionColumns, 'id' | 'name' | 'description' | 'when_to_use' | 'tags'>;

/** A page of a view in byte order of the id: at most `limit` heads after the id `after`. */
export interface ViewPage {
  /** Limits it to a domain (`a/b` finds `a/b` itself and `a/b/...`); empty for all of it. */
  prefix: string;
  after: string;
  limit: number;
}

/** One stored version, as far as pins and listings look at it. */
export interface VersionSummary {
  version: string;
  content_hash: string;
  deprecated: boolean;
  /** Order of the last ingest that made it the current one; differs from `stored_order` after a rollback to it. */
  ingest_order: number;
  /** Order of the ingest that stored it. */
  stored_order: number;
  ingested_at: string;
  /** Whether the source returned to an earlier version (SPEC-70). */
  rolled_back: boolean;
}

/** What rollbacks changed about a version, which itself never changes. */
export interface VersionStanding extends Pick<
  VersionSummary,
  'version' | 'ingest_order' | 'rolled_back'
> {
  id: string;
}

/** Bytes by their hash. */
export interface Blob {
  content_hash: string;
  bytes: Uint8Array;
}

/** That a version existed with this authored content; kept for ever (SPEC-7). */
export interface LedgerRow {
  id: string;
  version: string;
  authored_hash: string;
}

/** One artifact names another. */
export interface Edge {
  from: string;
  to: string;
  kind: 'extends' | 'delegates_to' | 'mcpServers';
  /** The version of the parent an `extends` child was merged with. */
  to_version: string | null;
}

/** Where a list of edges to one id continues. */
export interface EdgePlace {
  from: string;
  kind: string;
}

/** What an ingest did not take, remembered until it is taken or leaves the source (SPEC-56). */
export interface RejectionRecord {
  artifact_id: string;
  /** Absent if unknown. */
  type?: string | undefined;
  code: string;
  reason: string;
  /** Ids whose arrival is a reason to try again. */
  awaits: readonly string[];
}

/** Counts over a composed view. */
export interface ViewCounts {
  artifact_count: number;
  by_type: Readonly<Record<string, number>>;
  by_sensitivity: Readonly<Record<Sensitivity, number>>;
}

/** The layers of a view by number, lowest precedence first. */
export type LayerStack = readonly LayerNumber[];

export interface VersionReads {
  /** Every head the layers hold of the ids, in no particular order; the caller composes. */
  listHeadsOf(tenant: Tenant, layers: LayerStack, ids: readonly string[]): Promise<HeadRecord[]>;
  /** The texts of those of the ids that the layer has a head of, in no particular order. */
  readTexts(tenant: Tenant, layer: LayerNumber, ids: readonly string[]): Promise<HeadText[]>;
  /** One page of the composed view: for each id the head of the highest layer. */
  listView(tenant: Tenant, layers: LayerStack, page: ViewPage): Promise<ListedHead[]>;
  /** The same heads, with what describes them. */
  describeView(tenant: Tenant, layers: LayerStack, page: ViewPage): Promise<DescribedHead[]>;
  /** Exact counts over the composed view, from counters the writes keep. */
  countView(tenant: Tenant, layers: LayerStack): Promise<ViewCounts>;
  get(
    tenant: Tenant,
    layer: LayerNumber,
    id: string,
    version: string,
  ): Promise<VersionRecord | undefined>;
  /** Every version one layer ever took of an id, by `ingest_order`. */
  listVersions(tenant: Tenant, layer: LayerNumber, id: string): Promise<VersionSummary[]>;
  /** The number of versions that one layer holds, withdrawn ones included. */
  countVersions(tenant: Tenant, layer: LayerNumber): Promise<number>;
  /** The git commit of each version that one layer has of an id; versions without one are absent. */
  listCommits(tenant: Tenant, layer: LayerNumber, id: string): Promise<ReadonlyMap<string, string>>;
  /**
   * The heads of the layers that were ingested last, the last one first and those of one moment by
   * descending id: at most `limit` (1 or more) before the place `before`. An id may have heads of several layers; the caller composes.
   * Reads up to `limit` rows of an index for each layer.
   */
  listRecent(
    tenant: Tenant,
    layers: LayerStack,
    page: { before: RecentPlace; limit: number },
  ): Promise<RecentPage>;
  /** The authored hash of each (id, version) the layer ever took; keys are `id@version`. */
  readLedger(
    tenant: Tenant,
    layer_id: string,
    keys: readonly { id: string; version: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Blobs by hash; what is missing is missing. */
  readBlobs(tenant: Tenant, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Versions of the layers that carry an object, so that a fetch can be checked like a load. */
  listHoldersOf(
    tenant: Tenant,
    layers: LayerStack,
    content_hash: string,
    limit: number,
  ): Promise<{ layer: LayerNumber; id: string; version: string }[]>;
  /** Those of the hashes that no version of the tenant carries, of any layer, a deleted one too. */
  listUnreferenced(tenant: Tenant, hashes: readonly string[]): Promise<string[]>;
  /**
   * Edges pointing at an id, from heads of the layers, by `from` and kind in byte order. A page has all
   * layers of its last `from` and kind, so it may exceed the limit. The last page is below the limit.
   */
  listEdgesTo(
    tenant: Tenant,
    layers: LayerStack,
    id: string,
    page: { after: EdgePlace | undefined; limit: number },
  ): Promise<(Edge & { layer: LayerNumber })[]>;
  /** Ids of every head of a layer, in byte order, a page at a time. */
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
  /** Layers with rejections that wait for one of the ids. */
  listWaiting(
    tenant: Tenant,
    ids: readonly string[],
  ): Promise<{ layer: LayerNumber; artifact_id: string }[]>;
  /** mcp-server heads that declare the identifier, for edges. */
  findServers(
    tenant: Tenant,
    layers: LayerStack,
    identifiers: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}

export interface VersionWrites extends VersionReads {
  /** The next ingest order of the tenant, `count` of them; the first is returned. */
  takeIngestOrders(tenant: Tenant, count: number): Promise<number>;
  putBlobs(tenant: Tenant, blobs: readonly Blob[]): Promise<void>;
  /** Stores versions that are not there yet and their ledger rows; throws where the ledger has other content. */
  putVersions(tenant: Tenant, layer_id: string, versions: readonly VersionRecord[]): Promise<void>;
  /** Stores the standings of versions; earlier ones of the same versions are replaced. */
  putStandings(
    tenant: Tenant,
    layer: LayerNumber,
    standings: readonly VersionStanding[],
  ): Promise<void>;
  /** Makes these the heads of their ids, with the counters and the edges of each. */
  putHeads(
    tenant: Tenant,
    layer: LayerNumber,
    heads: readonly (HeadRecord & { edges: readonly Edge[]; server_identifier: string | null })[],
  ): Promise<void>;
  /** Withdraws ids: head, edges and counters go; versions and ledger stay (SPEC-20). */
  removeHeads(tenant: Tenant, layer: LayerNumber, ids: readonly string[]): Promise<void>;
  /** Remembers rejections; an artifact that is rejected again has its row replaced. */
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
