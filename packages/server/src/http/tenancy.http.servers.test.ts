import { createHmac } from 'node:crypto';
import {
  createTenant,
  deactivateTenant,
  getQuota,
  grantAdmin,
  listAdmins,
  revokeAdmin,
  showEffective,
} from '@catalog/contract/endpoints/access';
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
import {
  getIngest,
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
  restoreLayer,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import {
  artifactMarkdown,
  getObject,
  listVersions,
  loadArtifact,
} from '@catalog/contract/endpoints/materialization';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { acceptedIngest } from '@catalog/contract/records/ingest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import {
  asCaller,
  asAnonymous,
  TRUSTED_HEADERS,
  TRUSTED_HEADERS_MULTI_TENANT,
} from '@catalog/testkit/callers';
import { followEvents } from '@catalog/testkit/follow-events';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryClientView,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../config/settings.ts';
import { tenantId } from '../registry/access/tenant-id.ts';
import { verifies } from '@catalog/testkit/verifies';

function rule(word: string, version = '1.0.0'): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a ${word}.\ntags: [${word}tag]\n---\nWave at the ${word}.\n`;
}

/** Returns content above the inline limit, which becomes a separate object. */
function large(word: string): string {
  return `${word} `.repeat(40_000);
}

function content(word: string) {
  return {
    'ops/DOMAIN.md': `---\ndescription: Operations of ${word}.\n---\n`,
    'ops/greet/ARTIFACT.md': rule(word),
    [`ops/${word}only/ARTIFACT.md`]: rule(word),
    'ops/model/ARTIFACT.md': rule(word),
    'ops/model/assets/model.txt': large(word),
  };
}

const SETTINGS = {
  ...TRUSTED_HEADERS_MULTI_TENANT,
  operator_admins: ['op'],
  bootstrap_admins: ['kookaburra=ada', 'zebrafinch=zoe'],
  'log.level': 'debug',
  access_log: true,
} satisfies Partial<Settings>;

interface Place {
  server: RegistryServer;
  ada: RegistryClientView;
  zoe: RegistryClientView;
}

async function startTwo(): Promise<Place> {
  const server = await startRegistry({ settings: SETTINGS });
  const ada = server.as(asCaller({ subject: 'ada', org: 'kookaburra' }));
  const zoe = server.as(asCaller({ subject: 'zoe', org: 'zebrafinch' }));
  for (const [face, word] of [
    [ada, 'kookaburra'],
    [zoe, 'zebrafinch'],
  ] as const) {
    await face.ingest(content(word), { organization: true });
    await face.ingest({ 'hidden/ARTIFACT.md': rule(word) }, { id: `${word}-vault`, users: [word] });
  }
  return { server, ada, zoe };
}

/** Read requests with the parameters that return the most data. */
const READS: readonly [Endpoint, EndpointOptions][] = [
  [loadDomain, { query: { path: '', depth: 3 } }],
  [loadDomain, { query: { path: 'ops' } }],
  [searchDomains, { query: { query: 'operations zebrafinch' } }],
  [searchArtifacts, { query: { query: 'greet zebrafinch kookaburra', top_k: 50 } }],
  [searchArtifacts, { query: { query: 'zebrafinch', as_admin: 'true', top_k: 50 } }],
  [searchArtifacts, { query: { tags: 'zebrafinchtag' } }],
  [searchArtifacts, { query: {} }],
  [searchArtifacts, { query: { query: 'greet', facets: 'true', explain: 'true' } }],
  [catalog, {}],
  [catalog, { query: { limit: 50 } }],
  [catalog, { query: { layer: 'zebrafinch-vault' } }],
  [recent, {}],
  [recentFeed, {}],
  [syncManifestEndpoint, {}],
  [dependents, { query: { id: 'ops/greet' } }],
  [analyzeDomain, { query: { path: 'ops' } }],
  [previewScope, {}],
  [loadArtifact, { query: { id: 'ops/greet' } }],
  [loadArtifact, { query: { id: 'ops/greet', as_admin: 'true' } }],
  [loadArtifact, { query: { id: 'ops/model' } }],
  [artifactMarkdown, { query: { id: 'ops/greet' } }],
  [listVersions, { query: { id: 'ops/greet' } }],
  [listLayers, {}],
  [listLayers, { query: { deleted: 'true' } }],
  [listIngests, { query: {} }],
  [listAdmins, {}],
  [showEffective, { query: { user_id: 'zoe' } }],
  [getQuota, {}],
];

async function readAll(face: RegistryClientView): Promise<string> {
  const texts: string[] = [];
  for (const [row, options] of READS) {
    const { status, raw, headers } = await face.request(row, options);
    expect([row.name, status]).toEqual([row.name, 200]);
    texts.push(JSON.stringify(headers), raw.toString());
  }
  // The response may repeat the query.
  return texts.join('\n').replaceAll(/"query":"[^"]*"/g, '');
}

describe('two tenants of one registry', () => {
  verifies(
    ['MODE-03', 'LAYER-01', 'AUTH-33'],
    "have layers and artifacts with equal ids and cannot read each other's",
    async () => {
      const { server, ada, zoe } = await startTwo();
      for (const [face, own, other, owner] of [
        [ada, 'kookaburra', 'zebrafinch', 'zoe'],
        [zoe, 'zebrafinch', 'kookaburra', 'ada'],
      ] as const) {
        const { layers } = await face.call(listLayers);
        expect(layers.map(({ id }) => id)).toEqual(['base', `${own}-vault`]);
        const read = (await readAll(face)).replaceAll('"user_id":"zoe"', '');
        expect(read).toContain(own);
        expect(read).not.toContain(other);
        expect(read).not.toContain(tenantId(other));
        expect(read).not.toContain(`"${owner}"`);
        const loaded = await face.call(loadArtifact, { query: { id: 'ops/greet' } });
        expect(loaded.manifest_body).toContain(`greet a ${own}`);
        const byId = server.as(asCaller({ subject: 'eve', org: tenantId(own) }));
        expect(await byId.call(catalog)).toEqual(await face.call(catalog));
      }
    },
  );

  verifies(
    'MODE-03',
    'get the same response for a resource of the other tenant as for a missing one',
    async () => {
      const { ada, zoe } = await startTwo();
      const { ingests } = await zoe.call(listIngests, { query: {} });
      const object = bytesHash(large('zebrafinch')).slice('sha256:'.length);
      const pairs: readonly [Endpoint, (name: string) => EndpointOptions, [string, string]][] = [
        [loadArtifact, (id) => ({ query: { id } }), ['ops/zebrafinchonly', 'ops/nobodyhas___it']],
        [
          artifactMarkdown,
          (id) => ({ query: { id } }),
          ['ops/zebrafinchonly', 'ops/nobodyhas___it'],
        ],
        [listVersions, (id) => ({ query: { id } }), ['ops/zebrafinchonly', 'ops/nobodyhas___it']],
        [getObject, (key) => ({ params: { key } }), [object, '0'.repeat(object.length)]],
        [
          getIngest,
          (job) => ({ params: { job } }),
          [ingests[0]?.job ?? '', '00000000-0000-4000-8000-000000000000'],
        ],
        ...[updateLayer, unregisterLayer, restoreLayer, reingestLayer].map(
          (row): (typeof pairs)[number] => [
            row,
            (id) => ({ query: { id }, ...(row === updateLayer ? { body: { public: true } } : {}) }),
            ['zebrafinch-vault', 'zebrafinch-nobod'],
          ],
        ),
      ];
      for (const [row, options, [hiddenResponse, missingResponse]] of pairs) {
        const answers = await Promise.all(
          [hiddenResponse, missingResponse].map(async (name) => {
            const { status, raw } = await ada.request(row, options(name));
            return { status, text: raw.toString().replaceAll(name, '') };
          }),
        );
        expect([row.name, answers[0]]).toEqual([row.name, answers[1]]);
        expect([row.name, answers[0]?.status]).toEqual([row.name, 404]);
      }
      expect((await zoe.call(listLayers)).layers.map(({ id }) => id)).toContain('zebrafinch-vault');
    },
  );

  verifies('MODE-03', 'receive no events of each other, live or replayed', async () => {
    const { ada, zoe } = await startTwo();
    const live = await followEvents(ada);
    const replayed = await followEvents(ada, '?since=0');
    await zoe.ingest({ ...content('zebrafinch'), 'ops/greet/ARTIFACT.md': rule('x', '2.0.0') });
    await ada.ingest({ ...content('kookaburra'), 'ops/greet/ARTIFACT.md': rule('x', '3.0.0') });
    for (const stream of [live, replayed]) {
      const received: string[] = [];
      for (;;) {
        const event = await stream.next();
        received.push(JSON.stringify(event));
        if (JSON.stringify(event.data).includes('3.0.0')) break;
      }
      expect(received.join('\n')).not.toMatch(/zebrafinch|2\.0\.0|zoe/);
      stream.close();
    }
  });

  test("leave no data in each other's log lines, nor any in metrics", async () => {
    const { server, ada } = await startTwo();
    const lines_before = server.log.length;
    await readAll(ada);
    await ada.ingest({ ...content('kookaburra'), 'ops/greet/ARTIFACT.md': rule('x', '2.0.0') });
    const lines = server.log.slice(lines_before);
    const requests = lines.filter((line) => line.includes('"request_id"'));
    expect(requests.length).toBeGreaterThan(READS.length);
    expect(requests.join('\n')).not.toMatch(/zebrafinch|zoe/);
    // A changed folder is ingested automatically, and the log line names its tenant.
    const of_both = server.log.filter(
      (line) => /zebrafinch|zoe/.test(line) && /kookaburra/.test(line),
    );
    expect(of_both).toEqual([]);
    const { raw } = await server.request('/metrics');
    expect(raw.toString()).toContain('catalog_');
    expect(raw.toString()).not.toMatch(/zebrafinch|kookaburra|zoe|greet|vault/);
    for (const name of ['zebrafinch', 'kookaburra']) {
      expect(`${server.log.join('\n')}${raw.toString()}`).not.toContain(tenantId(name));
    }
  });

  verifies('MODE-03', 'accept the deliveries of their own git hosts', async () => {
    const { server, ada, zoe } = await startTwo();
    const register = async (face: RegistryClientView) => {
      // No ingest can reach this URL: private addresses are rejected before a connection is made.
      const repo = 'https://127.0.0.1:9/skills.git';
      const body = { id: 'skills', source_type: 'git', repo, organization: true };
      const { webhook_url = '', webhook_secret = '' } = await face.call(registerLayer, { body });
      const { pathname, search } = new URL(webhook_url);
      return { path: `${pathname}${search}`, secret: webhook_secret };
    };
    const of_ada = await register(ada);
    const of_zoe = await register(zoe);
    const body = '{"ref":"refs/heads/main"}';
    const deliver = (path: string, secret: string) => {
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'x-hub-signature-256': `sha256=${signature}` };
      return server.request(path, { method: 'POST', body, headers });
    };
    expect((await deliver(of_ada.path, of_zoe.secret)).status).toBe(401);
    const accepted = await deliver(of_zoe.path, of_zoe.secret);
    const { job } = acceptedIngest.parse(accepted.body);
    expect((await zoe.request(getIngest, { params: { job } })).status).toBe(200);
    expect((await ada.request(getIngest, { params: { job } })).status).toBe(404);
  });

  test('do not share sessions', async () => {
    const { ada, zoe } = await startTwo();
    const query = { id: 'ops/greet', session_id: 'the-same' };
    await ada.call(loadArtifact, { query });
    await zoe.ingest({
      ...content('zebrafinch'),
      'ops/greet/ARTIFACT.md': rule('zebrafinch', '2.0.0'),
    });
    expect(await zoe.call(loadArtifact, { query })).toMatchObject({ version: '2.0.0' });
    expect(await ada.call(loadArtifact, { query })).toMatchObject({ version: '1.0.0' });
  });
});

describe('two replicas', () => {
  test('apply changes of tenants and administrators with the next request', async () => {
    const { dsn } = await temporaryDatabase();
    const store = { 'store.type': 'postgres', 'store.dsn': dsn, 'store.pool_size': 4 } as const;
    const settings = { ...SETTINGS, ...store };
    const [one, other] = [await startRegistry({ settings }), await startRegistry({ settings })];
    const operator = one.as(asCaller({ subject: 'op' }));
    const listAdminsAs = async (subject: string) =>
      (await other.as(asCaller({ subject, org: 'new' })).request(listAdmins)).status;
    expect(await listAdminsAs('ada')).toBe(401);
    const tenant = await operator.call(createTenant, { body: { name: 'new', admins: ['ada'] } });
    expect([await listAdminsAs('ada'), await listAdminsAs('bob')]).toEqual([200, 403]);
    const ada = one.as(asCaller({ subject: 'ada', org: 'new' }));
    await ada.call(grantAdmin, { body: { user_id: 'bob' } });
    expect(await listAdminsAs('bob')).toBe(200);
    await ada.request(revokeAdmin, { query: { user_id: 'bob' } });
    expect(await listAdminsAs('bob')).toBe(403);
    await operator.request(deactivateTenant, { params: { id: tenant.id } });
    expect(await listAdminsAs('ada')).toBe(401);
  });
});

describe('organization of a caller', () => {
  verifies(
    ['AUTH-34', 'AUTH-33'],
    'returns 401 for every request if it is missing or unknown',
    async () => {
      const { server } = await startTwo();
      const unknown: readonly [Record<string, string>, object][] = [
        [asCaller({ subject: 'ada', org: 'nobody' }), { token_org_id: 'nobody' }],
        [asCaller({ subject: 'ada', org: 'Kookaburra' }), { token_org_id: 'Kookaburra' }],
        [asCaller({ subject: 'ada' }), {}],
        [asAnonymous(), {}],
        [{}, {}],
        // Without the proxy secret, identity headers are not trusted.
        [
          {
            ...asCaller({ subject: 'ada', org: 'kookaburra' }),
            'x-catalog-proxy-secret': 'guessed',
          },
          {},
        ],
      ];
      const listAdminsAs: readonly [Endpoint, EndpointOptions][] = [
        ...READS,
        [unregisterLayer, { query: { id: 'base' } }],
      ];
      for (const [headers, details] of unknown) {
        for (const [row, options] of listAdminsAs) {
          const { status, body } = await server.as(headers).request(row, options);
          expect([row.name, status]).toEqual([row.name, 401]);
          expect(body).toMatchObject({ code: 'auth.tenant_unknown', details });
        }
        const stream = await server.as(headers).open('/v1/events');
        expect(stream.status).toBe(401);
        stream.close();
      }
    },
  );

  verifies('AUTH-35', 'has no effect on a registry with one tenant', async () => {
    const settings = { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'] };
    const server = await startRegistry({ settings });
    await server
      .as(asCaller({ subject: 'ada', org: 'one' }))
      .ingest({ 'ops/greet/ARTIFACT.md': rule('visitor') }, { organization: true });
    for (const org of ['one', 'another', tenantId('default'), undefined]) {
      const bob = server.as(asCaller({ subject: 'bob', ...(org === undefined ? {} : { org }) }));
      expect((await bob.call(catalog)).ids).toEqual(['ops/greet']);
    }
  });

  verifies(
    ['AUTH-32', 'ERR-07', 'MODE-03'],
    'comes only from the token, never from a header',
    async () => {
      const provider = await startTokenIssuer();
      const { issuer, ca_file } = provider;
      const server = await startRegistry({
        settings: {
          'identity_provider.type': 'oidc-jwt',
          'identity_provider.issuer': issuer,
          'identity_provider.audience': [TEST_AUDIENCE],
          'egress.allowed_hosts': [new URL(issuer).hostname],
          ca_file,
          multi_tenant: true,
          bootstrap_admins: ['kookaburra=ada', 'zebrafinch=zoe'],
        },
      });
      const bearer = (claims: object) => ({
        authorization: `Bearer ${provider.mint({ ...claims })}`,
      });
      const ada = server.as(bearer({ sub: 'ada', org_id: 'kookaburra' }));
      await ada.ingest({ 'ops/greet/ARTIFACT.md': rule('kookaburra') }, { organization: true });
      const zoe = server.as({
        ...bearer({ sub: 'zoe', org_id: tenantId('zebrafinch') }),
        'x-catalog-user-org': 'kookaburra',
      });
      expect((await ada.call(catalog)).ids).toEqual(['ops/greet']);
      expect((await zoe.call(catalog)).ids).toEqual([]);
      const visiting = server.as(bearer({ sub: 'ada', org_id: 'zebrafinch' }));
      expect((await visiting.request(listAdmins)).status).toBe(403);
      const lost = server.as(bearer({ sub: 'ada', org_id: 'nobody' }));
      expect(await lost.request(catalog)).toMatchObject({
        status: 401,
        body: { code: 'auth.tenant_unknown', details: { token_org_id: 'nobody' } },
      });
      const none = server.as(bearer({ sub: 'ada' }));
      expect(await none.request(catalog)).toMatchObject({
        status: 401,
        body: { code: 'auth.tenant_unknown' },
      });
    },
  );
});
