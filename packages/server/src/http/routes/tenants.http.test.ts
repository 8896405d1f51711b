import {
  createTenant,
  deactivateTenant,
  getQuota,
  grantAdmin,
  listAdmins,
  listTenants,
  updateTenant,
} from '@catalog/contract/endpoints/access';
import { previewScope, syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { listLayers } from '@catalog/contract/endpoints/layers';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import type { TenantAnswer } from '@catalog/contract/records/access';
import {
  asCaller,
  asAnonymous,
  TRUSTED_HEADERS,
  TRUSTED_HEADERS_MULTI_TENANT,
} from '@catalog/testkit/callers';
import { readAudit } from '@catalog/testkit/layer-fixture';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryClientView,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { tenantId } from '../../registry/access/tenant-id.ts';
import { verifies } from '@catalog/testkit/verifies';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';

const UNLIMITED = {
  storage_bytes: 0,
  search_qps: 0,
  materialize_rate: 0,
  audit_volume_per_day: 0,
  max_user_layers: 0,
};

const OPERATOR = asCaller({ subject: 'op' });
const ADA = asCaller({ subject: 'ada', org: 'acme' });

interface Place {
  server: RegistryServer;
  operator: RegistryClientView;
  ada: RegistryClientView;
}

async function start(settings = {}): Promise<Place> {
  const server = await startRegistry({
    settings: {
      ...TRUSTED_HEADERS_MULTI_TENANT,
      operator_admins: ['op'],
      bootstrap_admins: ['acme=ada'],
      ...settings,
    },
  });
  return { server, operator: server.as(OPERATOR), ada: server.as(ADA) };
}

async function find(operator: RegistryClientView, name: string): Promise<TenantAnswer | undefined> {
  const { tenants } = await operator.call(listTenants);
  return tenants.find((tenant) => tenant.name === name);
}

const ROUTES: readonly [Endpoint, EndpointOptions][] = [
  [listTenants, {}],
  [createTenant, { body: { name: 'globex' } }],
  [updateTenant, { params: { id: tenantId('acme') }, body: { active: true } }],
  [deactivateTenant, { params: { id: tenantId('acme') } }],
];

describe('tenants', () => {
  verifies(
    ['TENANT-01', 'TENANT-02', 'TENANT-03', 'TENANT-06'],
    'are listed by name, with their id, quota, scope preview setting and state',
    async () => {
      const { operator } = await start();
      expect(await operator.call(listTenants)).toEqual({
        tenants: ['acme', 'default'].map((name) => ({
          id: tenantId(name),
          name,
          active: true,
          quota: UNLIMITED,
          expose_scope_preview: null,
          extends_parents: null,
        })),
      });
    },
  );

  verifies(['TENANT-07', 'TENANT-08'], 'are created with the fields of the body', async () => {
    const { operator, server } = await start({ 'quota.search_qps': 7 });
    const body = {
      name: ' globex corp ',
      quota: { storage_bytes: 5, max_user_layers: -1 },
      expose_scope_preview: false,
      extends_parents: 'visible',
    };
    const { status, body: created } = await operator.request(createTenant, { body });
    expect(status).toBe(201);
    expect(created).toEqual({
      id: tenantId('globex corp'),
      name: 'globex corp',
      active: true,
      quota: { ...UNLIMITED, search_qps: 7, storage_bytes: 5, max_user_layers: -1 },
      expose_scope_preview: false,
      extends_parents: 'visible',
    });
    expect(await find(operator, 'globex corp')).toEqual(created);
    const gus = server.as(asCaller({ subject: 'gus', org: 'globex corp' }));
    expect(await gus.call(getQuota)).toMatchObject({ tenant_id: tenantId('globex corp') });
  });

  verifies('TENANT-07', 'require a valid name, and reject unknown fields', async () => {
    const { operator } = await start();
    const bodies = [
      {},
      { name: '' },
      { name: '  ' },
      { name: 'a=b' },
      { name: 'a\nb' },
      { name: tenantId('acme') },
      { name: 'x', quota: { search_qps: -1 } },
      { name: 'x', quota: { search_qps: 1.5 } },
      { name: 'x', quota: { searches: 1 } },
      { name: 'x', active: false },
      { name: 'x', expose_scope_preview: 'no' },
      { name: 'x', extends_parents: 'some' },
    ];
    for (const body of bodies) {
      const { status, body: refused } = await operator.request(createTenant, { body });
      expect([body, status]).toEqual([body, 400]);
      expect(refused).toMatchObject({ code: 'registry.invalid_argument' });
    }
    expect((await operator.call(listTenants)).tenants).toHaveLength(2);
  });

  verifies('TENANT-09', 'stay unchanged if they are created again', async () => {
    const { operator, server } = await start();
    const before = await find(operator, 'acme');
    const body = { name: 'acme', quota: { search_qps: 3 }, admins: ['eve'] };
    const { status, body: answered } = await operator.request(createTenant, { body });
    expect(status).toBe(200);
    expect(answered).toEqual(before);
    expect(await find(operator, 'acme')).toEqual(before);
    const eve = server.as(asCaller({ subject: 'eve', org: 'acme' }));
    expect((await eve.request(listAdmins)).status).toBe(403);
  });

  test('cannot be named like the id of another tenant', async () => {
    const { operator } = await start();
    const id = tenantId('acme');
    expect(await operator.request(createTenant, { body: { name: id } })).toMatchObject({
      status: 400,
      body: { code: 'registry.invalid_argument', details: { argument: 'name' } },
    });
  });

  test('concurrent creations of one name create one tenant', async () => {
    const { operator } = await start();
    const pendingRequests = Array.from({ length: 8 }, () =>
      operator.request(createTenant, { body: { name: 'globex' } }),
    );
    const statuses = (await Promise.all(pendingRequests)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect((await operator.call(listTenants)).tenants).toHaveLength(3);
  });

  test('can have administrators from the start', async () => {
    const { operator, server } = await start();
    await operator.call(createTenant, { body: { name: 'globex', admins: ['gus', 'gus', 'ada'] } });
    const gus = server.as(asCaller({ subject: 'gus', org: 'globex' }));
    const { admins } = await gus.call(listAdmins);
    expect(admins).toEqual([
      { user_id: 'ada', granted_by: 'op', granted_at: expect.any(String) },
      { user_id: 'gus', granted_by: 'op', granted_at: expect.any(String) },
    ]);
  });

  verifies(
    ['TENANT-10', 'TENANT-11', 'TENANT-12'],
    'change in the patched fields, quotas by each member',
    async () => {
      const { operator } = await start();
      const id = tenantId('acme');
      const patch = async (body: object) => operator.call(updateTenant, { params: { id }, body });
      const first = await patch({ quota: { search_qps: 5, storage_bytes: 9 } });
      expect(first).toEqual({
        id,
        name: 'acme',
        active: true,
        quota: { ...UNLIMITED, search_qps: 5, storage_bytes: 9 },
        expose_scope_preview: null,
        extends_parents: null,
      });
      expect(await patch({ quota: { storage_bytes: 0, materialize_rate: 2 } })).toEqual({
        ...first,
        quota: { ...UNLIMITED, search_qps: 5, materialize_rate: 2 },
      });
      expect(await patch({ expose_scope_preview: true })).toMatchObject({
        expose_scope_preview: true,
        quota: { search_qps: 5 },
      });
      expect(await patch({ active: true })).toMatchObject({ expose_scope_preview: true });
      expect(await patch({ expose_scope_preview: null })).toMatchObject({
        expose_scope_preview: null,
      });
      expect(await patch({ extends_parents: 'visible' })).toMatchObject({
        extends_parents: 'visible',
      });
      expect(await patch({ extends_parents: null })).toMatchObject({ extends_parents: null });
      const before = await find(operator, 'acme');
      expect(await patch({})).toEqual(before);
      const renamed = await operator.request(updateTenant, { params: { id }, body: { name: 'x' } });
      expect(renamed).toMatchObject({ status: 400, body: { code: 'registry.invalid_argument' } });
      expect((await operator.call(listTenants)).tenants.map(({ name }) => name)).toEqual([
        'acme',
        'default',
      ]);
    },
  );

  test('lose no concurrent change', async () => {
    const { operator } = await start();
    const id = tenantId('acme');
    const members = ['storage_bytes', 'search_qps', 'materialize_rate', 'audit_volume_per_day'];
    await Promise.all(
      members.map((member) =>
        operator.call(updateTenant, { params: { id }, body: { quota: { [member]: 4 } } }),
      ),
    );
    expect((await find(operator, 'acme'))?.quota).toEqual({
      storage_bytes: 4,
      search_qps: 4,
      materialize_rate: 4,
      audit_volume_per_day: 4,
      max_user_layers: 0,
    });
  });

  verifies(
    ['TENANT-04', 'TENANT-05', 'TENANT-13', 'AUTH-36'],
    'reject requests while inactive and are unchanged after reactivation',
    async () => {
      const { operator, ada } = await start();
      await ada.ingest({ 'ops/greet/ARTIFACT.md': RULE }, { organization: true });
      const served = await ada.call(syncManifestEndpoint);
      expect(served.artifacts.map(({ id }) => id)).toEqual(['ops/greet']);
      const params = { id: tenantId('acme') };
      const refused = async () => {
        for (const row of [syncManifestEndpoint, listLayers, getQuota, listAdmins]) {
          const { status, body } = await ada.request(row);
          expect([row.name, status]).toEqual([row.name, 401]);
          expect(body).toMatchObject({ code: 'auth.tenant_unknown' });
        }
      };
      const patched = await operator.call(updateTenant, { params, body: { active: false } });
      expect(patched).toMatchObject({ active: false });
      await refused();
      await operator.call(updateTenant, { params, body: { active: true } });
      expect(await ada.call(syncManifestEndpoint)).toEqual(served);
      expect((await operator.request(deactivateTenant, { params })).status).toBe(204);
      await refused();
      expect((await operator.request(deactivateTenant, { params })).status).toBe(204);
      expect(await find(operator, 'acme')).toMatchObject({ active: false });
      await operator.call(updateTenant, { params, body: { active: true } });
      expect(await ada.call(syncManifestEndpoint)).toEqual(served);
    },
  );

  verifies(['TENANT-16', 'ERR-81'], 'unknown tenants return 404', async () => {
    const { operator } = await start();
    for (const id of [tenantId('nobody'), 'acme', '1', 'x']) {
      for (const [row, body] of [
        [updateTenant, { active: false }],
        [deactivateTenant, undefined],
      ] as const) {
        const answer = await operator.request(row, { params: { id }, body });
        expect(answer).toMatchObject({
          status: 404,
          body: { code: 'registry.tenant_not_found', details: { id } },
        });
      }
    }
    expect(await find(operator, 'acme')).toMatchObject({ active: true });
  });

  test('record only effective changes in their own audit log', async () => {
    const { operator, server } = await start();
    const created = await operator.call(createTenant, {
      body: { name: 'globex', admins: ['gus'] },
    });
    const params = { id: created.id };
    await operator.call(createTenant, { body: { name: 'globex' } });
    await operator.call(updateTenant, { params, body: { quota: { search_qps: 0 } } });
    await operator.call(updateTenant, {
      params,
      body: { quota: { search_qps: 4 }, expose_scope_preview: false },
    });
    await operator.request(deactivateTenant, { params });
    await operator.request(deactivateTenant, { params });
    await operator.call(updateTenant, { params, body: { active: true } });
    const { tenant = 0 } = (await server.registry.store.tenants.find('globex')) ?? {};
    const records = await readAudit(server, tenant);
    expect(
      records.map((record) => [
        record.type,
        record['action'],
        record['fields'] ?? record['user_id'] ?? '',
        record['caller.identity'],
      ]),
    ).toEqual([
      ['tenant.managed', 'create', '', 'op'],
      ['admin.granted', 'grant', 'gus', 'op'],
      ['tenant.managed', 'update', ['quota.search_qps', 'expose_scope_preview'], 'op'],
      ['tenant.managed', 'deactivate', ['active'], 'op'],
      ['tenant.managed', 'update', ['active'], 'op'],
    ]);
    expect(await readAudit(server)).toEqual([]);
  });
});

describe('tenant management authorization', () => {
  verifies(
    ['TENANT-15', 'ROLE-02', 'ROLE-03'],
    'requires an operator, who is not an administrator of any tenant',
    async () => {
      const { operator, server } = await start();
      const others = [
        ADA,
        asAnonymous(),
        asCaller({ subject: 'eve' }),
        asCaller({ subject: 'eve', email: 'op', groups: ['op'], org: 'op' }),
        asCaller({ subject: 'OP' }),
      ];
      for (const [row, options] of ROUTES) {
        for (const headers of others) {
          const { status, body } = await server.as(headers).request(row, options);
          expect([row.name, status]).toEqual([row.name, 403]);
          expect(body).toMatchObject({ code: 'auth.forbidden' });
        }
      }
      expect((await operator.call(listTenants)).tenants).toHaveLength(2);
      const inside = server.as(asCaller({ subject: 'op', org: 'acme' }));
      for (const [row, options] of [
        [listAdmins, {}],
        [grantAdmin, { body: { user_id: 'op' } }],
      ] as const) {
        expect(await inside.request(row, options)).toMatchObject({
          status: 403,
          body: { code: 'auth.forbidden' },
        });
      }
      // An operator whose organization has no tenant can manage tenants.
      const otherOperator = server.as(asCaller({ subject: 'op', org: 'nobody' }));
      expect((await otherOperator.request(listTenants)).status).toBe(200);
    },
  );

  verifies(
    ['TENANT-14', 'ERR-72'],
    'returns 404 in a registry with one tenant before any role check',
    async () => {
      const settings = { ...TRUSTED_HEADERS, operator_admins: ['op'] };
      for (const server of [await startRegistry({ settings }), await startRegistry()]) {
        for (const headers of [OPERATOR, asCaller({ subject: 'eve' }), asAnonymous(), {}]) {
          for (const [row, options] of ROUTES) {
            const { status, body } = await server.as(headers).request(row, options);
            expect([row.name, status]).toEqual([row.name, 404]);
            expect(body).toMatchObject({ code: 'registry.tenant_management_unavailable' });
          }
        }
      }
    },
  );
});

describe('scope preview setting', () => {
  verifies('ERR-30', 'of the tenant overrides that of the registry', async () => {
    for (const exposed of [true, false]) {
      const { operator, ada, server } = await start({ 'tenant.expose_scope_preview': exposed });
      await operator.call(createTenant, { body: { name: 'globex' } });
      const other = server.as(asCaller({ subject: 'gus', org: 'globex' }));
      const params = { id: tenantId('acme') };
      const set = async (expose_scope_preview: boolean | null) => {
        await operator.call(updateTenant, { params, body: { expose_scope_preview } });
        return (await ada.request(previewScope)).status;
      };
      const [unset, opposite] = exposed ? [200, 403] : [403, 200];
      expect(await set(null)).toBe(unset);
      expect(await set(!exposed)).toBe(opposite);
      expect((await other.request(previewScope)).status).toBe(unset);
      expect(await set(exposed)).toBe(unset);
      expect(await set(null)).toBe(unset);
    }
    const { operator, ada } = await start();
    const params = { id: tenantId('acme') };
    await operator.call(updateTenant, { params, body: { expose_scope_preview: false } });
    expect(await ada.request(previewScope)).toMatchObject({
      status: 403,
      body: { code: 'config.scope_preview_disabled' },
    });
  });
});
