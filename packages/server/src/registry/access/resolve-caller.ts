import type { AccessClass } from '@catalog/contract/endpoints/endpoint';
import type {
  Caller,
  IdentityVerdict,
  RefusedCredential,
  Subject,
  VerifiedIdentity,
} from '@catalog/core/identity/caller';
import { NO_TENANT, ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import { CACHE_LIMITS, type KnownTenant, type StandingRead } from '../caches.ts';
import type { CallContext, Registry } from '../registry.ts';

export type ResolvedCaller = Pick<CallContext, 'tenant' | 'caller' | 'revision' | 'record'>;

const ANONYMOUS: Caller = { kind: 'anonymous' };
/**
 * Resolves the caller of a request. The tenant's revision is read on every call. Everything else is cached while the
 * revision is unchanged, so that every replica is exact.
 */
export async function resolveCaller(
  registry: Registry,
  verdict: IdentityVerdict,
  access: AccessClass,
): Promise<ResolvedCaller> {
  if (access === 'none' || access === 'scim') return withoutTenant(registry);
  if (verdict.kind === 'refused') return noTenant(verdict);
  if (access === 'operator') return noTenant(await asOperator(registry, verdict));
  const resolving = resolveInTenant(registry, verdict, access);
  // The session endpoint rejects no caller. If the store is unavailable, the response depends on the credential alone
  // (POSTURE-13).
  return access === 'posture'
    ? resolving.catch(() => withoutOrganization(verdict, access))
    : resolving;
}

async function resolveInTenant(
  registry: Registry,
  verdict: Exclude<IdentityVerdict, RefusedCredential>,
  access: AccessClass,
): Promise<ResolvedCaller> {
  const tenant = await findTenant(registry, verdict);
  if (tenant === undefined) return withoutOrganization(verdict, access);
  const now = await getKnownTenant(registry, tenant);
  if (now.record?.active === false) return withoutOrganization(verdict, access);
  const { revision, record } = now;
  const caller = await callerIn(registry, tenant, now, verdict);
  // With several tenants, a deactivated user belongs to no tenant (SPEC-5, SPEC-58).
  const isExcluded = caller.kind === 'anonymous' && registry.settings.multi_tenant;
  if (isExcluded && access !== 'posture') return noTenant(INACTIVE);
  return { tenant, caller, revision, record };
}

/** Returns the caller without a tenant; anonymous if the registry authenticates callers. */
function withoutTenant({ settings }: Registry): ResolvedCaller {
  return {
    tenant: settings.multi_tenant ? NO_TENANT : ONLY_TENANT,
    caller: settings.open ? { kind: 'open' } : ANONYMOUS,
    revision: undefined,
    record: undefined,
  };
}

function noTenant(caller: Caller): ResolvedCaller {
  return { tenant: NO_TENANT, caller, revision: undefined, record: undefined };
}

/**
 * Returns an operator, who belongs to no tenant. An operator can still be deactivated in the directory of their own
 * tenant.
 */
async function asOperator(
  registry: Registry,
  verdict: Exclude<IdentityVerdict, RefusedCredential>,
): Promise<Caller> {
  if (verdict.kind !== 'subject') return verdict;
  const tenant = await findTenant(registry, verdict);
  if (tenant !== undefined) {
    const now = await getKnownTenant(registry, tenant);
    const caller = await callerIn(registry, tenant, now, verdict);
    if (caller.kind !== 'subject') return caller;
  }
  return { ...toSubject(verdict), is_operator: isOperator(registry, verdict) };
}

const INACTIVE: Caller = {
  kind: 'refused',
  code: 'auth.tenant_unknown',
  message: 'The caller is deactivated in its organization.',
  details: {},
};

async function findTenant(
  registry: Registry,
  verdict: Exclude<IdentityVerdict, RefusedCredential>,
): Promise<Tenant | undefined> {
  if (!registry.settings.multi_tenant) return ONLY_TENANT;
  if (verdict.kind !== 'subject' || verdict.organization === undefined) return undefined;
  const numbers = registry.caches.organizations;
  // Number, id and name of a tenant never change. Whether the tenant is active is checked later.
  const before = numbers.get(verdict.organization);
  if (before !== undefined) return before;
  const found = await registry.store.tenants.find(verdict.organization);
  if (found !== undefined) numbers.set(verdict.organization, found.tenant);
  return found?.tenant;
}

/** Returns a caller without an organization. Only the session endpoint reports the subject (SPEC-5). */
function withoutOrganization(
  verdict: Exclude<IdentityVerdict, RefusedCredential>,
  access: AccessClass,
): ResolvedCaller {
  if (access === 'posture')
    return noTenant(verdict.kind === 'subject' ? toSubject(verdict) : verdict);
  const organization = verdict.kind === 'subject' ? verdict.organization : undefined;
  return noTenant({
    kind: 'refused',
    code: 'auth.tenant_unknown',
    message:
      organization === undefined
        ? 'The request names no organization, which this multi-tenant registry requires.'
        : "The caller's organization is not a tenant of this registry.",
    details: organization === undefined ? {} : { token_org_id: organization },
  });
}

async function callerIn(
  registry: Registry,
  tenant: Tenant,
  now: KnownTenant,
  verdict: Exclude<IdentityVerdict, RefusedCredential>,
): Promise<Caller> {
  if (verdict.kind !== 'subject') return verdict;
  const before = now.callers.get(verdict);
  if (before !== undefined) return before;
  const { standing, is_current } = await standingOf(registry, tenant, now, verdict);
  const caller: Caller = standing.is_active
    ? {
        ...toSubject(verdict),
        groups: [...new Set([...verdict.groups, ...standing.groups])],
        is_admin: standing.is_admin && isUnrestricted(verdict),
        is_operator: isOperator(registry, verdict),
      }
    : ANONYMOUS;
  if (is_current) now.callers.set(verdict, caller);
  return caller;
}

/** Returns false for a token restricted to parts of the catalog, which has no roles (SPEC-12). */
function isUnrestricted({ grants }: VerifiedIdentity): boolean {
  return grants === undefined;
}

function isOperator({ settings }: Registry, verdict: VerifiedIdentity): boolean {
  return isUnrestricted(verdict) && settings.operators.has(verdict.subject);
}

function toSubject({ subject, email, email_verified, groups, grants }: VerifiedIdentity): Subject {
  return { kind: 'subject', subject, email, email_verified, groups, grants };
}

async function standingOf(
  registry: Registry,
  tenant: Tenant,
  { revision, standings }: KnownTenant,
  identity: VerifiedIdentity,
): Promise<StandingRead> {
  const { subject, email, email_verified } = identity;
  const key = `${subject}\0${email}\0${email_verified}`;
  const before = standings.get(key);
  if (before !== undefined) return before;
  const pendingRead = readStanding(registry, tenant, revision, identity);
  if (standings.size >= CACHE_LIMITS.standings) standings.clear();
  standings.set(key, pendingRead);
  const standing_read = await pendingRead.catch((error: unknown) => {
    standings.delete(key);
    throw error;
  });
  if (!standing_read.is_current) standings.delete(key);
  return standing_read;
}

async function readStanding(
  { store }: Registry,
  tenant: Tenant,
  revision: number,
  { subject, email, email_verified }: VerifiedIdentity,
): Promise<StandingRead> {
  return store.together(tenant, async ({ layers, grants, directory }) => {
    const is_current = (await layers.revision(tenant)) === revision;
    const is_admin = await grants.isAdmin(tenant, subject);
    const verified = email_verified ? email : '';
    const { state, groups } = await directory.standing(tenant, subject, verified);
    // An unverified address adds no groups, but a deactivation of its user applies.
    const claimed =
      email === verified ? state : (await directory.standing(tenant, subject, email)).state;
    const is_active = state !== 'inactive' && claimed !== 'inactive';
    return { standing: { is_admin, is_active, groups }, is_current };
  });
}

async function getKnownTenant(registry: Registry, tenant: Tenant): Promise<KnownTenant> {
  const revision = await registry.store.layers.revision(tenant);
  const { tenants } = registry.caches;
  const kept = tenants.get(tenant);
  if (kept?.revision === revision) return kept;
  const found = await registry.store.together(tenant, async (reads) => ({
    is_current: (await reads.layers.revision(tenant)) === revision,
    record: await reads.tenants.get(tenant),
  }));
  const knownTenant: KnownTenant = {
    revision,
    record: found.record,
    standings: new Map(),
    callers: new WeakMap(),
  };
  if (found.is_current) tenants.set(tenant, knownTenant);
  return knownTenant;
}
