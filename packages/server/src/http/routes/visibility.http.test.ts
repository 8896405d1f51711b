import {
  analyzeDomain,
  catalog,
  dependents,
  loadDomain,
  previewScope,
  recent,
  recentFeed,
  searchArtifacts,
  searchDomains,
  syncManifestEndpoint,
} from '@catalog/contract/endpoints/discovery';
import { registerLayer, unregisterLayer, updateLayer } from '@catalog/contract/endpoints/layers';
import {
  artifactMarkdown,
  batchLoad,
  listVersions,
  loadArtifact,
} from '@catalog/contract/endpoints/materialization';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import type { CheckedResponse } from '@catalog/testkit/checked-response';
import { OBJECTS_IN_A_FOLDER } from '@catalog/testkit/test-backend';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const ROOT = asCaller({ subject: 'root' });
/** Without `as_admin`, administrators see no additional layers. */
const CALLERS = {
  nobody: asAnonymous(),
  stranger: asCaller({ subject: 'zoe' }),
  member: asCaller({ subject: 'mia', groups: ['platform'] }),
  named: asCaller({ subject: 'ann' }),
  mailed: asCaller({ subject: 'u-17', email: 'ann@example.org' }),
} as const;

const LAYERS = {
  everybody: { public: true },
  organization: { organization: true },
  platform: { groups: ['platform'] },
  ann: { users: ['ann', 'ann@example.org'] },
};

const SEEN: readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  layers: readonly string[],
][] = [
  ['nobody', CALLERS.nobody, ['everybody']],
  ['a stranger', CALLERS.stranger, ['everybody', 'organization']],
  ['a member', CALLERS.member, ['everybody', 'organization', 'platform']],
  ['one named', CALLERS.named, ['everybody', 'organization', 'ann']],
  ['one named by mail', CALLERS.mailed, ['everybody', 'organization', 'ann']],
];

const LARGE = 300_000;

let server: RegistryServer;

beforeAll(async () => {
  server = await startRegistry({
    keep: true,
    settings: { ...TRUSTED_HEADERS, ...OBJECTS_IN_A_FOLDER, bootstrap_admins: ['root'] },
  });
  for (const [id, visibility] of Object.entries(LAYERS)) {
    await server.as(ROOT).ingest(filesOf(id), { id, ...visibility });
  }
});
afterAll(() => server.close());

function filesOf(layer: string): FileTree {
  return {
    [`team-${layer}/DOMAIN.md`]: `---\ndescription: About the meadow of ${layer}.\n---\n`,
    [`team-${layer}/tool/ARTIFACT.md`]: manifest(layer, 'delegates_to: [team-everybody/tool]\n'),
    [`team-${layer}/tool/large.bin`]: bytesOf(layer),
  };
}

function bytesOf(layer: string): Uint8Array {
  return new Uint8Array(LARGE).fill(layer.length);
}

function manifest(layer: string, more = ''): string {
  return `---\ntype: agent\nname: tool\nversion: 1.0.0\ndescription: The meadow of ${layer}.\n${more}---\nWalk.\n`;
}

async function ask(
  headers: Readonly<Record<string, string>>,
  row: Endpoint,
  options: EndpointOptions = {},
): Promise<CheckedResponse> {
  return server.as(headers).request(row, options);
}

function namedIn({ status, raw }: CheckedResponse): string[] {
  expect(status).toBe(200);
  const text = raw.toString();
  return Object.keys(LAYERS).filter((layer) => text.includes(`team-${layer}`));
}

function comparableParts({ status, headers, raw }: CheckedResponse): unknown {
  const { 'x-request-id': _, date: __, ...others } = headers;
  return { status, headers: others, body: raw.toString() };
}

