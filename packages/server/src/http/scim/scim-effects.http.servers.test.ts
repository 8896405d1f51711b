import { randomUUID } from 'node:crypto';
import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import { updateLayer } from '@catalog/contract/endpoints/layers';
import { createTenant, deactivateTenant } from '@catalog/contract/endpoints/access';
import { asCaller, TRUSTED_HEADERS, TRUSTED_HEADERS_MULTI_TENANT } from '@catalog/testkit/callers';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { scimClient, type ScimClient } from '@catalog/testkit/scim-client';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../config/settings.ts';
import { verifies } from '@catalog/testkit/verifies';

const TOKEN = 'a-token-of-the-directory';
const ADMIN = asCaller({ subject: 'root' });
const ALICE = { subject: 'alice@example.com' };
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet.\n---\nWave.\n';

const SETTINGS = {
  ...TRUSTED_HEADERS,
  bootstrap_admins: ['root'],
  'scim.tokens': [TOKEN],
} satisfies Partial<Settings>;

async function startReplicas(): Promise<{ servers: RegistryServer[]; scim: ScimClient }> {
  if (process.env['CATALOG_TEST_BACKEND'] !== 'standard') {
    const server = await startRegistry({ settings: SETTINGS });
    return { servers: [server], scim: scimClient(server.url, TOKEN) };
  }
  const { dsn } = await temporaryDatabase();
  const settings = { ...SETTINGS, 'store.type': 'postgres', 'store.dsn': dsn } as const;
  const [one, other] = [await startRegistry({ settings }), await startRegistry({ settings })];
  return { servers: [one, other], scim: scimClient(one.url, TOKEN) };
}

async function ingest([server]: readonly RegistryServer[]): Promise<void> {
  const admin = server?.as(ADMIN);
  await admin?.ingest(
    { 'team/secret/ARTIFACT.md': RULE },
    { id: 'team', groups: ['Platform', 'Ops'] },
  );
  await admin?.ingest({ 'all/greet/ARTIFACT.md': RULE }, { id: 'all', organization: true });
}

const ANONYMOUS = 'nothing';
const SIGNED_IN = 'all/greet';
const MEMBER = 'all/greet team/secret';

async function visibleArtifacts(
  servers: readonly RegistryServer[],
  caller: { subject: string; email?: string; org?: string },
): Promise<string> {
  const views = await Promise.all(
    servers.map(async (server) => {
      const { results } = await server.as(asCaller(caller)).call(searchArtifacts);
      return results
        .map(({ id }) => id)
        .toSorted()
        .join(' ');
    }),
  );
  expect(new Set(views).size).toBe(1);
  return views[0] === '' ? ANONYMOUS : (views[0] ?? ANONYMOUS);
}

const add = (...ids: string[]) => ({
  op: 'add',
  path: 'members',
  value: ids.map((value) => ({ value })),
});
const active = (value: unknown) => ({ op: 'replace', path: 'active', value });

