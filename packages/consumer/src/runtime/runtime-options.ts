import { DISCOVERY_MS, LOAD_MS } from '@catalog/sdk/exchange';
import type { Transport } from '@catalog/sdk/transport';
import type { CacheMode } from '../config/cache-modes.ts';
import type { Config } from '../config/types.ts';
import type { VerifierOptions } from '../signing/signature-verifier.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import type { Rejection } from '@catalog/core/ingest/types';

export interface RuntimeRegistryOptions extends IdentityOptions {
  config: Config;
  transport?: Transport;
  /** Cache mode; the default is `config.cache_mode`, or else `always-revalidate`. */
  cache_mode?: CacheMode;
  overlay?: () => string | undefined | Promise<string | undefined>;
  onRejected?: (rejected: readonly Rejection[]) => void;
  /** Called for each response of a read-only registry, with its maximum age in seconds. */
  onReadOnly?: (lag_seconds: number) => void;
  limits?: Limits;
  onKeysTrusted?: VerifierOptions['onKeysTrusted'];
}

/** Timeouts (SPEC-65), in milliseconds. */
export interface Limits {
  discovery_ms: number;
  /** Maximum pause between two chunks of data. */
  load_ms: number;
}

export const LIMITS: Limits = { discovery_ms: DISCOVERY_MS, load_ms: LOAD_MS };
