import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { exchange } from '@catalog/testkit/http-exchange';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { scimClient, type ScimBody, type ScimClient } from '@catalog/testkit/scim-client';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const TOKEN = 'a-token-of-the-directory';
const OTHER = 'another-token-of-the-directory';

async function start(): Promise<{ server: RegistryServer; scim: ScimClient }> {
  const server = await startRegistry({ settings: { 'scim.tokens': [TOKEN, OTHER] } });
  return { server, scim: scimClient(server.url, TOKEN) };
}

async function createUsers(scim: ScimClient, ...names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const userName of names) ids.push(await scim.create('/Users', { userName }));
  return ids;
}

function namesOf({ Resources = [] }: ScimBody): unknown[] {
  return Resources.map((one) => one['userName'] ?? one['displayName']);
}

describe('/scim/v2', () => {
  verifies(
    'SCIM-03',
    'returns the same 404 as an unknown path if no token is configured',
    async () => {
      const server = await startRegistry();
      for (const path of ['/scim/v2/Users', '/scim/v2/ServiceProviderConfig', '/scim/v2/nothing']) {
        const headers = { Authorization: `Bearer ${TOKEN}` };
        const { status, body } = await server.request(path, { headers });
        const unknown = await server.request(path.replace('scim', 'else'), { headers });
        expect({ status, body }).toEqual({
          status: unknown.status,
          body: JSON.parse(JSON.stringify(unknown.body).replaceAll('else', 'scim')),
        });
        expect(status).toBe(404);
      }
      const { scim } = await start();
      expect((await scim.send('GET', '/Users')).status).toBe(200);
    },
  );

  test('requires one of its tokens', async () => {
    const { server } = await start();
    expect((await scimClient(server.url, OTHER).send('GET', '/Users')).status).toBe(200);
    for (const header of [
      'Bearer',
      'Bearer ',
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Bearer ${TOKEN.toUpperCase()}`,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN} ${OTHER}`,
      TOKEN,
      '',
    ]) {
      for (const path of ['/Users', '/Users/x', '/Groups?filter=(', '/ServiceProviderConfig']) {
        const { status, body, headers } = await scimClient(server.url, TOKEN).send('GET', path, {
          headers: { Authorization: header },
        });
        expect({ header, status }).toEqual({ header, status: 401 });
        expect(headers['www-authenticate']).toBe('Bearer');
        expect(body.detail).toContain('auth.untrusted_token');
        expect(JSON.stringify(body)).not.toContain(TOKEN);
      }
    }
    const anonymous = await exchange(server.url, '/scim/v2/Users');
    expect(anonymous.status).toBe(401);
    expect(JSON.parse(anonymous.raw.toString())).toMatchObject({ status: '401' });
  });

  test('returns every error in the SCIM form', async () => {
    const { server, scim } = await start();
    const [id] = await createUsers(scim, 'ann');
    const outcomes = [
      await scim.send('GET', '/nothing'),
      await scim.send('GET', '/Users/'),
      await scim.send('GET', '/Users/00000000'),
      await scim.send('GET', '/Users/%00'),
      await scim.send('DELETE', '/Users'),
      await scim.send('POST', '/ServiceProviderConfig', { body: {} }),
      await scim.send('POST', '/Users', { body: '{' }),
      await scim.send('POST', '/Users', { body: '[]' }),
      await scim.send('POST', '/Users', {
        body: '<xml/>',
        headers: { 'Content-Type': 'text/xml' },
      }),
      await scim.send('POST', '/Users', { body: {} }),
      await scim.send('POST', '/Users', { body: { userName: 'x'.repeat(513) } }),
      await scim.send('POST', '/Users', { body: { userName: 'a\0' } }),
      await scim.send('POST', '/Users', { body: { userName: 'b', active: 'no' } }),
      await scim.send('POST', '/Users', {
        body: { userName: 'x', nickName: 'y'.repeat(1_050_000) },
      }),
      await scim.send('POST', '/Groups', {
        body: { displayName: 'g', members: [{ value: 'no' }] },
      }),
      await scim.send('GET', '/Users?filter=userName'),
      await scim.send('GET', '/Users?filter=secret%20eq%20%22x%22'),
      await scim.send('GET', '/Users?count=x'),
      await scim.send('GET', '/Users?count=1&count=2'),
      await scim.send('GET', '/Schemas?filter=id%20pr'),
      await scim.patch(`/Users/${id}`, { op: 'replace', path: 'nothing', value: 'x' }),
      await scim.patch(`/Users/${id}`, { op: 'replace', path: 'id', value: 'x' }),
      await scim.patch(`/Users/${id}`, { op: 'remove' }),
      await scim.patch(`/Users/${id}`, { op: 'move', path: 'userName' }),
      await scim.patch(`/Users/${id}`, { op: 'remove', path: 'userName' }),
      await scim.send('PATCH', '/Users/none', { body: { Operations: [{ op: 'add', value: {} }] } }),
    ];
    expect(outcomes.map(({ status, body }) => `${status} ${body.scimType ?? ''}`.trim())).toEqual([
      '404',
      '404',
      '404',
      '400',
      '405',
      '405',
      '400 invalidSyntax',
      '400 invalidSyntax',
      '415',
      '400 invalidValue',
      '400 invalidValue',
      '400 invalidValue',
      '400 invalidValue',
      '413',
      '400 invalidValue',
      '400 invalidFilter',
      '400 invalidFilter',
      '400 invalidValue',
      '400 invalidValue',
      '403',
      '400 invalidPath',
      '400 mutability',
      '400 noTarget',
      '400 invalidSyntax',
      '400 mutability',
      '404',
    ]);
    expect(await scim.ask('GET', '/Users')).toMatchObject({ totalResults: 1 });
    expect(await scim.ask('GET', '/Groups')).toMatchObject({ totalResults: 0 });
    expect(server.log).toEqual([]);
  });

  test('accepts plain JSON and rejects requests from pages of other sites', async () => {
    const { scim } = await start();
    const body = { userName: 'ann' };
    const plain = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await scim.send('POST', '/Users', { body, headers: plain })).status).toBe(201);
    const foreign = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    const refused = await scim.send('POST', '/Users', {
      body: { userName: 'b' },
      headers: foreign,
    });
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain('auth.csrf_invalid');
  });

  test('pages results and returns the total', async () => {
    const { scim } = await start();
    await createUsers(scim, 'a', 'b', 'c', 'd', 'e');
    const all = namesOf(await scim.ask('GET', '/Users'));
    expect(new Set(all)).toEqual(new Set(['a', 'b', 'c', 'd', 'e']));
    const page = await scim.ask('GET', '/Users?startIndex=2&count=2');
    expect(page).toMatchObject({ totalResults: 5, startIndex: 2, itemsPerPage: 2 });
    expect(namesOf(page)).toEqual(all.slice(1, 3));
    expect(await scim.ask('GET', '/Users?startIndex=0&count=-1')).toMatchObject({
      totalResults: 5,
      startIndex: 1,
      Resources: [],
    });
    expect(namesOf(await scim.ask('GET', '/Users?startIndex=6'))).toEqual([]);
    const filter = 'filter=userName%20gt%20%22a%22';
    const found = await scim.ask('GET', `/Users?${filter}&startIndex=3&count=9`);
    expect(found).toMatchObject({ totalResults: 4, itemsPerPage: 2 });
    expect(namesOf(found)).toEqual(all.filter((name) => name !== 'a').slice(2));
    const searched = { filter: 'userName eq "c"', attributes: ['userName'] };
    expect(await scim.ask('POST', '/Users/.search', searched)).toMatchObject({ totalResults: 1 });
    await scim.create('/Groups', { displayName: 'c' });
    const both = await scim.ask('POST', '/.search', { startIndex: 5, count: 5 });
    expect(both.totalResults).toBe(6);
    expect(namesOf(both)).toEqual([all[4], 'c']);
    const groups = await scim
      .ask('POST', '/.search', { filter: 'members pr or displayName eq "C"' })
      .catch(String);
    expect(groups).toContain('members');
  });

  test('treats special characters in a filter as text', async () => {
    const { scim } = await start();
    const odd = `x' OR 1=1 -- "quoted" \\ % _ \u2028`;
    await createUsers(scim, 'ann', odd);
    const find = async (filter: string): Promise<unknown[]> =>
      namesOf(await scim.ask('GET', `/Users?filter=${encodeURIComponent(filter)}`));
    expect(await find(`userName eq ${JSON.stringify(odd)}`)).toEqual([odd]);
    expect(await find(`userName co ${JSON.stringify(odd.slice(1))}`)).toEqual([odd]);
    expect(await find(`id eq ${JSON.stringify("' OR '1'='1")}`)).toEqual([]);
    expect(await find('userName co "%"')).toEqual([odd]);
    expect(await find('userName sw "_"')).toEqual([]);
  });

  test('returns the requested attributes', async () => {
    const { scim } = await start();
    const user = {
      userName: 'ann',
      name: { givenName: 'Ann', familyName: 'Ash' },
      emails: [{ value: 'a@x', type: 'work' }],
    };
    const id = await scim.create('/Users', user);
    const picked = await scim.ask('GET', `/Users/${id}?attributes=NAME.givenName,emails.value`);
    expect(picked).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id,
      name: { givenName: 'Ann' },
      emails: [{ value: 'a@x' }],
    });
    const { name, emails, userName } = await scim.ask(
      'GET',
      `/Users/${id}?excludedAttributes=name,emails.type,id`,
    );
    expect({ name, emails, userName }).toEqual({ emails: [{ value: 'a@x' }], userName: 'ann' });
  });

  test('If-Match rejects a change of a newer version', async () => {
    const { scim } = await start();
    const created = await scim.send('POST', '/Users', { body: { userName: 'ann' } });
    const { id } = created.body;
    const tag = String(created.headers['etag']);
    expect(tag).toBe('W/"1"');
    expect(created.headers['location']).toContain(`/scim/v2/Users/${id}`);
    const replace = (if_match: string, nickName: string) =>
      scim.send('PUT', `/Users/${id}`, {
        body: { userName: 'ann', nickName },
        headers: { 'If-Match': if_match },
      });
    expect((await replace(tag, 'A')).headers['etag']).toBe('W/"2"');
    expect((await replace(tag, 'B')).status).toBe(412);
    expect((await replace('*', 'A')).headers['etag']).toBe('W/"2"');
    const current = await scim.send('GET', `/Users/${id}`, {
      headers: { 'If-None-Match': 'W/"2"' },
    });
    expect(current.status).toBe(304);
    const stale = await scim.send('DELETE', `/Users/${id}`, { headers: { 'If-Match': tag } });
    expect(stale.status).toBe(412);
  });

  test('applies a change completely or not at all', async () => {
    const { scim } = await start();
    const [ann, bob] = await createUsers(scim, 'ann', 'bob');
    const group = await scim.create('/Groups', { displayName: 'g', members: [{ value: ann }] });
    const before = await scim.ask('GET', `/Groups/${group}`);
    for (const last of [
      { op: 'add', path: 'members', value: [{ value: 'nobody' }] },
      { op: 'replace', path: 'nothing', value: 1 },
      { op: 'remove', path: 'displayName' },
    ]) {
      const refused = await scim.patch(
        `/Groups/${group}`,
        { op: 'replace', path: 'displayName', value: 'h' },
        { op: 'add', path: 'members', value: [{ value: bob }] },
        { op: 'remove', path: `members[value eq "${ann}"]` },
        last,
      );
      expect(refused.status).toBe(400);
      expect(await scim.ask('GET', `/Groups/${group}`)).toEqual(before);
    }
    await scim.create('/Groups', { displayName: 'Taken' });
    const taken = await scim.patch(
      `/Groups/${group}`,
      { op: 'remove', path: 'members' },
      { op: 'replace', path: 'displayName', value: 'TAKEN' },
    );
    expect({ status: taken.status, type: taken.body.scimType }).toEqual({
      status: 409,
      type: 'uniqueness',
    });
    expect(await scim.ask('GET', `/Groups/${group}`)).toEqual(before);
  });

  test('audits only effective changes', async () => {
    const { server, scim } = await start();
    const [ann] = await createUsers(scim, 'ann');
    const group = await scim.create('/Groups', { displayName: 'g' });
    const add = { op: 'add', path: 'members', value: [{ value: ann }] };
    await scim.patch(`/Groups/${group}`, add);
    await scim.patch(`/Groups/${group}`, add);
    await scim.patch(`/Users/${ann}`, { op: 'replace', path: 'active', value: 'False' });
    await scim.ask('GET', '/Users');
    await scim.ask('DELETE', `/Users/${ann}`);
    const records = (await server.registry.store.audit.list(ONLY_TENANT, 0, 100))
      .map(({ record }) => record)
      .filter(({ type }) => type.startsWith('directory.'));
    expect(records).toMatchObject([
      { type: 'directory.user_created', 'resource.name': 'ann', 'resource.active': true },
      { type: 'directory.group_created', 'resource.name': 'g' },
      { type: 'directory.group_changed', 'members.changed': 1, 'members.named_in': [ann] },
      { type: 'directory.user_changed', 'resource.active': false },
      { type: 'directory.user_deleted', 'resource.id': ann },
    ]);
    expect(new Set(records.map((record) => record['caller.identity']))).toEqual(
      new Set(['system:scim']),
    );
  });

  test('adds one member to a large group by inserting one row', async () => {
    const { server, scim } = await start();
    const { store } = server.registry;
    const [last] = await createUsers(scim, 'last');
    const group = await scim.create('/Groups', { displayName: 'large' });
    const ids = Array.from({ length: 50_000 }, (_, at) => `user-${String(at).padStart(6, '0')}`);
    await store.transaction(({ directory }) => directory.addMembers(ONLY_TENANT, group, ids));
    const written: number[] = [];
    const transaction = store.transaction.bind(store);
    store.transaction = (work) =>
      transaction((writes) =>
        work({
          ...writes,
          directory: {
            ...writes.directory,
            addMembers: async (tenant, group_id, user_ids) => {
              written.push(user_ids.length);
              return writes.directory.addMembers(tenant, group_id, user_ids);
            },
            listMembers: () => Promise.reject(new Error('the members were read')),
            setMembers: () => Promise.reject(new Error('the members were rewritten')),
          },
        }),
      );
    const add = { op: 'add', path: 'members', value: [{ value: last }] };
    expect((await scim.patch(`/Groups/${group}`, add)).status).toBe(204);
    expect(written).toEqual([1]);
    expect(await store.directory.countMembers(ONLY_TENANT, [group])).toBe(50_001);
    expect((await store.directory.standing(ONLY_TENANT, 'last', '')).groups).toEqual(['large']);
  });
});
