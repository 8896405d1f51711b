import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { grantAdmin, listAdmins, revokeAdmin } from '@catalog/contract/endpoints/access';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import {
  ingestWebhook,
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
  reorderLayers,
  restoreLayer,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import type { Layer } from '@catalog/contract/records/layer';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import type { CheckedResponse } from '@catalog/testkit/checked-response';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const ROOT = asCaller({ subject: 'root' });
const ANN = asCaller({ subject: 'ann', email: 'ann@example.org' });
const BOB = asCaller({ subject: 'bob', groups: ['platform'] });
const ANONYMOUS = asAnonymous();

const REMOTE = { source_type: 'git', repo: 'https://git.example/skills.git' } as const;
const FOLDER = { source_type: 'local', local_path: '/srv/secret-place' } as const;
const HOST_REPO = { source_type: 'git', repo: 'file:///srv/secret-place' } as const;

let server: RegistryServer;
let count = 0;

beforeAll(async () => {
  server = await startRegistry({
    keep: true,
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'], max_user_layers: -1 },
  });
});
afterAll(() => server.close());

function newLayerId(): string {
  count += 1;
  return `layer-${count}`;
}

async function register(headers: object, body: object = {}): Promise<Layer> {
  const { layer } = await server.call(registerLayer, {
    headers: { ...headers },
    body: { id: newLayerId(), ...REMOTE, ...body },
  });
  return layer;
}

const shared = (): Promise<Layer> => register(ROOT, { organization: true, owner: 'ann' });

async function stored(id: string): Promise<unknown> {
  return server.registry.store.layers.get(ONLY_TENANT, id);
}

async function readState(): Promise<unknown> {
  const { store } = server.registry;
  return {
    layers: await store.layers.list(ONLY_TENANT),
    deleted: await store.layers.listDeleted(ONLY_TENANT),
    audit: (await store.audit.list(ONLY_TENANT, 0, 100_000)).length,
    events: (await store.outbox.listAfter(ONLY_TENANT, 0, 100_000)).length,
  };
}

function writesOf(id: string): [Endpoint, EndpointOptions][] {
  return [
    [registerLayer, { body: { id, ...REMOTE, ref: 'taken-over' } }],
    [updateLayer, { query: { id }, body: { ref: 'moved', rotate_webhook_secret: true } }],
    [reingestLayer, { query: { id, wait: 'false' } }],
    [unregisterLayer, { query: { id } }],
    [restoreLayer, { query: { id } }],
  ];
}

function forbidden(constraint?: string): object {
  return {
    status: 403,
    body: {
      code: 'auth.forbidden',
      details: constraint === undefined ? {} : { constraint },
    },
  };
}

async function ask(
  headers: object,
  row: Endpoint,
  options: EndpointOptions = {},
): Promise<CheckedResponse> {
  return server.request(row, { ...options, headers: { ...headers } });
}

describe('layer write authorization', () => {
  verifies(
    ['LAUTH-01', 'LAUTH-02', 'LAUTH-05', 'LAUTH-06', 'LAUTH-11', 'ERR-77'],
    'only administrators write layers of the organization, regardless of the named owner',
    async () => {
      const other = await register(BOB);
      for (const layer of [await shared(), other]) {
        const before = await readState();
        const secret = await stored(layer.id);
        for (const who of [ANN, ANONYMOUS]) {
          for (const [row, options] of writesOf(layer.id)) {
            expect(await ask(who, row, options), row.name).toMatchObject(forbidden());
          }
        }
        expect(await ask(ANONYMOUS, reorderLayers, { body: { order: [layer.id] } })).toMatchObject(
          forbidden(),
        );
        expect(await ask(ANN, reorderLayers, { body: { order: [layer.id] } })).toMatchObject({
          status: 400,
        });
        expect(await stored(layer.id)).toEqual(secret);
        expect(await readState()).toEqual(before);
      }
    },
  );

  verifies(
    ['LAUTH-03', 'LAUTH-04', 'LAUTH-08', 'LAUTH-09', 'LAYER-09', 'LAYER-22', 'LAYER-44'],
    'a personal layer is written by its owner and by administrators',
    async () => {
      for (const who of [ANN, ROOT]) {
        const layer = await register(ANN);
        expect(layer).toMatchObject({ user_defined: true, owner: 'ann', users: ['ann'] });
        expect(layer).toMatchObject({ public: false, organization: false, groups: null });
        const { id } = layer;
        const patched = await ask(who, updateLayer, { query: { id }, body: { ref: 'next' } });
        expect(patched).toMatchObject({ status: 200, body: { layer: { ref: 'next' } } });
        expect(await ask(who, reingestLayer, { query: { id, wait: 'false' } })).toMatchObject({
          status: 202,
        });
        expect(await ask(who, reorderLayers, { body: { order: [id] } })).toMatchObject({
          status: 200,
        });
        expect(await ask(who, unregisterLayer, { query: { id } })).toMatchObject({ status: 200 });
        expect(await ask(who, restoreLayer, { query: { id } })).toMatchObject({ status: 200 });
      }
      expect(await register(ROOT, { public: true })).toMatchObject({ user_defined: false });
    },
  );

  verifies('LAUTH-10', 'the caller who registers a personal layer is its owner', async () => {
    expect(await register(ANN, { owner: 'ann', public: false, groups: [] })).toMatchObject({
      user_defined: true,
      owner: 'ann',
      users: ['ann'],
    });
    expect(await register(ROOT)).toMatchObject({ user_defined: true, owner: 'root' });
  });

  verifies(
    ['LAUTH-07', 'LSTATE-05'],
    'a soft-deleted layer is replaced only by callers who may write it',
    async () => {
      const { id } = await register(BOB);
      await ask(BOB, unregisterLayer, { query: { id } });
      const before = await stored(id);
      const again = { body: { id, ...REMOTE } };
      expect(await ask(ANN, registerLayer, again)).toMatchObject(forbidden());
      expect(await stored(id)).toEqual(before);
      expect(await ask(BOB, registerLayer, again)).toMatchObject({ status: 201 });
    },
  );

  test('an id past the recovery window is free and has no former content', async () => {
    const folder = await server.as(ROOT).ingest(
      {
        'ops/note/ARTIFACT.md':
          '---\ntype: rule\nversion: 1.0.0\ndescription: A note.\n---\nSecret.\n',
      },
      { id: newLayerId(), users: ['ann'] },
    );
    const id = folder.layer;
    const pinned = { query: { id: 'ops/note', version: '1.0.0' } };
    expect((await ask(ANN, loadArtifact, pinned)).status).toBe(200);
    await server.registry.store.transaction(async ({ layers }) => {
      const layer = await layers.get(ONLY_TENANT, id);
      if (layer === undefined) throw new Error('no layer');
      await layers.replace(ONLY_TENANT, { ...layer, deleted_at: '2020-01-01T00:00:00.000Z' });
    });
    expect((await ask(BOB, registerLayer, { body: { id, ...REMOTE } })).status).toBe(201);
    expect((await ask(BOB, loadArtifact, pinned)).status).toBe(404);
    const { ingests } = await server.as(BOB).call(listIngests, { query: { id } });
    expect(ingests.map(({ trigger }) => trigger)).toEqual(['register']);
  });

  verifies(
    'ERR-77',
    'a missing layer returns 404 to administrators and 403 to other callers',
    async () => {
      const hidden = await register(BOB);
      for (const [row, options] of writesOf('none').slice(1)) {
        expect(await ask(ROOT, row, options), row.name).toMatchObject({
          status: 404,
          body: { code: 'registry.not_found' },
        });
        const absent = await ask(ANN, row, options);
        const query = { ...options.query, id: hidden.id };
        const hers = await ask(ANN, row, { ...options, query });
        expect(absent).toMatchObject(forbidden());
        expect(hers.raw).toEqual(absent.raw);
      }
    },
  );

  verifies('LAUTH-14', 'a registration fails if the stored layer cannot be read', async () => {
    const { store } = server.registry;
    const transaction = store.transaction.bind(store);
    store.transaction = (work) =>
      transaction((writes) => {
        const get = async (): Promise<never> => {
          throw new Error('the disk is gone');
        };
        return work({ ...writes, layers: { ...writes.layers, get } });
      });
    const before = await readState();
    const answer = await ask(ROOT, registerLayer, { body: { id: newLayerId(), ...REMOTE } });
    store.transaction = transaction;
    expect(answer).toMatchObject({ status: 500, body: { code: 'registry.unavailable' } });
    expect(await readState()).toEqual(before);
  });
});

// Several tenants have a stricter rule (SPEC-77, host-paths.http.servers.test.ts).
describe('path on the host', () => {
  verifies(
    ['LLOCAL-01', 'LLOCAL-02', 'LLOCAL-03', 'LLOCAL-07', 'LLOCAL-08', 'LLOCAL-12', 'LFIELD-09'],
    'is registered only by administrators, and the rejection does not repeat it',
    async () => {
      const before = await readState();
      for (const source of [
        FOLDER,
        HOST_REPO,
        { source_type: 'git', repo: '/srv/secret-place' },
        { source_type: 'git', repo: 'C:\\secret-place' },
        { ...FOLDER, public: true },
      ]) {
        const answer = await ask(ANN, registerLayer, { body: { id: newLayerId(), ...source } });
        expect(answer).toMatchObject(forbidden('local_source'));
        expect(answer.raw.toString()).not.toContain('secret-place');
      }
      expect(await readState()).toEqual(before);
      for (const source of [FOLDER, HOST_REPO]) {
        expect(await register(ROOT, { ...source, organization: true })).toMatchObject(source);
      }
    },
  );

  verifies(
    ['LLOCAL-04', 'LUPD-26'],
    'is set only by administrators, for every source type',
    async () => {
      const { id } = await register(ANN);
      const patch = { query: { id }, body: { local_path: '/srv/secret-place', ref: 'next' } };
      expect(await ask(ANN, updateLayer, patch)).toMatchObject(forbidden('local_source'));
      expect(await stored(id)).toMatchObject({ local_path: '', ref: '' });
      expect(await ask(ROOT, updateLayer, patch)).toMatchObject({ status: 200 });
    },
  );

  verifies(
    ['LLOCAL-05', 'LLOCAL-06', 'LLOCAL-09', 'LLOCAL-10', 'LLOCAL-15', 'ADMIN-05', 'ADMIN-06'],
    'is authorized on every operation, so a former administrator cannot reingest it',
    async () => {
      await server.as(ROOT).call(grantAdmin, { body: { user_id: 'cid' } });
      const cid = asCaller({ subject: 'cid' });
      for (const source of [FOLDER, HOST_REPO]) {
        const { id, user_defined } = await register(cid, source);
        expect(user_defined).toBe(true);
        await server.as(ROOT).call(grantAdmin, { body: { user_id: 'cid' } });
        const reingest = { query: { id, wait: 'false' } };
        expect(await ask(cid, reingestLayer, reingest)).toMatchObject({ status: 202 });
        await server.as(ROOT).request(revokeAdmin, { query: { user_id: 'cid' } });
        expect(await ask(cid, reingestLayer, reingest)).toMatchObject(forbidden('local_source'));
        expect(await ask(cid, reorderLayers, { body: { order: [id] } })).toMatchObject({
          status: 200,
        });
        expect(await ask(cid, unregisterLayer, { query: { id } })).toMatchObject({ status: 200 });
        const restore = { query: { id } };
        expect(await ask(cid, restoreLayer, restore)).toMatchObject(forbidden('local_source'));
        expect(await ask(ROOT, restoreLayer, restore)).toMatchObject({ status: 200 });
        await server.as(ROOT).call(grantAdmin, { body: { user_id: 'cid' } });
      }
      await server.as(ROOT).request(revokeAdmin, { query: { user_id: 'cid' } });
    },
  );

  verifies(
    ['LLOCAL-11', 'LLOCAL-13'],
    'is detected from the repo, so network URLs are accepted with any local_path',
    async () => {
      for (const repo of [
        'https://git.example/x.git',
        'ssh://git@git.example/x.git',
        'git@git.example:x.git',
      ]) {
        expect(await register(ANN, { source_type: 'git', repo })).toMatchObject({ repo });
      }
      const { id } = await register(ANN);
      await ask(ROOT, updateLayer, { query: { id }, body: { local_path: '/srv/elsewhere' } });
      expect(await stored(id)).toMatchObject({ local_path: '/srv/elsewhere' });
      expect(await ask(ANN, reingestLayer, { query: { id, wait: 'false' } })).toMatchObject({
        status: 202,
      });
    },
  );
});

describe('delivery of a git host', () => {
  async function deliver(layer: string, secret: string): Promise<CheckedResponse> {
    const body = '{"ref":"refs/heads/main"}';
    const digest = createHmac('sha256', secret).update(body).digest('hex');
    return server.request(ingestWebhook, {
      params: { layer },
      body,
      headers: { 'x-hub-signature-256': `sha256=${digest}` },
    });
  }

  verifies(
    'LLOCAL-14',
    'for a repository on the host is rejected after its signature is verified',
    async () => {
      for (const [source, status] of [
        [HOST_REPO, 403],
        [REMOTE, 202],
      ] as const) {
        const id = newLayerId();
        const body = { id, ...source, organization: true };
        const { webhook_secret = '' } = await server.as(ROOT).call(registerLayer, { body });
        const jobs = await server.registry.store.jobs.list(ONLY_TENANT, id, 10);
        const unsigned = await deliver(id, 'another');
        expect(unsigned).toMatchObject({ status: 401, body: { code: 'ingest.webhook_invalid' } });
        const signed = await deliver(id, webhook_secret);
        expect(signed.status).toBe(status);
        if (status !== 403) continue;
        expect(signed).toMatchObject(forbidden('local_source'));
        expect(signed.raw.toString()).not.toContain('secret-place');
        const after = await server.registry.store.jobs.list(ONLY_TENANT, id, 10);
        expect(after.map(({ job }) => job)).toEqual(jobs.map(({ job }) => job));
      }
    },
  );

  test('to a missing layer returns the same response as an invalid signature', async () => {
    const id = newLayerId();
    await server.as(ROOT).call(registerLayer, { body: { id, ...REMOTE, organization: true } });
    const there = await deliver(id, 'another');
    const absent = await deliver(`${id}-none`, 'another');
    expect(there.status).toBe(401);
    expect(absent.raw.toString()).toBe(there.raw.toString().replaceAll(id, `${id}-none`));
  });
});

test('authorization is decided after the body has arrived', async () => {
  await server.as(ROOT).call(grantAdmin, { body: { user_id: 'eve' } });
  const body = JSON.stringify({ user_id: 'mallory' });
  const { hostname, port } = new URL(server.url);
  const slow = request({
    hostname,
    port,
    path: '/v1/admin/grants',
    method: 'POST',
    headers: {
      ...asCaller({ subject: 'eve' }),
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  slow.flushHeaders();
  // Another connection has got a later response, so the registry is already reading the slow request.
  slow.write(body.slice(0, 3));
  await ask(ROOT, listLayers);
  await server.as(ROOT).request(revokeAdmin, { query: { user_id: 'eve' } });
  slow.end(body.slice(3));
  const [answer] = await once(slow, 'response');
  expect(answer.statusCode).toBe(403);
  answer.resume();
  const { admins } = await server.as(ROOT).call(listAdmins);
  expect(admins.map(({ user_id }) => user_id)).not.toContain('mallory');
});

describe('fields reserved for administrators', () => {
  const ASSERTED = {
    owner: 'bob',
    public: true,
    organization: true,
    groups: ['platform'],
    users: ['bob'],
  };

  verifies(
    ['LFIELD-02', 'LFIELD-03'],
    'are rejected from other callers, and the rejection names the fields',
    async () => {
      const before = await readState();
      for (const [field, value] of Object.entries(ASSERTED)) {
        const body = { id: newLayerId(), ...REMOTE, [field]: value };
        const answer = await ask(ANN, registerLayer, { body });
        expect(answer).toMatchObject(forbidden('admin_only_fields'));
        expect(answer.body).toMatchObject({ message: expect.stringContaining(`\`${field}\``) });
      }
      const all = await ask(ANN, registerLayer, {
        body: { id: newLayerId(), ...REMOTE, ...ASSERTED },
      });
      for (const field of Object.keys(ASSERTED)) {
        expect(all.body).toMatchObject({ message: expect.stringContaining(`\`${field}\``) });
      }
      expect(await readState()).toEqual(before);
    },
  );

  verifies(
    ['LFIELD-01', 'LAYER-10', 'LAYER-11', 'LAYER-12', 'LAYER-13'],
    "are accepted in an administrator's registration",
    async () => {
      expect(await register(ROOT, ASSERTED)).toMatchObject({ ...ASSERTED, user_defined: false });
      expect(await register(ROOT, { public: true })).toMatchObject({ groups: null, users: null });
    },
  );

  verifies(
    ['LFIELD-04', 'LFIELD-05', 'LFIELD-06', 'LFIELD-07'],
    'are not claimed by false, empty lists, an empty owner, or the caller as owner',
    async () => {
      for (const body of [
        { public: false, organization: false },
        { groups: [], users: [] },
        { owner: '' },
        { owner: 'ann' },
      ]) {
        expect(await register(ANN, body)).toMatchObject({ user_defined: true, owner: 'ann' });
      }
    },
  );

  verifies('LFIELD-08', 'are checked after write authorization', async () => {
    const { id } = await register(BOB);
    const body = { id, ...REMOTE, public: true };
    expect(await ask(ANN, registerLayer, { body })).toMatchObject(forbidden());
  });
});

verifies('LREAD-02', 'reports from before a layer was registered again stay hidden', async () => {
  const { id } = await register(BOB);
  const all = async () => (await server.as(ROOT).call(listIngests, { query: { id } })).ingests;
  const isOver = async () => (await all()).every(({ state }) => /^(?:done|failed)$/.test(state));
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
  const former = (await all()).map(({ job }) => job);
  expect(former).toHaveLength(1);
  await register(ROOT, { id, organization: true });
  expect((await all()).map(({ job }) => job)).toEqual(expect.arrayContaining(former));
  const { ingests } = await server.as(ANN).call(listIngests, { query: { id } });
  expect(ingests.map(({ trigger }) => trigger)).toEqual(['register']);
  expect(former).not.toContain(ingests[0]?.job);
});

describe('owner and visibility of a personal layer', () => {
  verifies(
    ['LUPD-22', 'LUPD-23', 'LUPD-24'],
    'are immutable, including for administrators, and compared exactly',
    async () => {
      const { id } = await register(ANN);
      const before = await stored(id);
      for (const who of [ANN, ROOT]) {
        for (const patch of [
          { users: [] },
          { users: null },
          { users: ['ann', 'bob'] },
          { users: [' ann'] },
          { owner: 'ann ' },
          { owner: 'bob' },
          { groups: ['platform'] },
          { public: true },
          { organization: true, ref: 'next', rotate_webhook_secret: true },
        ]) {
          const answer = await ask(who, updateLayer, { query: { id }, body: patch });
          expect(answer, JSON.stringify(patch)).toMatchObject({
            status: 400,
            body: { details: { constraint: 'immutable_visibility' } },
          });
        }
        const same = { public: false, organization: false, groups: [], users: ['ann'] };
        const restated = { query: { id }, body: { ...same, owner: 'ann' } };
        expect(await ask(who, updateLayer, restated)).toMatchObject({ status: 200 });
      }
      expect(await stored(id)).toEqual(before);
    },
  );

  verifies('LUPD-22', 'are compared in the order of their lists', async () => {
    const lists = { groups: ['ops', 'dev'], users: ['ann', 'bob'] };
    const { id } = await seedPersonalLayer(server, { id: newLayerId(), ...lists });
    const before = await stored(id);
    for (const who of [ANN, ROOT]) {
      for (const body of [{ groups: ['dev', 'ops'] }, { users: ['bob', 'ann'] }]) {
        const answer = await ask(who, updateLayer, { query: { id }, body });
        expect(answer, JSON.stringify(body)).toMatchObject({
          status: 400,
          body: { details: { constraint: 'immutable_visibility' } },
        });
      }
      expect(await ask(who, updateLayer, { query: { id }, body: lists })).toMatchObject({
        status: 200,
      });
    }
    expect(await stored(id)).toEqual(before);
  });
});

describe('layer visibility', () => {
  let layers: Record<string, Layer>;

  beforeEach(async () => {
    layers = {
      everybody: await register(ROOT, { public: true }),
      organization: await register(ROOT, { organization: true }),
      platform: await register(ROOT, { groups: ['platform'] }),
      ann: await register(ROOT, { users: ['ann'] }),
      mail: await register(ROOT, { users: ['ann@example.org'] }),
      annsOwn: await register(ANN),
      bobsOwn: await register(BOB),
    };
  });

  async function listed(headers: object, query: object = {}): Promise<string[]> {
    const { status, body } = await ask(headers, listLayers, { query: { ...query } });
    expect(status).toBe(200);
    return namesIn(body);
  }

  function namesIn(body: unknown): string[] {
    const { layers: found = [] } = Object(body);
    const ids = new Set(found.map(({ id }: Layer) => id));
    return Object.keys(layers).filter((name) => ids.has(layers[name]?.id));
  }

  const SEEN_BY_ANN = ['everybody', 'organization', 'ann', 'mail', 'annsOwn'];
  const SEEN_BY_BOB = ['everybody', 'organization', 'platform', 'bobsOwn'];

  verifies(
    ['LREAD-01', 'LREAD-02', 'LREAD-03', 'LREAD-05', 'LAYER-30'],
    'administrators list all layers, other users the visible ones, and anonymous callers none',
    async () => {
      expect(await listed(ROOT)).toEqual(Object.keys(layers));
      expect(await listed(ANN)).toEqual(SEEN_BY_ANN);
      expect(await listed(BOB)).toEqual(SEEN_BY_BOB);
      expect((await ask(ANONYMOUS, listLayers)).body).toEqual({ layers: [] });
    },
  );

  verifies(['LREAD-07', 'LAYER-31'], 'the same rules apply to deleted layers', async () => {
    for (const { id } of Object.values(layers))
      await server.as(ROOT).call(unregisterLayer, { query: { id } });
    const query = { deleted: 'true' };
    expect(await listed(ROOT, query)).toEqual(Object.keys(layers));
    expect(await listed(ANN, query)).toEqual(SEEN_BY_ANN);
    expect(await listed(BOB, query)).toEqual(SEEN_BY_BOB);
    expect((await ask(ANONYMOUS, listLayers, { query })).body).toEqual({ layers: [] });
    expect(await listed(ROOT)).toEqual([]);
  });

  verifies(
    ['LREAD-08', 'LAYER-38'],
    'the same rules apply to the response of a reorder',
    async () => {
      const order = [layers['annsOwn']?.id ?? ''];
      const hers = await ask(ANN, reorderLayers, { body: { order } });
      expect(namesIn(hers.body)).toEqual(SEEN_BY_ANN);
      const all = await ask(ROOT, reorderLayers, { body: { order } });
      expect(namesIn(all.body)).toEqual(Object.keys(layers));
      expect(all.body).toEqual((await ask(ROOT, listLayers)).body);
      expect(hers.body).toEqual((await ask(ANN, listLayers)).body);
    },
  );

  verifies(
    'LUPD-16',
    'a layer without grants is invisible to all users except administrators',
    async () => {
      const id = layers['organization']?.id ?? '';
      await server.as(ROOT).call(updateLayer, { query: { id }, body: { organization: false } });
      for (const who of [ANN, BOB]) expect(await listed(who)).not.toContain('organization');
      expect(await listed(ROOT)).toContain('organization');
    },
  );
});
