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
  /** New `source_state`, to be stored after the ingest. */
  source_state: string;
  /** False if `snapshot` contains only changes, with `removed`. */
  complete: boolean;
  snapshot: LayerSnapshot;
  /** Ids of artifacts, paths of domains, and paths of files outside of both; empty if `complete`. */
  removed: { artifacts: readonly string[]; domains: readonly string[] };
  /** Commit of the last ingest, if the new history lacks it. */
  rewritten: string | undefined;
  /** Findings about the source itself, such as an LFS pointer. */
  advisories: Diagnostic[];
  /** Size in bytes of the local copy of the source; zero for a folder. */
  copy_bytes: number;
}

export type ReachedLayer = Pick<
  LayerRecord,
  'id' | 'source_type' | 'repo' | 'ref' | 'root' | 'local_path' | 'user_defined'
>;

export interface LayerSource {
  /** Reads a layer. Throws `ingest.source_unreachable` if its source cannot be read. */
  read(
    tenant: Tenant,
    layer: LayerRecord,
    request: SourceRequest,
    signal: AbortSignal,
  ): Promise<SourceReading>;
  /**
   * Returns the commit of the ref without reading files; an empty string for a folder, undefined for a missing ref.
   * Throws `UnresponsiveHost` if the host does not respond within 10 s.
   */
  probe(tenant: Tenant, layer: ReachedLayer, signal: AbortSignal): Promise<string | undefined>;
}

export interface SourceCopies {
  list(): Promise<{ tenant: Tenant; layer: LayerNumber }[]>;
  /** Removes the local copy of a layer, after reading has ended. */
  remove(tenant: Tenant, layer: LayerNumber): Promise<void>;
}
