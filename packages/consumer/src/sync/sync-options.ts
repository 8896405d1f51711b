import type { KnownAdapters } from '../adapters/load-adapters.ts';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import type { CatalogSource } from '../source/catalog-source.ts';
import type { ContentOptions } from '../trust/approve-content.ts';
import type { TrustOptions } from '../trust/require-trust.ts';

/** One run: what is delivered from where, with which adapters, and how. */
export interface SyncRun {
  config: Config;
  adapters: KnownAdapters;
  source: CatalogSource;
  options: SyncOptions;
}

export interface SyncOptions extends IdentityOptions, TrustOptions, ContentOptions {
  mode: 'sync' | 'check' | 'dry-run';
  /** Only these ids may change; everything else stays as the lock has it. */
  update?: readonly string[];
  /**
   * Includes artifacts that the scope leaves out, or leaves out artifacts that it includes, until the
   * next plain sync. `forget` drops their toggles: the configuration decides from now on.
   */
  toggle?: { ids: readonly string[]; state: 'enable' | 'disable' | 'forget' };
  /** `--accept-changed`: ids whose content may differ from the lock under the same version. */
  accept_changed?: readonly string[] | undefined;
  /** `--allow-downgrade`: a registry may replace a locked version with a lower one. */
  allow_downgrade?: boolean;
  /** `--release`: what an agent loaded is kept no longer; all of it, or these ids. */
  release?: { ids: readonly string[] } | undefined;
  /** `--strict`: a harness must load every artifact as it was written. */
  strict?: boolean;
  /** `--ignore-runtime`: this machine need not have what the artifacts need. */
  ignore_runtime?: boolean;
  /** Watch and the toggle commands keep the toggles; a sync by hand clears them (SPEC-45). */
  keep_toggles?: boolean;
  /** Watch rewrites the lock at every run, as specified. */
  rewrite_lock?: boolean;
  /** `--config`: marketplaces run, too, and their commands inherit `env`. Absent: they are left alone. */
  marketplaces?: {
    env: Readonly<Record<string, string | undefined>>;
    /** Each line a command prints. */
    onLine?: (line: string) => void;
  };
  /** The context of the model, for budgets that are a share of it; a usual one where absent. */
  context_tokens?: number | undefined;
  /** How long to wait for another sync on the same target. */
  wait_ms?: number;
  /** `--take-over`: globs over paths of the user's files that may become catalog's. */
  take_over?: readonly string[] | undefined;
  /** `--recover`: rebuild a lost lock from what is there. */
  recover?: boolean;
  /** `--accept-identity`: remove what the current caller cannot see. */
  accept_identity?: boolean;
  /** `--allow-removal`: remove files although most would go, or a harness is left out. */
  allow_removal?: boolean;
  /** Asks before the files of a harness that `--harness` leaves out are removed. */
  confirmRemoval?: ((request: RemovalRequest) => Promise<boolean>) | undefined;
  /** Asks before files are recorded as catalog's because the lock was lost. */
  confirmRecovery?: ((request: RecoveryRequest) => Promise<boolean>) | undefined;
  /** `--yes`: whoever runs this agrees to write into the home folder. */
  yes?: boolean;
  /** Asks the person before the first write into the home folder; absent where nobody can answer. */
  confirmConsent?: ((request: ConsentRequest) => Promise<boolean>) | undefined;
  onProgress?: (progress: Progress) => void;
  onWait?: (holder: string) => void;
  /** Told when the registry only reads, and how many seconds old at most what it answers is. */
  onReadOnly?: (lag_seconds: number) => void;
}

/** What a first run into the home folder is about to do there. */
export interface ConsentRequest {
  directory: string;
  harnesses: string[];
  /** Files that will be written, and files of the person's own that will get entries. */
  writes: string[];
  edits: string[];
}

/** What a run that leaves out a harness is about to remove. */
export interface RemovalRequest {
  directory: string;
  harnesses: string[];
  removed: string[];
}

/** What a recovery is about to record as catalog's. */
export interface RecoveryRequest {
  directory: string;
  files: string[];
}

export interface Progress {
  phase: 'read' | 'load' | 'plan' | 'write';
  done: number;
  total: number;
}
