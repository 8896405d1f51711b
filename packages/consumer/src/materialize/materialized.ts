import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import type { ConfigInput, Origin } from '../config/types.ts';
import type { ListVersions } from '../source/catalog-source.ts';
import type { InspectedArtifact } from '../trust/inspected-content.ts';
import type { KeptFile } from '../sync/kept-files.ts';
import type { LoadedArtifact } from '../runtime/runtime-registry.ts';

/** What an agent asked to have in its workspace. */
export interface MaterializeRequest {
  loaded: LoadedArtifact;
  /** Version pin the agent asked for; the latest if absent. */
  version?: string | undefined;
  harness: string;
  /** The `destination` argument, as given. */
  destination: string | undefined;
  /** The folders the host named, absolute; none where it named none. */
  roots: readonly string[];
  /** Asks the host's user to approve executable content (SPEC-64). */
  confirmContent: (artifact: InspectedArtifact) => boolean;
}

/** Where a program that serves an agent runs, and what it may do there. */
export interface MaterializeRun {
  /** The surroundings the program was started in. */
  surroundings: Pick<ConfigInput, 'cwd' | 'home' | 'env'>;
  /** The registry as the lock file names it. */
  registry: string;
  /** What named the registry to this program. */
  registry_origin: Origin;
  /** Queries the registry about a locked version before a downgrade; without it, downgrades are refused. */
  listVersions?: ListVersions | undefined;
  /** Policy for executable content that the registry announces. */
  registryRules?: ((signal?: AbortSignal) => Promise<readonly AnnouncedContentRule[]>) | undefined;
  /** `CATALOG_MATERIALIZE_ROOT`; undefined where it is not set. */
  materialize_root: string | undefined;
  /** `CATALOG_MCP_WRITE=all`: executable content is written without a question, unless a policy denies it. */
  write_all: boolean;
  /** This machine need not have what an artifact needs. */
  ignore_runtime?: boolean;
  /** What else has to hold before anything is written, such as a policy on signatures (SPEC-46). */
  verify?: (loaded: LoadedArtifact) => Promise<void>;
  /** How long to wait for a sync of the same folder; a minute when absent. */
  wait_ms?: number;
  onProgress?: (done: number, total: number) => void;
}

/** What became of it. Paths are relative to `root`. */
export type Materialized =
  /** `kept`: files the user had edited, with the copies of their versions. */
  | { kind: 'written'; root: string; files: string[]; use: string; kept: KeptFile[] }
  /** `error`: the executable content is not approved, or a policy denies it. */
  | { kind: 'content'; reason: string; error?: ErrorEnvelope };
