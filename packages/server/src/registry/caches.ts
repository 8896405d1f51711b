import type { Caller, VerifiedIdentity } from '@catalog/core/identity/caller';
import type { ModelRecord } from '@catalog/core/ports/embeddings';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantRecord } from '@catalog/core/ports/tenants';
import type { View } from './view/view.ts';

/** In-memory caches of one process; copies of a registry object share them. */
export interface RegistryCaches {
  /** Valid until the tenant's served content changes. */
  views: Map<Tenant, { revision: number; views: Map<string, View> }>;
  /** Valid until the tenant changes. */
  tenants: Map<Tenant, KnownTenant>;
  /** Numbers of tenants by organization. They never change, so the entries are never evicted. */
  organizations: Map<string, Tenant>;
  /** Evicted if space is short or a URL in a response is too old. */
  answers: ResponseCache;
  /** By tenant and user, oldest first. */
  source_tests: Map<string, number>;
  /** Models that have vectors in the store, cached for one second. */
  models: { read_at: number; models: Promise<readonly ModelRecord[]> } | undefined;
}

/** Maximum sizes. Above it, a cache is cleared, except that responses are evicted one by one. */
export const CACHE_LIMITS = {
  /** Per tenant, one entry for each distinct caller. */
  views: 10_000,
  /** Per tenant, one entry for each subject. */
  standings: 10_000,
  answer_bytes: 64 * 1024 * 1024,
};

export function createCaches(): RegistryCaches {
  return {
    views: new Map(),
    tenants: new Map(),
    organizations: new Map(),
    answers: { answers: new Map(), size: 0 },
    source_tests: new Map(),
    models: undefined,
  };
}

/** Cached state of a tenant at one revision; replaced after every change. */
export interface KnownTenant {
  revision: number;
  record: TenantRecord | undefined;
  standings: Map<string, Promise<StandingRead>>;
  callers: WeakMap<VerifiedIdentity, Caller>;
}

export interface Standing {
  is_admin: boolean;
  is_active: boolean;
  groups: readonly string[];
}

/** A standing from a standby that lags behind the primary must not be cached. */
export interface StandingRead {
  standing: Standing;
  is_current: boolean;
}

export interface EncodedResponse {
  content_hash: string;
  version: string;
  bytes: Uint8Array;
  is_whole: boolean;
  /** Undefined if no URL expires. */
  expires_at: Date | undefined;
}

export interface ResponseCache {
  answers: Map<string, CachedResponse>;
  size: number;
}

export interface CachedResponse {
  ready: EncodedResponse;
  /** In milliseconds. */
  fresh_until: number;
}
