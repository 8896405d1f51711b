import {
  getQuota,
  listAdmins,
  listTenants,
  revokeAdmin,
  updateTenant,
} from '@catalog/contract/endpoints/access';
import { previewScope } from '@catalog/contract/endpoints/discovery';
import { listLayers } from '@catalog/contract/endpoints/layers';
import { asCaller, TRUSTED_HEADERS, TRUSTED_HEADERS_MULTI_TENANT } from '@catalog/testkit/callers';
import { readAudit } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { openTestBackend } from '@catalog/testkit/test-backend';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import type { Settings } from '../../config/settings.ts';
import { tenantId } from './tenant-id.ts';

type Start = <Result>(
  settings: Partial<Settings>,
  look: (server: RegistryServer) => Promise<Result>,
) => Promise<Result>;

async function openStarts(): Promise<Start> {
  const backend = await openTestBackend(temporaryFolder());
  onTestFinished(() => backend.close());
  return async (settings, look) => {
    const server = await startRegistry({
      settings: { ...backend.settings, ...settings },
      keep: true,
    });
    try {
      return await look(server);
    } finally {
      await server.close();
    }
  };
}

describe('bootstrap administrators', () => {
  verifies('ROLE-01', 'have the role from the start and are recorded once', async () => {
    const start = await openStarts();
    const settings = { ...TRUSTED_HEADERS, bootstrap_admins: ['ada', 'cn=bob'] };
    const look = async (server: RegistryServer) => {
      const bob = server.as(asCaller({ subject: 'cn=bob' }));
      const { admins } = await bob.call(listAdmins);
      return { admins, audit: await readAudit(server) };
    };
    const first = await start(settings, look);
    expect(first.admins.map(({ user_id }) => user_id)).toEqual(['ada', 'cn=bob']);
    expect(first.audit).toHaveLength(2);
    expect(await start(settings, look)).toEqual(first);
    // Removing an administrator from the configuration does not revoke the role.
    expect(await start({ ...settings, bootstrap_admins: [] }, look)).toEqual(first);
  });

  verifies(
    'ROLE-01',
    'have the role in their own tenant, which is created if missing',
    async () => {
      const start = await openStarts();
      const settings = {
        ...TRUSTED_HEADERS_MULTI_TENANT,
        bootstrap_admins: ['acme=ada', 'globex=cn=gus', 'acme=al'],
        operator_admins: ['op'],
      };
      const look = async (server: RegistryServer) => {
        const admins = [];
        for (const [subject, org] of [
          ['ada', 'acme'],
          ['cn=gus', 'globex'],
          ['ada', 'globex'],
        ] as const) {
          const { status, body } = await server.as(asCaller({ subject, org })).request(listAdmins);
          admins.push([status, body]);
        }
        const { tenants } = await server.as(asCaller({ subject: 'op' })).call(listTenants);
        return { admins, tenants };
      };
      const first = await start(settings, look);
      expect(first.tenants.map(({ name }) => name)).toEqual(['acme', 'default', 'globex']);
      const granted = (...user_ids: string[]) => ({
        admins: user_ids.map((user_id) =>
          expect.objectContaining({ user_id, granted_by: 'system:bootstrap' }),
        ),
      });
      expect(first.admins).toEqual([
        [200, granted('ada', 'al')],
        [200, granted('cn=gus')],
        [403, expect.objectContaining({ code: 'auth.forbidden' })],
      ]);
      expect(await start(settings, look)).toEqual(first);
    },
  );

  test('regain a revoked role at the next start that names them', async () => {
    const start = await openStarts();
    const settings = { ...TRUSTED_HEADERS, bootstrap_admins: ['ada', 'bob'] };
    const look = async (server: RegistryServer) => {
      const ada = server.as(asCaller({ subject: 'ada' }));
      const { admins } = await ada.call(listAdmins);
      await ada.request(revokeAdmin, { query: { user_id: 'bob' } });
      return admins.map(({ user_id }) => user_id);
    };
    expect(await start(settings, look)).toEqual(['ada', 'bob']);
    expect(await start({ ...settings, bootstrap_admins: [] }, look)).toEqual(['ada']);
    expect(await start(settings, look)).toEqual(['ada', 'bob']);
  });

  test('without a tenant prevent the start of a multi-tenant registry', async () => {
    const settings = { ...TRUSTED_HEADERS_MULTI_TENANT, bootstrap_admins: ['ada'] };
    await expect(startRegistry({ settings })).rejects.toMatchObject({
      code: 'config.invalid',
      details: { key: 'bootstrap_admins', value: 'ada' },
    });
  });

  verifies(
    ['ROLE-04', 'ROLE-02'],
    'bootstrap and operator administrators match the configured subject claim instead of `sub`',
    async () => {
      const provider = await startTokenIssuer();
      const { issuer, ca_file } = provider;
      const server = await startRegistry({
        settings: {
          'identity_provider.type': 'oidc-jwt',
          'identity_provider.issuer': issuer,
          'identity_provider.audience': [TEST_AUDIENCE],
          'identity_provider.subject_claim': 'employee',
          'egress.allowed_hosts': [new URL(issuer).hostname],
          ca_file,
          multi_tenant: true,
          bootstrap_admins: ['acme=E42'],
          operator_admins: ['E43'],
        },
      });
      const listStatuses = async (claims: object) => {
        const authorization = `Bearer ${provider.mint({ org_id: 'acme', ...claims })}`;
        const face = server.as({ authorization });
        return [(await face.request(listAdmins)).status, (await face.request(listTenants)).status];
      };
      expect(await listStatuses({ sub: 'x', employee: 'E42' })).toEqual([200, 403]);
      expect(await listStatuses({ sub: 'x', employee: 'E43' })).toEqual([403, 200]);
      expect(await listStatuses({ sub: 'E42', employee: 'E1' })).toEqual([403, 403]);
      expect(await listStatuses({ sub: 'E43', employee: 'E1' })).toEqual([403, 403]);
    },
  );
});

