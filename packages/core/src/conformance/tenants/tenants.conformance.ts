import { describe, expect, test } from 'vitest';
import type { Store } from '../../ports/store.ts';
import { ONLY_TENANT, type Tenant } from '../../ports/tenant.ts';
import type { NewTenant, TenantRecord } from '../../ports/tenants.ts';
import {
  openForTest,
  sampleLayer,
  sampleRequest,
  sampleTenant,
  T1,
  T2,
  type OpenStore,
} from '../samples.conformance.ts';

function create(store: Store, tenant: NewTenant, number?: Tenant): Promise<TenantRecord> {
  return store.transaction(({ tenants }) => tenants.create(tenant, number));
}

function replace(store: Store, record: TenantRecord): Promise<void> {
  return store.transaction(({ tenants }) => tenants.replace(record));
}

export function tenantsConformance(open: OpenStore): void {
  describe('tenants', () => {
    test('do not exist before they are created', async () => {
      const store = await openForTest(open);
      expect(await store.tenants.get(ONLY_TENANT)).toBeUndefined();
      expect(await store.tenants.find('default')).toBeUndefined();
      expect(await store.tenants.list()).toEqual([]);
      expect(await store.tenants.listActive()).toEqual([]);
    });

    test.each([null, true, false])(
      'are read as they were created, with expose_scope_preview set to %s',
      async (expose_scope_preview) => {
        const store = await openForTest(open);
        const wanted = sampleTenant('Größe', { active: false, expose_scope_preview });
        const created = await store.transaction(async ({ tenants }) => {
          const record = await tenants.create(wanted);
          expect(await tenants.get(record.tenant)).toEqual(record);
          expect(await tenants.find('Größe')).toEqual(record);
          expect(await tenants.list()).toEqual([record]);
          return record;
        });
        expect(created).toEqual({ ...wanted, tenant: created.tenant });
        expect(await store.tenants.get(created.tenant)).toEqual(created);
        expect(await store.tenants.list()).toEqual([created]);
      },
    );

    test('get the next number or the requested one', async () => {
      const store = await openForTest(open);
      const first = await create(store, sampleTenant('a'));
      const only = await create(store, sampleTenant('default'), ONLY_TENANT);
      const second = await create(store, sampleTenant('b'));
      expect([first, only, second].map(({ tenant }) => tenant)).toEqual([2, 1, 3]);
    });

    test('get no number that existing rows use', async () => {
      const store = await openForTest(open);
      await store.transaction(({ layers }) => layers.create(7, sampleLayer('base')));
      expect(await create(store, sampleTenant('a'))).toMatchObject({ tenant: 8 });
    });

    test('are found by their exact id or name, without a tenant number', async () => {
      const store = await openForTest(open);
      const acme = await create(store, sampleTenant('Acme', { active: false }));
      await create(store, sampleTenant('Other'));
      expect(await store.tenants.find('Acme')).toEqual(acme);
      expect(await store.tenants.find('id of Acme')).toEqual(acme);
      for (const organization of ['acme', 'Acme ', 'Acm', '', '%', String(acme.tenant)]) {
        expect(await store.tenants.find(organization), organization).toBeUndefined();
      }
    });

    test('share neither number, id nor name, and no name equals another id', async () => {
      const store = await openForTest(open);
      const acme = await create(store, sampleTenant('acme'));
      const others: [NewTenant, Tenant?][] = [
        [sampleTenant('acme', { id: 'another' })],
        [sampleTenant('another', { id: acme.id })],
        [sampleTenant(acme.id, { id: 'another' })],
        [sampleTenant('another', { id: 'acme' })],
        [sampleTenant('another'), acme.tenant],
      ];
      for (const [other, number] of others) {
        await expect(create(store, other, number)).rejects.toThrow();
      }
      expect(await store.tenants.list()).toEqual([acme]);
    });

    test('are created once by concurrent callers that search first', async () => {
      const store = await openForTest(open);
      const records = await Promise.all(
        Array.from({ length: 6 }, () =>
          store.transaction(
            async ({ tenants }) =>
              (await tenants.find('acme')) ?? (await tenants.create(sampleTenant('acme'))),
          ),
        ),
      );
      expect(new Set(records.map(({ tenant }) => tenant))).toEqual(new Set([2]));
    });

    test('are not created by a rolled-back transaction', async () => {
      const store = await openForTest(open);
      const undone = store.transaction(async ({ tenants }) => {
        await tenants.create(sampleTenant('acme'));
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      expect(await store.tenants.find('acme')).toBeUndefined();
    });

    test('are listed by name in byte order, the active ones by number', async () => {
      const store = await openForTest(open);
      for (const name of ['b', 'B', 'ä', 'a']) {
        await create(store, sampleTenant(name, { active: name !== 'B' }));
      }
      expect((await store.tenants.list()).map(({ name }) => name)).toEqual(['B', 'a', 'b', 'ä']);
      expect(await store.tenants.listActive()).toEqual([2, 4, 5]);
    });

    test('are listed as watched if they are active and have a local layer', async () => {
      const store = await openForTest(open);
      const acme = await create(store, sampleTenant('acme'));
      await create(store, sampleTenant('other'));
      const local = sampleLayer('local', { source_type: 'local', webhook_key: '' });
      const git = sampleLayer('git', { source_type: 'git', webhook_key: '' });
      async function watched(): Promise<Tenant[]> {
        const tenants = await store.tenants.listWatched();
        for (const { tenant, revision } of tenants) {
          expect(revision).toBe(await store.layers.revision(tenant));
        }
        return tenants.map(({ tenant }) => tenant);
      }
      expect(await watched()).toEqual([]);
      const layer = await store.transaction(async ({ layers }) => {
        await layers.create(acme.tenant, git);
        await layers.create(ONLY_TENANT, local);
        return layers.create(acme.tenant, local);
      });
      expect(await watched()).toEqual([ONLY_TENANT, acme.tenant]);
      await replace(store, { ...acme, active: false });
      expect(await watched()).toEqual([ONLY_TENANT]);
      await replace(store, acme);
      expect(await watched()).toEqual([ONLY_TENANT, acme.tenant]);
      await store.transaction(({ layers }) =>
        layers.replace(acme.tenant, { ...layer, deleted_at: T2 }),
      );
      expect(await watched()).toEqual([ONLY_TENANT]);
    });

    test('keep their number, id, name and age if they are replaced', async () => {
      const store = await openForTest(open);
      const acme = await create(store, sampleTenant('acme'));
      const other = await create(store, sampleTenant('other'));
      const changed = {
        active: false,
        quota: {
          storage_bytes: 0,
          search_qps: 1,
          materialize_rate: 2,
          audit_volume_per_day: 3,
          max_user_layers: 4,
        },
        expose_scope_preview: false,
        extends_parents: 'visible' as const,
      };
      await replace(store, { ...acme, ...changed, id: 'new', name: 'new', created_at: T2 });
      expect(await store.tenants.get(acme.tenant)).toEqual({ ...acme, ...changed });
      expect(await store.tenants.get(other.tenant)).toEqual(other);
      await replace(store, acme);
      expect(await store.tenants.get(acme.tenant)).toEqual(acme);
    });

    test('raise only their own revision with every change', async () => {
      const store = await openForTest(open);
      const other = await create(store, sampleTenant('other'));
      const otherRevision = await store.layers.revision(other.tenant);
      const acme = await create(store, sampleTenant('acme'));
      const created = await store.layers.revision(acme.tenant);
      expect(created).toBeGreaterThan(0);
      await replace(store, { ...acme, active: false });
      expect(await store.layers.revision(acme.tenant)).toBeGreaterThan(created);
      expect(await store.layers.revision(other.tenant)).toBe(otherRevision);
    });

    test('have no job claimed while they are inactive', async () => {
      const store = await openForTest(open);
      const acme = await create(store, sampleTenant('acme', { active: false }));
      await store.transaction(({ jobs }) =>
        jobs.enqueue(acme.tenant, {
          job: 'j1',
          layer_id: 'base',
          request: sampleRequest(),
          now: T1,
        }),
      );
      const claim = () =>
        store.transaction(({ jobs }) => jobs.claim({ name: 'w', now: T1, lease_until: T2 }));
      expect(await claim()).toBeUndefined();
      expect(await store.jobs.depth()).toMatchObject({ queued: 0, oldest_created_at: null });
      let calls = 0;
      store.onCommit(() => void (calls += 1));
      await replace(store, { ...acme, active: true });
      await expect.poll(() => calls).toBeGreaterThan(0);
      expect(await store.jobs.depth()).toMatchObject({ queued: 1, oldest_created_at: T1 });
      expect(await claim()).toMatchObject({ tenant: acme.tenant, record: { job: 'j1' } });
      await replace(store, { ...acme, active: false });
      const later = { name: 'w', now: T2, lease_until: T2 };
      expect(await store.transaction(({ jobs }) => jobs.claim(later))).toBeUndefined();
    });
  });
}
