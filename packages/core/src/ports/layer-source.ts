import type { LayerSnapshot } from '../layer/types.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';
import type { LayerRecord } from './layers.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** What was known of the source at the last completed ingest, and what is wanted. */
export interface SourceRequest {
  /** Read everything; otherwise only what changed since `layer.source_state`. */
  full: boolean;
  /** Artifacts to read again even though they did not change (SPEC-56). */
  retry: readonly string[];
}

/** What a source holds now. */
export interface SourceReading {
  /** The commit; empty for a folder. */
  reference: string;
  /** To be stored as the layer's `source_state` when the ingest is complete. */
  source_state: string;
  /** True when `snapshot` is everything; false when it is what changed, with `removed` beside it. */
  complete: boolean;
  snapshot: LayerSnapshot;
  /**
   * What is no longer there; empty when `complete`. Artifact ids, and the paths of files that an
   * earlier report named where they belong to no artifact; and the paths of domains.
   */
  removed: { artifacts: readonly string[]; domains: readonly string[] };
  /** The commit of the last ingest that the new history no longer reaches. */
  rewritten: string | undefined;
  /** Remarks about the source itself, such as an LFS pointer. */
  advisories: Diagnostic[];
  /** Bytes kept of the source until the next reading; zero for a folder. */
  copy_bytes: number;
}

/** What a source is reached by, of a layer that may not be registered yet. */
export type ReachedLayer = Pick<
  LayerRecord,
  'id' | 'source_type' | 'repo' | 'ref' | 'root' | 'local_path' | 'user_defined'
>;

/** Where a layer's files come from. */
export interface LayerSource {
  /** Throws `ingest.source_unreachable` when it cannot be read at all. */
  read(
    tenant: Tenant,
    layer: LayerRecord,
    request: SourceRequest,
    signal: AbortSignal,
  ): Promise<SourceReading>;
  /**
   * Checks that the source is there, without reading its files. Returns the commit its ref means now,
   * empty for a folder; undefined if it has no such ref. Throws if the source cannot be reached:
   * `UnresponsiveHost` if its host did not respond within 10 s.
   */
  probe(tenant: Tenant, layer: ReachedLayer, signal: AbortSignal): Promise<string | undefined>;
}

/** The copies that a machine keeps of layers' sources. All of them can be fetched again. */
export interface SourceCopies {
  list(): Promise<{ tenant: Tenant; layer: LayerNumber }[]>;
  /** Removes the copy of a layer by its number, after a reading that is in progress. */
  remove(tenant: Tenant, layer: LayerNumber): Promise<void>;
}
