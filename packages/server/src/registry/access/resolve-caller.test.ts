import type { GrantReads } from '@catalog/core/ports/grants';
import type { Store } from '@catalog/core/ports/store';
import type { IdentityVerdict, VerifiedIdentity } from '@catalog/core/identity/caller';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveCaller } from './resolve-caller.ts';

const QUOTA = {
  storage_bytes: 0,
  search_qps: 0,
  materialize_rate: 0,
  audit_volume_per_day: 0,
  max_user_layers: 0,
};

let open: MemoryRegistry;

function identity(more: Partial<VerifiedIdentity> = {}): VerifiedIdentity {
  return {
    kind: 'subject',
    subject: 'ann',
    email: 'ann@example.org',
    email_verified: true,
    groups: ['eng'],
    organization: undefined,
    grants: undefined,
    ...more,
  };
}

async function grant(user_id: string, tenant = ONLY_TENANT): Promise<void> {
  await open.registry.store.transaction(({ grants }) =>
    grants.grant(tenant, { user_id, granted_at: '2026-01-01T00:00:00.000Z', granted_by: 'root' }),
  );
}

afterEach(() => open.close());

type IsAdmin = GrantReads['isAdmin'];

function changeAdminReads(
  store: Store,
  change: (isAdmin: IsAdmin, ...input: Parameters<IsAdmin>) => ReturnType<IsAdmin>,
): void {
  const together = store.together.bind(store);
  store.together = (tenant, work) =>
    together(tenant, (reads) => {
      const isAdmin: IsAdmin = (...input) =>
        change((...given) => reads.grants.isAdmin(...given), ...input);
      return work({ ...reads, grants: { ...reads.grants, isAdmin } });
    });
}

describe('resolveCaller with one tenant', () => {
  beforeEach(async () => {
    open = await openMemoryRegistry({ open: false, operators: new Set(['ops']) });
  });

  test('applies granted and revoked roles from the next call', async () => {
    const ann = identity();
    const isAdmin = async (): Promise<unknown> => {
      const { caller } = await resolveCaller(open.registry, ann, 'read');
      return caller.kind === 'subject' && caller.is_admin;
    };
    expect(await isAdmin()).toBe(false);
    await grant('ann');
    expect(await isAdmin()).toBe(true);
    await open.registry.store.transaction(({ grants }) => grants.revoke(ONLY_TENANT, 'ann'));
    expect(await isAdmin()).toBe(false);
  });

  test('an e-mail address adds groups only if verified, but a deactivation always applies', async () => {
    const push = (name: string, active: boolean, id: string) =>
      open.registry.store.transaction(async ({ directory }) => {
        const at = '2026-01-01T00:00:00.000Z';
        const common = { external_id: null, attributes: {}, created_at: at, modified_at: at };
        const kept = { ...common, active, version: 1 };
        await directory.create(ONLY_TENANT, { kind: 'User', id, name, name_key: name, ...kept });
        const group = { kind: 'Group', id: `g-${id}`, name: `of-${id}` } as const;
        await directory.create(ONLY_TENANT, { ...group, name_key: group.name, ...kept });
        await directory.addMembers(ONLY_TENANT, group.id, [id]);
      });
    await push('ann@example.org', true, 'ann');
    await push('bob@example.org', false, 'bob');
    const resolve = async (email: string, email_verified: boolean): Promise<unknown> => {
      const who = identity({ subject: 'opaque', email, email_verified });
      const { caller } = await resolveCaller(open.registry, who, 'read');
      return caller.kind === 'subject' ? caller.groups : caller.kind;
    };
    expect(await resolve('ann@example.org', true)).toEqual(['eng', 'of-ann']);
    expect(await resolve('ann@example.org', false)).toEqual(['eng']);
    expect(await resolve('bob@example.org', true)).toBe('anonymous');
    expect(await resolve('bob@example.org', false)).toBe('anonymous');
  });

  test('a restricted token has no roles', async () => {
    await grant('ops');
    const whole = identity({ subject: 'ops' });
    const narrowed = identity({ subject: 'ops', grants: [] });
    for (const access of ['read', 'operator'] as const) {
      const { caller } = await resolveCaller(open.registry, whole, access);
      expect(caller).toMatchObject({ is_operator: true });
      const cut = await resolveCaller(open.registry, narrowed, access);
      expect(cut.caller).toMatchObject({ is_operator: false });
    }
    expect((await resolveCaller(open.registry, whole, 'read')).caller).toMatchObject({
      is_admin: true,
    });
    expect((await resolveCaller(open.registry, narrowed, 'read')).caller).toMatchObject({
      is_admin: false,
    });
  });

  test('an unchanged tenant is read once', async () => {
    let reads = 0;
    changeAdminReads(open.registry.store, (isAdmin, ...input) => {
      reads += 1;
      return isAdmin(...input);
    });
    const ann = identity();
    const first = await resolveCaller(open.registry, ann, 'read');
    const second = await resolveCaller(open.registry, ann, 'read');
    await resolveCaller(open.registry, identity(), 'read');
    expect(second.caller).toBe(first.caller);
    expect(reads).toBe(1);
  });

  test('reads that may predate the current revision are not cached', async () => {
    const { store } = open.registry;
    const together = store.together.bind(store);
    // Simulates a primary that returns the revision and a standby that lags.
    store.together = (tenant, work) =>
      together(tenant, (reads) =>
        work({
          ...reads,
          layers: {
            ...reads.layers,
            revision: async (input) => (await reads.layers.revision(input)) - 1,
          },
          grants: { ...reads.grants, isAdmin: async () => true },
        }),
      );
    const ann = identity();
    const behind = await Promise.all([
      resolveCaller(open.registry, ann, 'read'),
      resolveCaller(open.registry, ann, 'read'),
    ]);
    for (const { caller } of behind) expect(caller).toMatchObject({ is_admin: true });
    store.together = together;
    const { caller } = await resolveCaller(open.registry, ann, 'read');
    expect(caller).toMatchObject({ is_admin: false });
  });

  test('a failed read is not cached', async () => {
    let isUnavailable = true;
    changeAdminReads(open.registry.store, async (isAdmin, ...input) => {
      if (isUnavailable) throw new Error('away');
      return isAdmin(...input);
    });
    const ann = identity();
    await expect(resolveCaller(open.registry, ann, 'read')).rejects.toThrow('away');
    isUnavailable = false;
    expect((await resolveCaller(open.registry, ann, 'read')).caller.kind).toBe('subject');
  });

  test('ignores the organization', async () => {
    for (const organization of [undefined, 'acme', 'nobody-knows']) {
      const resolved = await resolveCaller(open.registry, identity({ organization }), 'read');
      expect(resolved).toMatchObject({ tenant: ONLY_TENANT, caller: { subject: 'ann' } });
    }
  });

  test('returns an anonymous caller for routes without authentication', async () => {
    for (const access of ['none', 'scim'] as const) {
      const { caller } = await resolveCaller(open.registry, { kind: 'anonymous' }, access);
      expect(caller).toEqual({ kind: 'anonymous' });
    }
  });
});