describe('SCIM changes', () => {
  verifies(
    'SCIM-02',
    'decide at once which users see a layer of a group, on every replica',
    async () => {
      const { servers, scim } = await startReplicas();
      await ingest(servers);
      expect(await visibleArtifacts(servers, ALICE)).toBe(SIGNED_IN);
      const alice = await scim.create('/Users', { userName: 'Alice@Example.com' });
      expect(await visibleArtifacts(servers, ALICE)).toBe(SIGNED_IN);
      const group = await scim.create('/Groups', { displayName: 'Platform' });
      await scim.patch(`/Groups/${group}`, add(alice));
      expect(await visibleArtifacts(servers, ALICE)).toBe(MEMBER);
      expect(await visibleArtifacts(servers, { subject: '7', email: 'alice@example.com' })).toBe(
        MEMBER,
      );
      expect(await visibleArtifacts(servers, { subject: 'bob' })).toBe(SIGNED_IN);

      await scim.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${alice}"]` });
      expect(await visibleArtifacts(servers, ALICE)).toBe(SIGNED_IN);
      await scim.patch(`/Groups/${group}`, add(alice));
      expect(await visibleArtifacts(servers, ALICE)).toBe(MEMBER);
      await scim.patch(`/Groups/${group}`, { op: 'remove', path: 'members' });
      expect(await visibleArtifacts(servers, ALICE)).toBe(SIGNED_IN);

      await scim.patch(`/Groups/${group}`, add(alice), {
        op: 'replace',
        path: 'displayName',
        value: 'Other',
      });
      expect(await visibleArtifacts(servers, ALICE)).toBe(SIGNED_IN);
      await scim.patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'Ops' } });
      expect(await visibleArtifacts(servers, ALICE)).toBe(MEMBER);
      await scim.patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'ops' } });
      expect(await visibleArtifacts(servers, ALICE)).toBe(SIGNED_IN);
      await scim.patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'Ops' } });
      await scim.ask('DELETE', `/Groups/${group}`);
      expect(await visibleArtifacts(servers, ALICE)).toBe(SIGNED_IN);
    },
  );

  verifies(
    'SCIM-02',
    'match the user name and the external id, and never the list of addresses',
    async () => {
      const { servers, scim } = await startReplicas();
      await ingest(servers);
      const id = await scim.create('/Users', {
        userName: 'carol',
        externalId: 'Ext-9',
        emails: [{ value: 'carol@example.com', primary: true }],
      });
      await scim.create('/Groups', { displayName: 'Platform', members: [{ value: id }] });
      expect(await visibleArtifacts(servers, { subject: 'CAROL' })).toBe(MEMBER);
      expect(await visibleArtifacts(servers, { subject: 'Ext-9' })).toBe(MEMBER);
      expect(await visibleArtifacts(servers, { subject: 'ext-9' })).toBe(SIGNED_IN);
      expect(await visibleArtifacts(servers, { subject: 'carol@example.com' })).toBe(SIGNED_IN);
      expect(await visibleArtifacts(servers, { subject: 'x', email: 'carol@example.com' })).toBe(
        SIGNED_IN,
      );
      expect(await visibleArtifacts(servers, { subject: id })).toBe(SIGNED_IN);
    },
  );

  test('treat deactivated and deleted users as anonymous, regardless of valid credentials (SPEC-58)', async () => {
    const { servers, scim } = await startReplicas();
    await ingest(servers);
    const id = await scim.create('/Users', { userName: ALICE.subject, externalId: 'a-1' });
    await scim.create('/Groups', { displayName: 'Platform', members: [{ value: id }] });
    expect(await visibleArtifacts(servers, ALICE)).toBe(MEMBER);
    for (const off of [false, 'False', 'false']) {
      await scim.patch(`/Users/${id}`, active(off));
      expect(await visibleArtifacts(servers, ALICE)).toBe(ANONYMOUS);
      expect(await visibleArtifacts(servers, { subject: 'a-1' })).toBe(ANONYMOUS);
      await scim.patch(`/Users/${id}`, active('True'));
      expect(await visibleArtifacts(servers, ALICE)).toBe(MEMBER);
    }
    // A deactivated user stays deactivated until a request sets `active`.
    await scim.patch(`/Users/${id}`, active(false));
    await scim.ask('PUT', `/Users/${id}`, { userName: ALICE.subject });
    expect(await visibleArtifacts(servers, ALICE)).toBe(ANONYMOUS);
    await scim.patch(`/Users/${id}`, { op: 'remove', path: 'active' });
    expect(await visibleArtifacts(servers, ALICE)).toBe(ANONYMOUS);
    await scim.patch(`/Users/${id}`, active(true));
    expect(await visibleArtifacts(servers, ALICE)).toBe(MEMBER);

    await scim.ask('DELETE', `/Users/${id}`);
    expect(await visibleArtifacts(servers, ALICE)).toBe(ANONYMOUS);
    expect(await visibleArtifacts(servers, { subject: 'a-1' })).toBe(ANONYMOUS);
    expect(await visibleArtifacts(servers, { subject: 'x', email: ALICE.subject })).toBe(ANONYMOUS);
    await scim.create('/Users', { userName: ALICE.subject });
    expect(await visibleArtifacts(servers, ALICE)).toBe(SIGNED_IN);
  });

  test('revoke the administrator role of a deactivated user', async () => {
    const { servers, scim } = await startReplicas();
    await ingest(servers);
    const id = await scim.create('/Users', { userName: 'root' });
    await scim.patch(`/Users/${id}`, active(false));
    for (const server of servers) {
      const request = { params: {}, query: { id: 'all' }, body: { organization: false } };
      expect((await server.as(ADMIN).request(updateLayer, request)).status).toBe(403);
    }
  });

  test('apply to one tenant only', async () => {
    const server = await startRegistry({
      settings: {
        ...TRUSTED_HEADERS_MULTI_TENANT,
        operator_admins: ['op'],
        bootstrap_admins: ['one=root', 'two=root'],
        'scim.tokens': ['one=token-of-one', 'two=token=of=two', 'three=token-of-three'],
      },
    });
    const [one, two] = [
      scimClient(server.url, 'token-of-one'),
      scimClient(server.url, 'token=of=two'),
    ];
    for (const org of ['one', 'two']) {
      const files = { [`${org}/secret/ARTIFACT.md`]: RULE };
      await server
        .as(asCaller({ subject: 'root', org }))
        .ingest(files, { id: org, groups: ['Platform'] });
    }
    const alice = await one.create('/Users', { userName: 'alice' });
    await one.create('/Groups', { displayName: 'Platform', members: [{ value: alice }] });
    expect(await visibleArtifacts([server], { subject: 'alice', org: 'one' })).toBe('one/secret');
    expect(await visibleArtifacts([server], { subject: 'alice', org: 'two' })).toBe(ANONYMOUS);
    expect(await two.ask('GET', '/Users')).toMatchObject({ totalResults: 0 });
    expect((await two.send('GET', `/Users/${alice}`)).status).toBe(404);
    expect((await two.send('DELETE', `/Users/${alice}`)).status).toBe(404);
    expect(await two.create('/Users', { userName: 'alice' })).not.toBe(alice);
    const group = { displayName: 'Platform', members: [{ value: alice }] };
    expect((await two.send('POST', '/Groups', { body: group })).status).toBe(400);

    const three = scimClient(server.url, 'token-of-three');
    expect((await three.send('GET', '/Users')).body.detail).toContain('auth.tenant_unknown');
    const operator = server.as(asCaller({ subject: 'op' }));
    const made = await operator.call(createTenant, { body: { name: 'three' } });
    expect((await three.send('GET', '/Users')).status).toBe(200);
    await operator.request(deactivateTenant, { params: { id: made.id } });
    expect((await three.send('GET', '/Users')).status).toBe(401);
    expect((await scimClient(server.url, 'one=token-of-one').send('GET', '/Users')).status).toBe(
      401,
    );
  });

  test('concurrent membership changes end in the last state of each user', async () => {
    const { servers, scim } = await startReplicas();
    const clients = servers.map(({ url }) => scimClient(url, TOKEN));
    const group = await scim.create('/Groups', { displayName: 'storm' });
    const ids: string[] = [];
    for (let at = 0; at < 24; at += 1)
      ids.push(await scim.create('/Users', { userName: randomUUID() }));
    // One client adds and removes each user in order; users of different clients are interleaved.
    const expected = new Set<string>();
    await Promise.all(
      ids.map(async (id, at) => {
        const client = clients[at % clients.length] ?? scim;
        for (let turn = 0; turn < 5; turn += 1) {
          const isIn = (at + turn) % 2 === 0;
          const change = isIn ? add(id) : { op: 'remove', path: `members[value eq "${id}"]` };
          const { status } = await client.patch(`/Groups/${group}`, change);
          expect(status).toBe(204);
          if (isIn) expected.add(id);
          else expected.delete(id);
        }
      }),
    );
    const { members } = await scim.ask('GET', `/Groups/${group}`);
    expect(members).toEqual(
      [...expected].toSorted().map((value) => expect.objectContaining({ value })),
    );
  });

  test('concurrent renames to one name succeed for exactly one group', async () => {
    const { servers, scim } = await startReplicas();
    const clients = servers.map(({ url }) => scimClient(url, TOKEN));
    const groups = await Promise.all(
      Array.from({ length: 8 }, (_, at) => scim.create('/Groups', { displayName: `group ${at}` })),
    );
    const rename = { op: 'replace', path: 'displayName', value: 'Platform' };
    const outcomes = await Promise.all([
      ...groups.map((id, at) =>
        (clients[at % clients.length] ?? scim).patch(`/Groups/${id}`, rename),
      ),
      ...clients.map((client) =>
        client.send('POST', '/Groups', { body: { displayName: 'PLATFORM' } }),
      ),
    ]);
    const statuses = outcomes.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 409)).toHaveLength(1);
    const found = await scim.ask('GET', '/Groups?filter=displayName%20eq%20%22platform%22');
    expect(found.totalResults).toBe(1);
  });
});
