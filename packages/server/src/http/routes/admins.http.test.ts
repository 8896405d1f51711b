import {
  grantAdmin,
  listAdmins,
  revokeAdmin,
  showEffective,
} from '@catalog/contract/endpoints/access';
import { previewScope, searchArtifacts } from '@catalog/contract/endpoints/discovery';
import { listLayers, updateLayer } from '@catalog/contract/endpoints/layers';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { readAudit, seedLayer, seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryClientView } from '@catalog/testkit/registry-server';
import { scimClient } from '@catalog/testkit/scim-client';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const SETTINGS = { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'] };

const BOB = asCaller({ subject: 'bob' });

function start() {
  return startRegistry({ settings: SETTINGS });
}

async function statusOfListAdmins(face: RegistryClientView): Promise<number> {
  const { status } = await face.request(listAdmins);
  return status;
}

describe('the admin role', () => {
  verifies(
    ['ADMIN-05', 'ADMIN-06'],
    'takes effect and is revoked with the next request',
    async () => {
      const server = await start();
      const ada = server.as(asCaller({ subject: 'ada' }));
      const bob = server.as(BOB);
      await seedLayer(server, { id: 'team', organization: false });
      expect((await bob.call(listLayers)).layers).toEqual([]);
      expect(await statusOfListAdmins(bob)).toBe(403);
      const granted = await ada.request(grantAdmin, { body: { user_id: ' bob ' } });
      expect(granted).toMatchObject({ status: 201, body: { user_id: 'bob' } });
      expect(await statusOfListAdmins(bob)).toBe(200);
      expect((await bob.call(listLayers)).layers).toHaveLength(1);
      const revoked = await ada.request(revokeAdmin, { query: { user_id: 'bob' } });
      expect(revoked.status).toBe(204);
      expect(revoked.raw).toHaveLength(0);
      expect(await statusOfListAdmins(bob)).toBe(403);
      expect((await bob.call(listLayers)).layers).toEqual([]);
    },
  );

  verifies(
    'ADMIN-03',
    'is required by every admin route and belongs only to the exact subject',
    async () => {
      const server = await start();
      const requests = [
        [grantAdmin, { body: { user_id: 'eve' } }],
        [revokeAdmin, { query: { user_id: 'ada' } }],
        [listAdmins, {}],
        [showEffective, { query: { user_id: 'ada' } }],
        [searchArtifacts, { query: { as_admin: 'true' } }],
      ] as const;
      const others = [
        asAnonymous(),
        BOB,
        asCaller({ subject: 'ADA' }),
        asCaller({ subject: 'eve', email: 'ada' }),
        asCaller({ subject: 'eve', groups: ['ada'] }),
      ];
      for (const [row, options] of requests) {
        for (const headers of others) {
          const { status, body } = await server.as(headers).request(row, options);
          expect([row.name, status, body]).toEqual([
            row.name,
            403,
            expect.objectContaining({ code: 'auth.forbidden' }),
          ]);
        }
      }
      const { admins } = await server.as(asCaller({ subject: 'ada' })).call(listAdmins);
      expect(admins.map(({ user_id }) => user_id)).toEqual(['ada']);
      const forged = { ...asCaller({ subject: 'ada' }), 'x-catalog-proxy-secret': 'guessed' };
      expect(await statusOfListAdmins(server.as(forged))).toBe(403);
    },
  );

  test('grants are recorded once with their author and time', async () => {
    const server = await start();
    const ada = server.as(asCaller({ subject: 'ada' }));
    await ada.call(grantAdmin, { body: { user_id: 'bob' } });
    const { admins } = await ada.call(listAdmins);
    expect(admins).toEqual([
      { user_id: 'ada', granted_by: 'system:bootstrap', granted_at: expect.any(String) },
      { user_id: 'bob', granted_by: 'ada', granted_at: expect.any(String) },
    ]);
    const bob = server.as(BOB);
    await bob.call(grantAdmin, { body: { user_id: 'bob' } });
    await bob.request(revokeAdmin, { query: { user_id: 'nobody' } });
    expect((await ada.call(listAdmins)).admins).toEqual(admins);
    await ada.request(revokeAdmin, { query: { user_id: 'bob' } });
    await ada.request(revokeAdmin, { query: { user_id: 'bob' } });
    const records = await readAudit(server);
    expect(
      records.map((record) => [
        record.type,
        record['action'],
        record['user_id'],
        record['caller.identity'],
      ]),
    ).toEqual([
      ['admin.granted', 'grant', 'ada', 'system:bootstrap'],
      ['admin.granted', 'grant', 'bob', 'ada'],
      ['admin.granted', 'revoke', 'bob', 'ada'],
    ]);
  });

  test('requests without a valid user id return 400', async () => {
    const server = await start();
    const ada = server.as(asCaller({ subject: 'ada' }));
    for (const body of [{}, { user_id: '' }, { user_id: '  ' }, { user_id: 'a'.repeat(513) }]) {
      expect(await ada.request(grantAdmin, { body })).toMatchObject({ status: 400 });
    }
    expect(await ada.request(revokeAdmin)).toMatchObject({ status: 400 });
    expect(await ada.request(showEffective)).toMatchObject({ status: 400 });
  });

  test('belongs to the operator without an identity provider and to no caller in public mode', async () => {
    const open = await startRegistry();
    await open.call(grantAdmin, { body: { user_id: 'bob' } });
    const { admins } = await open.call(listAdmins);
    expect(admins).toEqual([expect.objectContaining({ granted_by: 'system:operator' })]);
    expect((await open.request(revokeAdmin, { query: { user_id: 'bob' } })).status).toBe(204);
    expect((await open.request(showEffective, { query: { user_id: 'bob' } })).status).toBe(200);
    const published = await startRegistry({ settings: { public_mode: true } });
    for (const row of [listAdmins, showEffective]) {
      const { status, body } = await published.request(row, { query: { user_id: 'bob' } });
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'auth.forbidden' });
    }
    const refused = await published.request(grantAdmin, { body: { user_id: 'bob' } });
    expect(refused.body).toMatchObject({ code: 'auth.forbidden' });
  });
});

