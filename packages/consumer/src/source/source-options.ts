import type { VerifierOptions } from '../signing/signature-verifier.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';

export interface SourceOptions extends IdentityOptions {
  onLoad?: ((done: number, total: number) => void) | undefined;
  onReadOnly?: ((lag_seconds: number) => void) | undefined;
  onKeysTrusted?: VerifierOptions['onKeysTrusted'];
}