describe('artifact of an invisible layer', () => {
  verifies('VIEW-04', 'depends on the groups of the current request', async () => {
    const mia = (...groups: string[]) => asCaller({ subject: 'mia', groups });
    for (const groups of [['platform'], [], ['other'], ['platform', 'other']]) {
      const answer = await ask(mia(...groups), catalog, {});
      expect(namedIn(answer).includes('platform'), groups.join()).toBe(groups.includes('platform'));
    }
  });

  verifies('VIEW-04', 'is absent from every list and search', async () => {
    for (const [name, headers, seen] of SEEN) {
      for (const [row, query] of [
        [loadDomain, { path: '' }],
        [searchDomains, { query: 'meadow' }],
        [searchArtifacts, { query: 'meadow' }],
        [searchArtifacts, {}],
        [searchArtifacts, { query: 'meadow', facets: 'true', explain: 'true' }],
        [searchArtifacts, { harness: 'cursor' }],
        [catalog, {}],
        [catalog, { limit: 50 }],
        [catalog, { harness: 'cursor' }],
        [recent, {}],
        [recentFeed, {}],
        [syncManifestEndpoint, {}],
        [analyzeDomain, { path: '' }],
      ] as const) {
        const answer = await ask(headers, row, { query });
        expect(namedIn(answer), `${name}: ${row.name}`).toEqual(seen);
      }
      const users = seen.map((layer) => `team-${layer}/tool`).toSorted();
      const query = { id: 'team-everybody/tool' };
      const edges = await server.as(headers).call(dependents, { query });
      expect(edges.edges.map(({ from }) => from)).toEqual(users);
      const page = await server
        .as(headers)
        .call(dependents, { query: { ...query, limit: Math.max(1, users.length) } });
      expect(page).toEqual(edges);
      const counts = await server.as(headers).call(previewScope);
      expect(counts).toMatchObject({ layers: seen, artifact_count: seen.length });
    }
  });

  verifies(
    ['VIEW-04', 'LOAD-04', 'AUTH-02'],
    'returns the same bytes as a missing artifact',
    async () => {
      for (const [name, headers, seen] of SEEN) {
        for (const layer of Object.keys(LAYERS)) {
          const isSeen = seen.includes(layer);
          const query = { id: `team-${layer}/tool` };
          const loaded = await ask(headers, loadArtifact, { query });
          const read = await ask(headers, artifactMarkdown, { query });
          expect([loaded.status, read.status], `${name} ${layer}`).toEqual(
            isSeen ? [200, 200] : [404, 404],
          );
          if (isSeen) continue;
          expect(comparableParts(read)).toEqual(comparableParts(loaded));
          const absent = await ask(headers, loadArtifact, { query: { id: `team-${layer}/tale` } });
          const renamed = JSON.stringify(comparableParts(absent)).replaceAll('/tale', '/tool');
          expect(JSON.stringify(comparableParts(loaded))).toBe(renamed);
          for (const row of [loadArtifact, artifactMarkdown, listVersions]) {
            const hidden = await ask(headers, row, { query, headers: { 'if-none-match': '*' } });
            expect(hidden.status).toBe(404);
          }
          const map = await ask(headers, loadDomain, { query: { path: `team-${layer}` } });
          expect(map).toMatchObject({ status: 404, body: { code: 'domain.not_found' } });
        }
      }
    },
  );

  verifies(['BATCH-08', 'ERR-84'], 'is denied in a batch like a missing artifact', async () => {
    const ids = ['team-ann/tool', 'team-none/tool', 'team-everybody/tool'];
    const items = await server.as(CALLERS.stranger).call(batchLoad, { body: { ids } });
    expect(items.map((item) => (item.status === 'ok' ? 'ok' : item.error.code))).toEqual([
      'visibility.denied',
      'visibility.denied',
      'ok',
    ]);
    const [hidden, absent] = items.map((item) => JSON.stringify(item));
    expect(hidden).toBe(absent?.replaceAll('team-none', 'team-ann'));
  });

  verifies('OBJ-03', 'its large files return 404 even for a known hash', async () => {
    const loaded = await server
      .as(CALLERS.named)
      .call(loadArtifact, { query: { id: 'team-ann/tool' } });
    const { content_hash } = loaded.large_resources['large.bin'] ?? { content_hash: '' };
    const path = `/objects/${content_hash}`;
    expect((await server.as(CALLERS.named).request(path)).status).toBe(200);
    const refused = await server.as(CALLERS.member).request(path);
    const absent = await server.as(CALLERS.member).request(`/objects/sha256:${'0'.repeat(64)}`);
    expect(refused.status).toBe(404);
    expect(comparableParts(refused)).toEqual(comparableParts(absent));
    const id = 'ann';
    await server.as(ROOT).call(updateLayer, { query: { id }, body: { users: ['somebody'] } });
    expect((await server.as(CALLERS.named).request(path)).status).toBe(404);
    await server.as(ROOT).call(updateLayer, { query: { id }, body: { users: LAYERS.ann.users } });
    expect((await server.as(CALLERS.named).request(path)).status).toBe(200);
  });
});

