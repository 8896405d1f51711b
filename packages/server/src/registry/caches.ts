import type { Caller, VerifiedIdentity } from '@catalog/core/identity/caller';
import type { ModelRecord } from '@catalog/core/ports/embeddings';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantRecord } from '@catalog/core/ports/tenants';
import type { View } from './view/view.ts';

/** Everything one process keeps in memory of what it has read; a copy of a registry shares it. */
export interface RegistryCaches {
  /** Views of callers by tenant, until anything the tenant's layers serve changes. */
  views: Map<Tenant, { revision: number; views: Map<string, View> }>;
  /** Tenants, and the standing of their subjects, until the tenant changes. */
  tenants: Map<Tenant, KnownTenant>;
  /** Numbers of tenants by organization. They never change, so they are kept for good. */
  organizations: Map<string, Tenant>;
  /** Encoded answers to loads, until there is no room or an address in one is too old. */
  answers: KeptAnswers;
  /** Times of the latest tests of layer sources, by tenant and user, oldest first. */
  source_tests: Map<string, number>;
  /** Models the store has vectors of, for a second. */
  models: { read_at: number; models: Promise<readonly ModelRecord[]> } | undefined;
}

/** How much is kept at once; past it the cache starts again, and answers make room one by one. */
export const MOST_KEPT = {
  /** Callers of one tenant. */
  views: 10_000,
  /** Subjects of one tenant. */
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

/** What is known of a tenant under one revision; made anew with every change of it. */
export interface KnownTenant {
  revision: number;
  record: TenantRecord | undefined;
  /** Standing in the tenant, by subject and e-mail address. */
  standings: Map<string, Promise<LookedUpStanding>>;
  callers: WeakMap<VerifiedIdentity, Caller>;
}

/** What the store says of a subject. */
export interface Standing {
  is_admin: boolean;
  is_active: boolean;
  groups: readonly string[];
}

/**
 * A standing, and whether it belongs to the revision that was told: it may have come from a standby that
 * is behind the primary, and must then not be kept.
 */
export interface LookedUpStanding {
  standing: Standing;
  is_current: boolean;
}

/** The encoded answer for one stored version. */
export interface ReadyBytes {
  content_hash: string;
  version: string;
  bytes: Uint8Array;
  /** It names no address: everything is in it. */
  is_whole: boolean;
  /** When the first address in it stops answering; undefined where none does. */
  expires_at: Date | undefined;
}

export interface KeptAnswers {
  /** What was put first comes first. */
  answers: Map<string, KeptAnswer>;
  size: number;
}

export interface KeptAnswer {
  ready: ReadyBytes;
  /** In milliseconds; past it an address in the answer has lost too much of its life. */
  fresh_until: number;
}
