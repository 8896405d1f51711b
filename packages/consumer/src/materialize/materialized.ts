import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import type { ConfigInput, Origin } from '../config/types.ts';
import type { ListVersions } from '../source/catalog-source.ts';
import type { InspectedArtifact } from '../trust/inspected-content.ts';
import type { KeptFile } from '../sync/kept-files.ts';
import type { LoadedArtifact } from '../runtime/runtime-registry.ts';

export interface MaterializeRequest {
  loaded: LoadedArtifact;
  version?: string | undefined;
  harness: string;
  destination: string | undefined;
  /** Workspace folders of the host, which may be none. */
  roots: readonly string[];
  /** Asks the user of the host to approve executable content (SPEC-64). */
  confirmContent: (artifact: InspectedArtifact) => boolean;
}

export interface MaterializeRun {
  surroundings: Pick<ConfigInput, 'cwd' | 'home' | 'env'>;
  registry: string;
  registry_origin: Origin;
  /** Lists versions for the check of a downgrade; if undefined, downgrades fail. */
  listVersions?: ListVersions | undefined;
  registryRules?: ((signal?: AbortSignal) => Promise<readonly AnnouncedContentRule[]>) | undefined;
  materialize_root: string | undefined;
  /** True with `CATALOG_MCP_WRITE=all`: executable content is written without a prompt, unless a policy denies it. */
  write_all: boolean;
  ignore_runtime?: boolean;
  /** Another check before anything is written, such as a signature policy (SPEC-46). */
  verify?: (loaded: LoadedArtifact) => Promise<void>;
  /** Maximum wait for the lock; 10 seconds by default. */
  wait_ms?: number;
  onProgress?: (done: number, total: number) => void;
}

/** Result of writing an artifact; paths are relative to `root`. */
export type Materialized =
  | { kind: 'written'; root: string; files: string[]; use: string; kept: KeptFile[] }
  /** Only the content is returned. `error` is set if executable content is not approved or denied. */
  | { kind: 'content'; reason: string; error?: ErrorEnvelope };
