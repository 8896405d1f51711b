import type { SourceOptions } from '../source/source-options.ts';
import type { KnownAdapters } from '../adapters/load-adapters.ts';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import type { CatalogSource } from '../source/catalog-source.ts';
import type { ContentOptions } from '../trust/approve-content.ts';
import type { TrustOptions } from '../trust/require-trust.ts';

export interface SyncRun {
  config: Config;
  adapters: KnownAdapters;
  source: CatalogSource;
  options: SyncOptions;
}

export interface SyncOptions extends IdentityOptions, TrustOptions, ContentOptions {
  mode: 'sync' | 'check' | 'dry-run';
  /** Ids to update; all others stay as in the lock. */
  update?: readonly string[];
  /**
   * Includes artifacts outside the selection, or excludes artifacts in it, until the next plain sync. `forget` removes
   * earlier toggles.
   */
  toggle?: { ids: readonly string[]; state: 'enable' | 'disable' | 'forget' };
  /** Ids whose content may change without a new version. */
  accept_changed?: readonly string[] | undefined;
  /** True if lower versions are accepted. */
  allow_downgrade?: boolean;
  /** Releases artifacts that an agent loaded: all, or these ids. */
  release?: { ids: readonly string[] } | undefined;
  /** True if every harness must load every artifact as written. */
  strict?: boolean;
  ignore_runtime?: boolean;
  /** True to keep toggles, which a plain sync clears (SPEC-45). */
  keep_toggles?: boolean;
  /** True to rewrite the lock at every run, as specified for watch mode. */
  rewrite_lock?: boolean;
  /** Also runs marketplaces, whose commands inherit `env`. */
  marketplaces?: {
    env: Readonly<Record<string, string | undefined>>;
    onLine?: (line: string) => void;
  };
  /** Context size, for limits that are a share of it. */
  context_tokens?: number | undefined;
  wait_ms?: number;
  /** Patterns of files of the user that catalog may take over. */
  take_over?: readonly string[] | undefined;
  /** True to rebuild a lost lock from existing files. */
  recover?: boolean;
  /** True to remove files that the current caller cannot see. */
  accept_identity?: boolean;
  /** True to remove files even if they are most files, or if their harness is not named. */
  allow_removal?: boolean;
  confirmRemoval?: ((request: RemovalRequest) => Promise<boolean>) | undefined;
  confirmRecovery?: ((request: RecoveryRequest) => Promise<boolean>) | undefined;
  yes?: boolean;
  /** Asks the user; undefined if no user is present. */
  confirmConsent?: ((request: ConsentRequest) => Promise<boolean>) | undefined;
  onProgress?: (progress: Progress) => void;
  onWait?: (holder: string) => void;
  onReadOnly?: (lag_seconds: number) => void;
  /** Called when signing keys of the registry are trusted on first use. */
  onKeysTrusted?: SourceOptions['onKeysTrusted'];
}

export interface ConsentRequest {
  directory: string;
  harnesses: string[];
  /** Paths to write, including files of the user that get entries. */
  writes: string[];
  edits: string[];
}

export interface RemovalRequest {
  directory: string;
  harnesses: string[];
  removed: string[];
}

export interface RecoveryRequest {
  directory: string;
  files: string[];
}

export interface Progress {
  phase: 'read' | 'load' | 'plan' | 'write';
  done: number;
  total: number;
}