describe('show-effective', () => {
  async function startWithLayers() {
    const server = await start();
    await seedLayer(server, { id: 'open', organization: false, public: true, order: 10 });
    await seedLayer(server, { id: 'all', organization: true, order: 20 });
    await seedLayer(server, { id: 'ops', organization: false, groups: ['ops', 'sre'], order: 30 });
    await seedLayer(server, { id: 'bobs', organization: false, users: ['bob@x.org'], order: 40 });
    await seedLayer(server, { id: 'none', organization: false, order: 50 });
    const deleted_at = new Date().toISOString();
    await seedLayer(server, { id: 'gone', public: true, order: 60, deleted_at });
    await seedPersonalLayer(server, { id: 'mine', owner: 'bob', users: ['bob'], order: 5 });
    return server;
  }

  verifies(
    ['ADMIN-01', 'ADMIN-07', 'ADMIN-08'],
    'lists each live layer with a reason, for the user in the given groups',
    async () => {
      const server = await startWithLayers();
      const ada = server.as(asCaller({ subject: 'ada' }));
      const query = { user_id: 'bob' };
      const { layers } = await ada.call(showEffective, { query });
      const NOT_IN = 'user is not in layer.users or layer.groups';
      expect(layers).toEqual([
        { layer_id: 'open', visible: true, reason: 'layer.public=true' },
        {
          layer_id: 'all',
          visible: true,
          reason: 'layer.organization=true and identity is authenticated',
        },
        { layer_id: 'ops', visible: false, reason: NOT_IN },
        { layer_id: 'bobs', visible: false, reason: NOT_IN },
        {
          layer_id: 'none',
          visible: false,
          reason: 'layer grants no access: neither public nor organization, empty groups and users',
        },
        {
          layer_id: 'mine',
          visible: true,
          reason: 'user owns the layer; user is in layer.users',
        },
      ]);
      const group = ['web', 'sre'];
      const email = 'bob@x.org';
      const more = await ada.call(showEffective, { query: { ...query, group, email } });
      expect(more).toMatchObject({ user_id: 'bob', groups: group });
      expect(more.layers.slice(2, 4)).toEqual([
        { layer_id: 'ops', visible: true, reason: 'user is in layer.groups: sre (given)' },
        { layer_id: 'bobs', visible: true, reason: 'user is in layer.users by bob@x.org' },
      ]);
    },
  );

  verifies(
    'ADMIN-07',
    'predicts the layers that the user sees, before and after a change',
    async () => {
      const server = await startWithLayers();
      const ada = server.as(asCaller({ subject: 'ada' }));
      const groups = ['sre'];
      const bob = server.as(asCaller({ subject: 'bob', email: 'bob@x.org', groups }));
      const predicted = async () => {
        const query = { user_id: 'bob', email: 'bob@x.org', group: groups };
        const { layers } = await ada.call(showEffective, { query });
        return layers.filter(({ visible }) => visible).map(({ layer_id }) => layer_id);
      };
      const seen = async () => (await bob.call(listLayers)).layers.map(({ id }) => id);
      expect(await predicted()).toEqual(await seen());
      await ada.call(updateLayer, { query: { id: 'ops' }, body: { groups: ['hr'] } });
      expect(await predicted()).toEqual(await seen());
      expect(await predicted()).toEqual(['open', 'all', 'bobs', 'mine']);
    },
  );

  test('includes groups of the SCIM directory and reports deactivated users', async () => {
    const token = 'a-token-of-the-directory';
    const server = await startRegistry({ settings: { ...SETTINGS, 'scim.tokens': [token] } });
    const directory = scimClient(server.url, token);
    await seedLayer(server, { id: 'open', organization: false, public: true, order: 10 });
    await seedLayer(server, { id: 'ops', organization: false, groups: ['ops', 'web'], order: 20 });
    const schemas = (name: string) => [`urn:ietf:params:scim:schemas:core:2.0:${name}`];
    const user = await directory.create('/Users', { schemas: schemas('User'), userName: 'bob' });
    await directory.create('/Groups', {
      schemas: schemas('Group'),
      displayName: 'ops',
      members: [{ value: user }],
    });
    const ada = server.as(asCaller({ subject: 'ada' }));
    const bob = server.as(asCaller({ subject: 'bob', groups: ['web'] }));
    const query = { user_id: 'bob', group: ['web'] };
    expect(await ada.call(showEffective, { query })).toEqual({
      user_id: 'bob',
      groups: ['web', 'ops'],
      layers: [
        { layer_id: 'open', visible: true, reason: 'layer.public=true' },
        {
          layer_id: 'ops',
          visible: true,
          reason: 'user is in layer.groups: ops (directory), web (given)',
        },
      ],
    });
    expect((await bob.call(previewScope)).layers).toEqual(['open', 'ops']);
    await directory.patch(`/Users/${user}`, { op: 'replace', path: 'active', value: false });
    const { layers } = await ada.call(showEffective, { query });
    expect(layers).toEqual([
      { layer_id: 'open', visible: true, reason: 'layer.public=true' },
      {
        layer_id: 'ops',
        visible: false,
        reason: 'user is deactivated in the directory; layer requires authentication',
      },
    ]);
    expect((await bob.call(previewScope)).layers).toEqual(['open']);
  });

  verifies('ADMIN-09', 'rejects callers who are not administrators', async () => {
    const server = await startWithLayers();
    for (const headers of [BOB, asAnonymous()]) {
      const response = await server
        .as(headers)
        .request(showEffective, { query: { user_id: 'bob' } });
      expect(response).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
    }
  });
});
