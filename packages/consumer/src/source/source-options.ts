import type { IdentityOptions } from '../identity/identity-options.ts';

/** What whoever opens a source wants to be told, or asked. */
export interface SourceOptions extends IdentityOptions {
  /** Told how far loading artifacts from a registry over HTTP has come. */
  onLoad?: ((done: number, total: number) => void) | undefined;
  /** Told, with every answer, when the registry only reads, and how old at most the answer is. */
  onReadOnly?: ((lag_seconds: number) => void) | undefined;
}
