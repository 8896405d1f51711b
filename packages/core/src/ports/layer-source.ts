import type { LayerSnapshot } from '../layer/types.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';
import type { LayerRecord } from './layers.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

export interface SourceRequest {
  /** True to read everything; otherwise only changes since `layer.source_state`. */
  full: boolean;
  /** Unchanged artifacts to read again (SPEC-56). */
  retry: readonly string[];
}

export interface SourceReading {
  /** Git commit; empty for a folder. */
  reference: string;
  /** New `source_state` of the layer, to be stored when the ingest is complete. */
  source_state: string;
  /** False if `snapshot` has the changes only, with `removed`. */
  complete: boolean;
  snapshot: LayerSnapshot;
  /**
   * Artifact ids, paths of domains, and paths of files that an earlier report named because they belong
   * to no artifact. Empty if `complete`.
   */
  removed: { artifacts: readonly string[]; domains: readonly string[] };
  /** Commit of the last ingest, if the new history no longer contains it. */
  rewritten: string | undefined;
  /** About the source itself, such as an LFS pointer. */
  advisories: Diagnostic[];
  /** Size in bytes of the copy of the source that is kept for the next reading; zero for a folder. */
  copy_bytes: number;
}

export type ReachedLayer = Pick<
  LayerRecord,
  'id' | 'source_type' | 'repo' | 'ref' | 'root' | 'local_path' | 'user_defined'
>;

export interface LayerSource {
  /** Throws `ingest.source_unreachable` if the source cannot be read at all. */
  read(
    tenant: Tenant,
    layer: LayerRecord,
    request: SourceRequest,
    signal: AbortSignal,
  ): Promise<SourceReading>;
  /**
   * Returns the commit of the ref without reading files, an empty string for a folder, or undefined if
   * the ref does not exist. Throws if the source is unreachable, with `UnresponsiveHost` if its host
   * did not respond within 10 s.
   */
  probe(tenant: Tenant, layer: ReachedLayer, signal: AbortSignal): Promise<string | undefined>;
}

export interface SourceCopies {
  list(): Promise<{ tenant: Tenant; layer: LayerNumber }[]>;
  /** Removes the copy of a layer by its number, after a reading in progress has ended. */
  remove(tenant: Tenant, layer: LayerNumber): Promise<void>;
}
