import type { Caller, VerifiedIdentity } from '@catalog/core/identity/caller';
import type { ModelRecord } from '@catalog/core/ports/embeddings';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantRecord } from '@catalog/core/ports/tenants';
import type { KeySet } from '@catalog/core/signing/key-set';
import type { AuditedVersion } from './audit/audited-version.ts';
import type { View } from './view/view.ts';

/** Caches of one process, in memory. Copies of a registry object share them. */
export interface RegistryCaches {
  /** Views by tenant, valid until the tenant's content changes. */
  views: Map<Tenant, { revision: number; views: Map<string, View> }>;
  /** Tenants, valid until they change. */
  tenants: Map<Tenant, KnownTenant>;
  /** Numbers of tenants by organization. They never change, so entries are never evicted. */
  organizations: Map<string, Tenant>;
  /** Responses, evicted if space is short or if their URLs are too old. */
  answers: ResponseCache;
  /** Last source test by tenant and user, oldest first. */
  source_tests: Map<string, number>;
  /** Models with vectors in the store, cached for one second. */
  models: { read_at: number; models: Promise<readonly ModelRecord[]> } | undefined;
  /** Published keys, cached for one second. */
  keys: { read_at: number; set: Promise<KeySet | undefined> } | undefined;
}

/** Maximum sizes of caches. At its maximum a cache is cleared; only responses are evicted one by one. */
export const CACHE_LIMITS = {
  /** Views per tenant; each distinct caller has one. */
  views: 10_000,
  /** Standings per tenant; each subject has one. */
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
    keys: undefined,
  };
}

/** State of a tenant at one revision, replaced after every change. */
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

/** Standing of a user. It must not be cached if it comes from a lagging standby. */
export interface StandingRead {
  standing: Standing;
  is_current: boolean;
}

export interface EncodedResponse {
  content_hash: string;
  version: string;
  bytes: Uint8Array;
  is_whole: boolean;
  /** Expiry of the first URL; undefined if no URL expires. */
  expires_at: Date | undefined;
  /** Id of the key of its signature; undefined if the version is not signed. */
  signed_by?: string | undefined;
  audited: AuditedVersion;
}

export interface ResponseCache {
  answers: Map<string, CachedResponse>;
  size: number;
}

export interface CachedResponse {
  ready: EncodedResponse;
  /** Time in milliseconds until which the response can be reused. */
  fresh_until: number;
}