describe('as_admin', () => {
  const query = { id: 'team-ann/tool', as_admin: 'true' };

  async function overrides(): Promise<unknown[]> {
    const rows = await server.registry.store.audit.list(ONLY_TENANT, 0, 100_000);
    return rows
      .map(({ record }) => record)
      .filter(({ type }) => type === 'admin.visibility_override');
  }

  verifies(
    ['SEARCH-11', 'LOAD-04'],
    'returns invisible artifacts to an administrator and writes an audit record',
    async () => {
      const hidden = { query: { id: 'team-ann/tool' } };
      expect((await ask(ROOT, loadArtifact, hidden)).status).toBe(404);
      expect(namedIn(await ask(ROOT, searchArtifacts))).toEqual(['everybody', 'organization']);
      const before = (await overrides()).length;
      expect((await ask(ROOT, loadArtifact, { query })).status).toBe(200);
      for (const as_admin of ['1', 'true']) {
        const answer = await ask(ROOT, searchArtifacts, { query: { as_admin } });
        expect(namedIn(answer)).toEqual(Object.keys(LAYERS));
      }
      expect((await overrides()).slice(before)).toMatchObject([
        { 'caller.identity': 'root', operation: 'load_artifact', artifact: 'team-ann/tool' },
        { 'caller.identity': 'root', operation: 'search_artifacts' },
        { 'caller.identity': 'root', operation: 'search_artifacts' },
      ]);
    },
  );

  verifies(['SEARCH-12', 'LOAD-04'], 'is rejected for all other callers', async () => {
    const before = await overrides();
    for (const headers of Object.values(CALLERS)) {
      for (const [row, parameters] of [
        [loadArtifact, query],
        [searchArtifacts, { as_admin: '1' }],
      ] as const) {
        expect(await ask(headers, row, { query: parameters })).toMatchObject({
          status: 403,
          body: { code: 'auth.forbidden' },
        });
      }
    }
    expect(await overrides()).toEqual(before);
  });
});

describe('events', () => {
  verifies(
    ['EVENT-13', 'EVENT-35'],
    'are the same for all callers of a tenant, with only id and action for personal layers',
    async () => {
      const streams = await Promise.all(
        [CALLERS.stranger, CALLERS.named].map((headers) => server.as(headers).open('/v1/events')),
      );
      const id = 'anns-own';
      const body = { id, source_type: 'git', repo: 'https://git.example/x.git' };
      await server.as(CALLERS.named).call(registerLayer, { body });
      await server.as(ROOT).call(updateLayer, { query: { id: 'ann' }, body: { ref: 'moved' } });
      await server.as(CALLERS.named).call(unregisterLayer, { query: { id } });
      const [first = [], second = []] = await Promise.all(
        streams.map(async (stream) => {
          const lines: { event: string; data: Record<string, unknown> }[] = [];
          for (;;) {
            const line = await stream.next();
            if (line === undefined) break;
            const event = JSON.parse(line);
            lines.push(event);
            if (event.data?.action === 'unregister') break;
          }
          stream.close();
          return lines;
        }),
      );
      expect(first).toEqual(second);
      const personal = first.filter(({ data }) => data['layer'] === id);
      expect(personal.map(({ event, data }) => [event, data])).toEqual([
        ['layer.user_registered', { layer: id, action: 'register' }],
        ['layer.user_registered', { layer: id, action: 'unregister' }],
      ]);
      expect(first.filter(({ event }) => event === 'layer.config_changed')).toMatchObject([
        { data: { layer: 'ann' } },
      ]);
    },
  );

  test('require an identified caller', async () => {
    expect(await ask(CALLERS.nobody, { ...catalog, path: '/v1/events' })).toMatchObject({
      status: 403,
    });
  });
});
