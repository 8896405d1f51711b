import type { IdentityOptions } from '../identity/identity-options.ts';

export interface SyncOptions extends IdentityOptions {
  mode: 'sync' | 'check' | 'dry-run';
  /** Deliver exactly what the lock says, or fail. */
  locked?: boolean;
  /** Only these ids may change; everything else stays as the lock has it. */
  update?: readonly string[];
  /** Deliver an artifact the scope leaves out, or leave out one it delivers, until the next sync by hand. */
  toggle?: { id: string; state: 'enable' | 'disable' };
  /** Watch and the toggle commands keep the toggles; a sync by hand clears them (decision 45). */
  keep_toggles?: boolean;
  /** Watch rewrites the lock at every run, as specified. */
  rewrite_lock?: boolean;
  /** How long to wait for another sync on the same target. */
  wait_ms?: number;
  onProgress?: (progress: Progress) => void;
  onWait?: (holder: string) => void;
  /** Told when the registry only reads, and how many seconds old at most what it answers is. */
  onReadOnly?: (lag_seconds: number) => void;
}

export interface Progress {
  phase: 'read' | 'load' | 'plan' | 'write';
  done: number;
  total: number;
}
