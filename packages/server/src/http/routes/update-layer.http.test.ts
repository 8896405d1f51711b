import {
  listIngests,
  listLayers,
  registerLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import type { UpdateLayerBody } from '@catalog/contract/records/layer';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { followEvents } from '@catalog/testkit/follow-events';
import { readAudit, seedLayer, seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

async function patch(server: RegistryServer, id: string, body: UpdateLayerBody) {
  return server.request(updateLayer, { query: { id }, body });
}

async function patched(server: RegistryServer, id: string, body: UpdateLayerBody) {
  return server.call(updateLayer, { query: { id }, body });
}

async function stored(server: RegistryServer, id: string) {
  const { layers } = await server.call(listLayers);
  return layers.find((layer) => layer.id === id);
}

async function secretOf({ registry }: RegistryServer, id: string): Promise<string | undefined> {
  return (await registry.store.layers.get(1, id))?.webhook_secret;
}

const SHARED = {
  id: 'shared',
  ref: 'main',
  root: 'skills',
  owner: 'ann',
  public: true,
  groups: ['ops', 'dev'],
  users: ['bob'],
  git_provider: 'git-host-b',
  force_push_policy: 'strict',
  webhook_secret: 'old',
} as const;

describe('POST /v1/layers/update', () => {
  verifies(
    ['LAYER-39', 'LUPD-01', 'LUPD-02', 'LUPD-03', 'LUPD-04', 'LUPD-05', 'LUPD-06', 'LUPD-07'],
    'changes each patchable field and returns the layer',
    async () => {
      const server = await startRegistry();
      await seedLayer(server, SHARED);
      const changes: UpdateLayerBody[] = [
        { public: false, organization: false, groups: ['all'], users: ['carl', 'dora'] },
        { ref: 'release' },
        { root: 'other/place' },
        { local_path: '/srv/mirror' },
        { owner: 'carl' },
        { git_provider: 'git-host-c' },
        { force_push_policy: 'tolerant' },
      ];
      for (const change of changes) {
        const { layer } = await patched(server, 'shared', change);
        expect(layer).toMatchObject(change);
        expect(await stored(server, 'shared')).toMatchObject(change);
      }
    },
  );

  verifies(['LAYER-40'], 'PUT behaves like POST', async () => {
    const server = await startRegistry();
    await seedLayer(server, SHARED);
    const options = { method: 'PUT', query: { id: 'shared' }, body: { ref: 'release' } };
    expect((await server.call(updateLayer, options)).layer.ref).toBe('release');
  });

  verifies(['LUPD-08', 'LUPD-09'], 'ignores id, source type and repo', async () => {
    const server = await startRegistry();
    await seedLayer(server, SHARED);
    const { layer } = await patched(server, 'shared', {
      id: 'other',
      source_type: 'local',
      repo: 'https://elsewhere.example/x.git',
      ref: 'release',
    });
    expect(layer).toMatchObject({
      id: 'shared',
      source_type: 'git',
      repo: 'https://127.0.0.1:9/layer.git',
      ref: 'release',
    });
    expect(await stored(server, 'other')).toBeUndefined();
  });

  verifies(
    ['LUPD-10', 'LUPD-11', 'LUPD-12', 'LUPD-13', 'LUPD-14'],
    'applies visibility fields if they are present',
    async () => {
      const server = await startRegistry();
      await seedLayer(server, { ...SHARED, organization: true });
      expect((await patched(server, 'shared', { public: false })).layer).toMatchObject({
        public: false,
        organization: true,
        groups: ['ops', 'dev'],
        users: ['bob'],
      });
      expect((await patched(server, 'shared', { organization: false })).layer.organization).toBe(
        false,
      );
      expect((await patched(server, 'shared', { groups: ['dev'] })).layer.groups).toEqual(['dev']);
      expect((await patched(server, 'shared', { groups: [] })).layer.groups).toBeNull();
      expect((await patched(server, 'shared', { users: null })).layer).toMatchObject({
        users: null,
        groups: null,
        public: false,
      });
    },
  );

  verifies(['LUPD-15'], 'ignores empty values of other fields', async () => {
    const server = await startRegistry();
    await seedLayer(server, { ...SHARED, local_path: '/srv/mirror' });
    const before = await stored(server, 'shared');
    const { layer, webhook_secret } = await patched(server, 'shared', {
      ref: '',
      root: '',
      local_path: '',
      owner: '',
      git_provider: '',
      force_push_policy: '',
      rotate_webhook_secret: false,
    });
    expect(layer).toEqual(before);
    expect(webhook_secret).toBeUndefined();
    expect(await secretOf(server, 'shared')).toBe('old');
  });

  verifies(
    ['LUPD-17', 'LUPD-18', 'LUPD-19', 'LUPD-20', 'LUPD-25'],
    "rejects changes of a personal layer's owner and visibility, also without authentication",
    async () => {
      for (const public_mode of [false, true]) {
        const server = await startRegistry({ settings: { public_mode } });
        await seedPersonalLayer(server, { id: 'anns', ref: 'main', webhook_secret: 'old' });
        const before = await stored(server, 'anns');
        const changes: [UpdateLayerBody, string[]][] = [
          [{ owner: 'bob' }, ['owner']],
          [{ public: true }, ['public']],
          [{ organization: true }, ['organization']],
          [{ groups: ['ops'] }, ['groups']],
          [{ users: ['ann', 'bob'] }, ['users']],
          [{ public: true, owner: 'bob' }, ['owner', 'public']],
        ];
        for (const [change, fields] of changes) {
          const answer = await patch(server, 'anns', {
            ...change,
            ref: 'release',
            rotate_webhook_secret: true,
          });
          expect(answer).toMatchObject({
            status: 400,
            body: {
              code: 'registry.invalid_argument',
              details: { constraint: 'immutable_visibility', fields },
            },
          });
          for (const field of fields) {
            expect(answer.body).toMatchObject({
              message: expect.stringContaining(`\`${field}\``),
            });
          }
        }
        expect(await stored(server, 'anns')).toEqual(before);
        expect(await secretOf(server, 'anns')).toBe('old');
        expect(await readAudit(server)).toEqual([]);
      }
    },
  );

  verifies(
    ['LUPD-21'],
    'accepts a patch of a personal layer that repeats its owner and visibility',
    async () => {
      const server = await startRegistry();
      await seedPersonalLayer(server, { id: 'anns', ref: 'main' });
      const { layer } = await patched(server, 'anns', {
        owner: 'ann',
        public: false,
        organization: false,
        groups: [],
        users: ['ann'],
        ref: 'release',
      });
      expect(layer).toMatchObject({ ref: 'release', owner: 'ann', users: ['ann'], groups: null });
      expect((await patched(server, 'anns', { groups: null, ref: 'next' })).layer.ref).toBe('next');
    },
  );

  verifies(['LUPD-27', 'LUPD-28'], 'requires a known git_provider and a git source', async () => {
    const server = await startRegistry();
    await seedLayer(server, SHARED);
    await seedLayer(server, { id: 'folder', source_type: 'local', repo: '', local_path: '/srv' });
    for (const [id, git_provider] of [
      ['shared', 'git-host-z'],
      ['folder', 'git-host-a'],
      ['folder', 'git-host-z'],
    ] as const) {
      expect(await patch(server, id, { git_provider, root: 'elsewhere' })).toMatchObject({
        status: 400,
        body: { code: 'registry.invalid_argument', details: { argument: 'git_provider' } },
      });
    }
    expect(await stored(server, 'shared')).toMatchObject({ root: 'skills' });
    expect(await stored(server, 'folder')).toMatchObject({ root: '', git_provider: '' });
  });

  verifies(['LSTATE-06'], 'returns a rotated secret once and uses it afterwards', async () => {
    const server = await startRegistry();
    await seedLayer(server, { ...SHARED, webhook_key: 'key' });
    const first = await patched(server, 'shared', { rotate_webhook_secret: true });
    expect(first.webhook_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(first.layer.deleted_at).toBeNull();
    expect(await secretOf(server, 'shared')).toBe(first.webhook_secret);
    const next = await patched(server, 'shared', { ref: 'release' });
    expect(next).not.toHaveProperty('webhook_secret');
    expect(await secretOf(server, 'shared')).toBe(first.webhook_secret);
  });

  test('rejects the rotation of a secret for a local source', async () => {
    const server = await startRegistry();
    await seedLayer(server, { id: 'folder', source_type: 'local', repo: '', local_path: '/srv' });
    expect(await patch(server, 'folder', { rotate_webhook_secret: true })).toMatchObject({
      status: 400,
      body: { details: { argument: 'rotate_webhook_secret' } },
    });
  });

  verifies(
    ['LUPD-29', 'LUPD-30', 'LUPD-31'],
    'a patch without changes returns the layer and emits no event',
    async () => {
      const server = await startRegistry();
      await seedLayer(server, SHARED);
      const before = await stored(server, 'shared');
      const revision = await server.registry.store.layers.revision(1);
      const events = await followEvents(server);
      for (const same of [
        {},
        { ref: 'main', root: '/skills/', owner: 'ann', public: true, groups: ['ops', 'dev'] },
        { force_push_policy: 'strict', git_provider: 'git-host-b' } as const,
      ]) {
        const { status, body } = await patch(server, 'shared', same);
        expect([status, body]).toEqual([200, { layer: before }]);
      }
      expect(await server.registry.store.layers.revision(1)).toBe(revision);
      expect(await readAudit(server)).toEqual([]);
      expect((await server.call(listIngests)).ingests).toEqual([]);
      await patched(server, 'shared', { public: false });
      expect((await events.next()).data).toEqual({ layer: 'shared', action: 'update' });
      expect(events.headers['x-catalog-cursor']).toBe('0');
    },
  );

  describe('internal change', () => {
    const QUIET: [string, UpdateLayerBody, string][] = [
      ['EVENT-14', { rotate_webhook_secret: true }, 'webhook_secret'],
      ['EVENT-15', { force_push_policy: 'tolerant' }, 'force_push_policy'],
      ['EVENT-16', { git_provider: 'git-host-a' }, 'git_provider'],
    ];

    for (const [row, change, field] of QUIET) {
      verifies(row, `of ${field} is audited and not published`, async () => {
        const server = await startRegistry();
        await seedLayer(server, SHARED);
        const published = async () => server.registry.store.outbox.listAfter(ONLY_TENANT, 0, 10);
        await patched(server, 'shared', change);
        expect(await published()).toEqual([]);
        const records = await readAudit(server);
        expect(records.map((record) => [record.type, record['action'], record['fields']])).toEqual([
          ['layer.config_changed', 'update', [field]],
        ]);
        expect(JSON.stringify(records)).not.toContain(await secretOf(server, 'shared'));
        await patched(server, 'shared', { owner: 'bob' });
        expect((await published()).map(({ body }) => body.event)).toEqual(['layer.config_changed']);
      });
    }
  });

  test('publishes every other change, with its own event type for a personal layer', async () => {
    const server = await startRegistry();
    await seedLayer(server, SHARED);
    await seedPersonalLayer(server, { id: 'anns' });
    const events = await followEvents(
      server,
      '?type=layer.config_changed&type=layer.user_registered',
    );
    for (const change of [
      { public: false },
      { owner: 'bob' },
      { ref: 'release' },
      { root: 'elsewhere' },
      { local_path: '/srv/x' },
    ]) {
      await patched(server, 'shared', change);
      expect(await events.next()).toMatchObject({
        event: 'layer.config_changed',
        data: { layer: 'shared', action: 'update' },
      });
    }
    await patched(server, 'anns', { ref: 'release' });
    expect(await events.next()).toMatchObject({
      event: 'layer.user_registered',
      data: { layer: 'anns', action: 'update' },
    });
    expect((await readAudit(server)).at(-1)).not.toHaveProperty('fields');
  });

  test('queues an ingest if the source changes', async () => {
    const server = await startRegistry();
    await seedLayer(server, SHARED);
    await patched(server, 'shared', { public: false, git_provider: 'git-host-a' });
    expect((await server.call(listIngests)).ingests).toEqual([]);
    await patched(server, 'shared', { ref: 'release' });
    const { ingests } = await server.call(listIngests, { query: { id: 'shared' } });
    expect(ingests.map(({ layer, trigger }) => [layer, trigger])).toEqual([['shared', 'update']]);
  });

  test.each([
    ['unknown', async () => {}],
    [
      'gone',
      (server: RegistryServer) =>
        seedLayer(server, { id: 'gone', deleted_at: '2026-01-01T00:00:00.000Z' }),
    ],
  ])('%s returns 404', async (id, prepare) => {
    const server = await startRegistry();
    await prepare(server);
    expect(await patch(server, id, { ref: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'registry.not_found', details: { id } },
    });
  });

  test('rejects unknown fields', async () => {
    const server = await startRegistry();
    await server.call(registerLayer, {
      body: { id: 'x', source_type: 'local', local_path: `${server.folder}/skills` },
    });
    expect(
      await server.request(updateLayer, { query: { id: 'x' }, body: { webhook_secret: 'mine' } }),
    ).toMatchObject({ status: 400, body: { code: 'registry.invalid_argument' } });
  });
});