describe('default tenant', () => {
  test('gets the quota of the settings at each start if it is the only one', async () => {
    const start = await openStarts();
    const limits = (settings: Partial<Settings>) =>
      start(settings, async (server) => {
        const { tenant_id, limits: found } = await server.call(getQuota);
        expect(tenant_id).toBe(tenantId('default'));
        return { search_qps: found.search_qps, audit: await readAudit(server) };
      });
    expect(await limits({ 'quota.search_qps': 5 })).toEqual({ search_qps: 5, audit: [] });
    expect(await limits({ 'quota.search_qps': 5 })).toEqual({ search_qps: 5, audit: [] });
    expect(await limits({ 'quota.search_qps': 6 })).toEqual({
      search_qps: 6,
      audit: [
        expect.objectContaining({
          type: 'tenant.managed',
          action: 'update',
          fields: ['quota.search_qps'],
          'caller.identity': 'system:bootstrap',
        }),
      ],
    });
  });

  test.each([true, false])(
    'keeps the changes of operators if there are several; active: %s',
    async (active) => {
      const start = await openStarts();
      const several = { ...TRUSTED_HEADERS_MULTI_TENANT, operator_admins: ['op'] };
      const params = { id: tenantId('default') };
      await start({ ...several, 'quota.search_qps': 5 }, (server) =>
        server.as(asCaller({ subject: 'op' })).call(updateTenant, {
          params,
          body: { quota: { search_qps: 9 }, expose_scope_preview: false, active },
        }),
      );
      const { tenants } = await start({ ...several, 'quota.search_qps': 6 }, (server) =>
        server.as(asCaller({ subject: 'op' })).call(listTenants),
      );
      expect(tenants).toEqual([
        expect.objectContaining({
          active,
          quota: expect.objectContaining({ search_qps: 9 }),
          expose_scope_preview: false,
        }),
      ]);
      await start({ 'quota.search_qps': 6 }, async (server) => {
        expect((await server.call(getQuota)).limits.search_qps).toBe(6);
        expect((await server.request(previewScope)).status).toBe(200);
      });
    },
  );

  test('owns the layers of the configuration, which have the default visibility of the deployment', async () => {
    const start = await openStarts();
    const layer_path = temporaryFolder();
    writeTree(layer_path, { 'ops/greet/ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\n---\n' });
    const settings = {
      ...TRUSTED_HEADERS_MULTI_TENANT,
      bootstrap_admins: ['default=ada', 'acme=al'],
      layer_path,
      default_layer_visibility: 'private',
    } satisfies Partial<Settings>;
    await start(settings, async (server) => {
      const see = async (subject: string, org: string) =>
        (await server.as(asCaller({ subject, org })).call(listLayers)).layers;
      expect(await see('al', 'acme')).toEqual([]);
      expect(await see('bob', 'default')).toEqual([]);
      expect(await see('ada', 'default')).toEqual([
        expect.objectContaining({ public: false, organization: false, groups: null, users: null }),
      ]);
    });
  });
});
