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
  /** All other ids stay as in the lock. */
  update?: readonly string[];
  /**
   * Includes artifacts outside the scope, or excludes artifacts inside it, until the next plain sync.
   * `forget` removes the toggles of these ids.
   */
  toggle?: { ids: readonly string[]; state: 'enable' | 'disable' | 'forget' };
  /** Ids whose content may differ from the lock under the same version. */
  accept_changed?: readonly string[] | undefined;
  /** A registry may replace a locked version with a lower one. */
  allow_downgrade?: boolean;
  /** Stops keeping artifacts that an agent loaded; all of them, or these ids. */
  release?: { ids: readonly string[] } | undefined;
  /** Every harness must load every artifact as it was written. */
  strict?: boolean;
  ignore_runtime?: boolean;
  /** For watch mode and the toggle commands; a plain sync clears the toggles (SPEC-45). */
  keep_toggles?: boolean;
  /** Rewrites the lock at every run, as specified for watch mode. */
  rewrite_lock?: boolean;
  /** Also runs marketplaces, whose commands inherit `env`. */
  marketplaces?: {
    env: Readonly<Record<string, string | undefined>>;
    onLine?: (line: string) => void;
  };
  /** For budgets that are a share of the context size; has a default. */
  context_tokens?: number | undefined;
  wait_ms?: number;
  /** Globs over the user's files that catalog may take over. */
  take_over?: readonly string[] | undefined;
  /** Rebuilds a lost lock from the existing files. */
  recover?: boolean;
  /** Removes files that the current caller cannot see. */
  accept_identity?: boolean;
  /** Removes files even if these are most files, or if a harness is not named. */
  allow_removal?: boolean;
  confirmRemoval?: ((request: RemovalRequest) => Promise<boolean>) | undefined;
  confirmRecovery?: ((request: RecoveryRequest) => Promise<boolean>) | undefined;
  yes?: boolean;
  /** Undefined if no user can respond. */
  confirmConsent?: ((request: ConsentRequest) => Promise<boolean>) | undefined;
  onProgress?: (progress: Progress) => void;
  onWait?: (holder: string) => void;
  onReadOnly?: (lag_seconds: number) => void;
}

export interface ConsentRequest {
  directory: string;
  harnesses: string[];
  /** Includes files of the user that get entries. */
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