describe('resolveCaller with several tenants', () => {
  let acme: number;

  beforeEach(async () => {
    open = await openMemoryRegistry({
      open: false,
      multi_tenant: true,
      operators: new Set(['ops']),
    });
    acme = await open.registry.store.transaction(async ({ tenants }) => {
      const { tenant } = await tenants.create({
        id: '00000000-0000-5000-8000-000000000001',
        name: 'acme',
        active: true,
        quota: QUOTA,
        expose_scope_preview: null,
        extends_parents: null,
        created_at: '2026-01-01T00:00:00.000Z',
      });
      return tenant;
    });
  });

  test('finds the tenant by name and by id of the organization', async () => {
    for (const organization of ['acme', '00000000-0000-5000-8000-000000000001']) {
      const resolved = await resolveCaller(open.registry, identity({ organization }), 'read');
      expect(resolved).toMatchObject({ tenant: acme, caller: { subject: 'ann' } });
    }
  });

  test('roles apply to one tenant', async () => {
    await grant('ann', acme + 1);
    const ann = identity({ organization: 'acme' });
    expect((await resolveCaller(open.registry, ann, 'read')).caller).toMatchObject({
      is_admin: false,
    });
    await grant('ann', acme);
    expect((await resolveCaller(open.registry, ann, 'read')).caller).toMatchObject({
      is_admin: true,
    });
  });

  test.each<[string, IdentityVerdict, Record<string, string>]>([
    ['none', identity(), {}],
    ['an unknown one', identity({ organization: 'ACME' }), { token_org_id: 'ACME' }],
    ['nobody’s', { kind: 'anonymous' }, {}],
  ])('%s resolves to no tenant', async (_, verdict, details) => {
    for (const access of ['read', 'layer_write', 'admin', 'events'] as const) {
      const { tenant, caller } = await resolveCaller(open.registry, verdict, access);
      expect(tenant).toBe(0);
      expect(caller).toMatchObject({ kind: 'refused', code: 'auth.tenant_unknown', details });
    }
  });

  test('a deactivated tenant stops resolving at once and resumes unchanged', async () => {
    const ann = identity({ organization: 'acme' });
    const { store } = open.registry;
    const resolves = async (): Promise<string> =>
      (await resolveCaller(open.registry, ann, 'read')).caller.kind;
    expect(await resolves()).toBe('subject');
    for (const active of [false, true]) {
      const record = await store.tenants.get(acme);
      if (record === undefined) throw new Error('no tenant');
      await store.transaction(({ tenants }) => tenants.replace({ ...record, active }));
      expect(await resolves()).toBe(active ? 'subject' : 'refused');
    }
  });

  test('operators belong to no tenant, and the session endpoint reports a subject without one', async () => {
    const ops = identity({ subject: 'ops', organization: 'nowhere' });
    const managing = await resolveCaller(open.registry, ops, 'operator');
    expect(managing).toMatchObject({ tenant: 0, caller: { is_operator: true } });
    const posture = await resolveCaller(open.registry, ops, 'posture');
    expect(posture).toMatchObject({ tenant: 0, caller: { kind: 'subject', subject: 'ops' } });
  });

  test('returns a rejected credential unchanged', async () => {
    const refused: IdentityVerdict = {
      kind: 'refused',
      code: 'auth.token_expired',
      message: 'Too late.',
      details: {},
    };
    for (const access of ['read', 'operator', 'posture'] as const) {
      expect((await resolveCaller(open.registry, refused, access)).caller).toBe(refused);
    }
  });
});
