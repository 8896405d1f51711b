import { listLayers, registerLayer, unregisterLayer } from '@catalog/contract/endpoints/layers';
import { GIT_PROVIDER_NAMES } from '@catalog/contract/records/layer';
import type { RegistryServer } from '@catalog/testkit/registry-server';
import { startRegistry } from '@catalog/testkit/registry-server';
import { readAudit, seedLayer } from '@catalog/testkit/layer-fixture';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

/** No ingest can reach this URL: private addresses are rejected before a connection is made. */
const REPO = 'https://127.0.0.1:9/skills.git';
const SECRET = /^[0-9a-f]{64}$/;

const refused = (argument: string) => ({
  status: 400,
  body: { code: 'registry.invalid_argument', details: { argument } },
});

async function register(server: RegistryServer, body: object) {
  return server.request(registerLayer, { body });
}

async function registered(server: RegistryServer, body: object) {
  return server.call(registerLayer, { body });
}

describe('POST /v1/layers', () => {
  verifies(
    ['LAYER-02', 'LAYER-03', 'LAYER-04', 'LAYER-20', 'LAYER-21', 'LAYER-26'],
    'a git source returns the layer, and once the webhook URL and the secret',
    async () => {
      const server = await startRegistry();
      const { status, body } = await register(server, {
        id: 'skills',
        source_type: 'git',
        repo: REPO,
        ref: 'release',
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        layer: expect.objectContaining({
          id: 'skills',
          source_type: 'git',
          repo: REPO,
          ref: 'release',
        }),
        webhook_url: expect.any(String),
        webhook_secret: expect.stringMatching(SECRET),
      });
      const { layers } = await server.call(listLayers);
      const text = JSON.stringify(layers);
      expect(text).not.toMatch(/tenant|secret|webhook/);
    },
  );

  // Writes are open on loopback; otherwise open_writes decides (SPEC-76, open-writes.http.test.ts).
  verifies(
    ['LAYER-06', 'LAYER-27', 'LLOCAL-16'],
    'a local source returns only the layer',
    async () => {
      const server = await startRegistry();
      const { status, body } = await register(server, {
        id: 'folder',
        source_type: 'local',
        local_path: `${server.folder}/skills`,
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        layer: expect.objectContaining({
          source_type: 'local',
          local_path: `${server.folder}/skills`,
        }),
      });
    },
  );

  verifies(['LAYER-23', 'LAYER-24'], 'requires an id and a known source type', async () => {
    const server = await startRegistry();
    const local = { source_type: 'local', local_path: `${server.folder}/skills` };
    expect(await register(server, local)).toMatchObject(refused('id'));
    expect(await register(server, { ...local, id: '' })).toMatchObject(refused('id'));
    expect(await register(server, { id: 'x', local_path: '/x' })).toMatchObject(
      refused('source_type'),
    );
    expect(await register(server, { ...local, id: 'x', source_type: 'svn' })).toMatchObject(
      refused('source_type'),
    );
    expect((await server.call(listLayers)).layers).toEqual([]);
  });

  test.each([
    ['repo', { source_type: 'git' }],
    ['repo', { source_type: 'git', repo: '' }],
    ['repo', { source_type: 'git', repo: 'https://ann:s3cret@git.example/x.git' }],
    ['local_path', { source_type: 'local' }],
    ['local_path', { source_type: 'local', local_path: 'relative' }],
    ['root', { source_type: 'git', repo: REPO, root: '../up' }],
    ['id', { source_type: 'git', repo: REPO, id: 'a/b' }],
    ['id', { source_type: 'git', repo: REPO, id: '../up' }],
    ['force_push_policy', { source_type: 'git', repo: REPO, force_push_policy: 'maybe' }],
  ])('rejects an invalid `%s`: %j', async (argument, body) => {
    const server = await startRegistry();
    const answer = await register(server, { id: 'x', ...body });
    expect(answer).toMatchObject(refused(argument));
    expect(JSON.stringify(answer.body)).not.toContain('s3cret');
    expect(await readAudit(server)).toEqual([]);
  });

  verifies(['LAYER-25'], 'accepts and stores every member', async () => {
    const server = await startRegistry();
    const members = {
      repo: REPO,
      ref: 'release',
      root: 'skills/public',
      local_path: '/srv/mirror',
      git_provider: 'git-host-b',
      owner: 'ann',
      public: true,
      organization: true,
      groups: ['ops', 'dev'],
      users: ['bob'],
    };
    const { layer } = await registered(server, { id: 'all', source_type: 'git', ...members });
    expect(layer).toMatchObject(members);
  });

  verifies(
    ['LAYER-08', 'LAYER-18', 'LAYER-19', 'LAUTH-15'],
    'without authentication, every caller registers layers of the whole organization',
    async () => {
      for (const public_mode of [false, true]) {
        const server = await startRegistry({ settings: { public_mode } });
        const { layer } = await registered(server, { id: 'x', source_type: 'git', repo: REPO });
        expect(layer).toMatchObject({
          user_defined: false,
          owner: '',
          public: false,
          organization: true,
          groups: null,
          users: null,
          deleted_at: null,
        });
        expect(Math.abs(Date.parse(layer.created_at) - Date.now())).toBeLessThan(60_000);
        expect(layer.created_at).toMatch(/Z$/);
      }
    },
  );

  verifies(
    ['LAYER-14', 'LAYER-41', 'LAYER-42', 'LAYER-43'],
    'git_provider selects the provider of a git source and has a default',
    async () => {
      const server = await startRegistry();
      const git = { source_type: 'git', repo: REPO };
      for (const git_provider of ['git-host-a', 'git-host-b', 'git-host-c']) {
        const { layer } = await registered(server, { id: git_provider, ...git, git_provider });
        expect(layer.git_provider).toBe(git_provider);
      }
      const unnamed = await registered(server, { id: 'unnamed', ...git });
      expect(unnamed.layer.git_provider).toBe('');
      // The names of git hosts are stored as ids of the specification (SPEC-80).
      for (const [name, stored] of Object.entries(GIT_PROVIDER_NAMES)) {
        const { layer } = await registered(server, { id: name, ...git, git_provider: name });
        expect(layer.git_provider).toBe(stored);
      }
      expect(await register(server, { id: 'x', ...git, git_provider: 'git-host-z' })).toMatchObject(
        refused('git_provider'),
      );
      const local = { id: 'x', source_type: 'local', local_path: `${server.folder}/skills` };
      expect(await register(server, { ...local, git_provider: 'git-host-a' })).toMatchObject(
        refused('git_provider'),
      );
    },
  );

  verifies(['LAYER-15'], 'force_push_policy is present only if set', async () => {
    const server = await startRegistry();
    const git = { source_type: 'git', repo: REPO };
    for (const force_push_policy of ['tolerant', 'strict'] as const) {
      const { layer } = await registered(server, {
        id: force_push_policy,
        ...git,
        force_push_policy,
      });
      expect(layer.force_push_policy).toBe(force_push_policy);
    }
    const { layer } = await registered(server, { id: 'unset', ...git });
    expect(layer).not.toHaveProperty('force_push_policy');
  });

  verifies(['LAYER-07', 'LAYER-45'], 'a new layer is last in the order', async () => {
    const server = await startRegistry();
    await seedLayer(server, { id: 'far', order: 300 });
    const { layer: first } = await registered(server, { id: 'a', source_type: 'git', repo: REPO });
    const { layer: second } = await registered(server, { id: 'b', source_type: 'git', repo: REPO });
    expect([first.order, second.order]).toEqual([310, 320]);
    const { layers } = await server.call(listLayers);
    expect(layers.map(({ id }) => id)).toEqual(['far', 'a', 'b']);
    await server.call(unregisterLayer, { query: { id: 'b' } });
    const { layer: third } = await registered(server, { id: 'c', source_type: 'git', repo: REPO });
    expect(third.order).toBe(330);
  });

  verifies(
    ['LSTATE-07', 'LSTATE-08', 'LSTATE-09', 'LSTATE-10'],
    'registering a live id again replaces its record',
    async () => {
      const server = await startRegistry();
      await seedLayer(server, {
        id: 'x',
        order: 10,
        public: true,
        force_push_policy: 'strict',
        last_ingested_at: '2026-01-02T00:00:00.000Z',
        last_ingested_ref: 'c0ffee',
        webhook_secret: 'old',
        webhook_key: 'key',
      });
      await seedLayer(server, { id: 'y', order: 20 });
      const again = { id: 'x', source_type: 'git', repo: REPO };
      const { layer, webhook_secret, webhook_url } = await registered(server, again);
      expect(Date.parse(layer.created_at)).toBeGreaterThan(Date.parse('2026-01-01T00:00:00.000Z'));
      expect(layer).toMatchObject({ repo: REPO, order: 30, public: false, organization: true });
      for (const member of ['last_ingested_at', 'last_ingested_ref', 'force_push_policy']) {
        expect(layer).not.toHaveProperty(member);
      }
      expect(webhook_secret).toMatch(SECRET);
      const next = await registered(server, again);
      expect(next.webhook_secret).not.toBe(webhook_secret);
      // The URL is unchanged, so only the secret must be replaced at the git host.
      expect(next.webhook_url).toBe(webhook_url);
    },
  );

  verifies(['OPS-03'], 'writes an audit record with the caller under a dotted key', async () => {
    for (const [public_mode, identity] of [
      [false, 'system:operator'],
      [true, 'system:public'],
    ] as const) {
      const server = await startRegistry({ settings: { public_mode } });
      await server.request(registerLayer, {
        body: { id: 'x', source_type: 'git', repo: REPO },
        headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      });
      expect(await readAudit(server)).toEqual([
        {
          type: 'layer.config_changed',
          action: 'register',
          layer: 'x',
          fields: [],
          timestamp: expect.stringMatching(/Z$/),
          trace_id: '0af7651916cd43dd8448eb211c80319c',
          'caller.identity': identity,
          'caller.kind': 'open',
          'caller.public_mode': public_mode,
        },
      ]);
    }
  });
});
