import { DISCOVERY_MS, LOAD_MS } from '@catalog/sdk/exchange';
import type { Transport } from '@catalog/sdk/transport';
import type { CacheMode } from '../config/cache-modes.ts';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import type { Rejection } from '@catalog/core/ingest/types';

export interface RuntimeRegistryOptions extends IdentityOptions {
  /** The registry, the cache, the proxy and who the caller is. */
  config: Config;
  /** Connections that others use as well; its own unless given. */
  transport?: Transport;
  /** `config.cache_mode`, else `always-revalidate`, unless given. */
  cache_mode?: CacheMode;
  /** Where the workspace's own artifacts are at the moment; asked with every question. */
  overlay?: () => string | undefined | Promise<string | undefined>;
  /** Told what of the overlay cannot be served, whenever that has changed. */
  onRejected?: (rejected: readonly Rejection[]) => void;
  /** Told with every answer of a registry that only reads how many seconds old at most it is. */
  onReadOnly?: (lag_seconds: number) => void;
  limits?: Limits;
}

/** How long the registry may take (SPEC-65), in milliseconds. */
export interface Limits {
  discovery_ms: number;
  /** Between two things of a load that arrive. */
  load_ms: number;
}

export const LIMITS: Limits = { discovery_ms: DISCOVERY_MS, load_ms: LOAD_MS };
