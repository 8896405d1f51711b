import {
  getQuota,
  grantAdmin,
  revokeAdmin,
  updateTenant,
} from '@catalog/contract/endpoints/access';
import {
  searchArtifacts,
  searchDomains,
  syncManifestEndpoint,
} from '@catalog/contract/endpoints/discovery';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import {
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
  reorderLayers,
  restoreLayer,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { batchLoad, loadArtifact } from '@catalog/contract/endpoints/materialization';
import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { Settings } from '@catalog/server/config/settings';
import { asCaller, TRUSTED_HEADERS, TRUSTED_HEADERS_MULTI_TENANT } from '@catalog/testkit/callers';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryClientView,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { errorOf, type CheckedResponse } from '@catalog/testkit/checked-response';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { requestIngest } from '../registry/ingest/request-ingest.ts';
import { tenantId } from '../registry/access/tenant-id.ts';
import { verifies } from '@catalog/testkit/verifies';

const REMOTE = { source_type: 'git', repo: 'https://127.0.0.1:9/skills.git' } as const;

function rules(ids: readonly string[], { letters = 10, version = '1.0.0' } = {}): FileTree {
  return Object.fromEntries(
    ids.map((id) => [
      `${id}/ARTIFACT.md`,
      `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n---\n${'x'.repeat(letters)}\n`,
    ]),
  );
}

interface Place {
  server: RegistryServer;
  allow: (quota: Readonly<Record<string, number>>) => Promise<void>;
  acme: RegistryClientView;
  globex: RegistryClientView;
}

async function startTenants(settings: Partial<Settings> = {}): Promise<Place> {
  const server = await startRegistry({
    settings: {
      ...TRUSTED_HEADERS_MULTI_TENANT,
      operator_admins: ['op'],
      bootstrap_admins: ['acme=ada', 'globex=gus'],
      ...settings,
    },
  });
  const operator = server.as(asCaller({ subject: 'op' }));
  return {
    server,
    allow: async (quota) => {
      await operator.call(updateTenant, { params: { id: tenantId('acme') }, body: { quota } });
    },
    acme: server.as(asCaller({ subject: 'ada', org: 'acme' })),
    globex: server.as(asCaller({ subject: 'gus', org: 'globex' })),
  };
}

/** Returns the served artifacts. The folder is also watched, so a report of an ingest may contain nothing new. */
async function servedOf(face: RegistryClientView): Promise<string[]> {
  const { artifacts } = await face.call(syncManifestEndpoint);
  return artifacts.map(({ id }) => id);
}

async function refusals(
  face: RegistryClientView,
  row: Endpoint,
  options: EndpointOptions,
): Promise<CheckedResponse[]> {
  const pendingRequests = Array.from({ length: 30 }, () => face.request(row, options));
  return (await Promise.all(pendingRequests)).filter(({ status }) => status !== 200);
}

describe('request rates of a tenant', () => {
  const SEARCH = { query: { query: 'greet' } };
  const RATES: [string, Endpoint, EndpointOptions, string, string][] = [
    ['ERR-66', searchArtifacts, SEARCH, 'search_qps', 'quota.search_qps_exceeded'],
    ['ERR-66', searchDomains, SEARCH, 'search_qps', 'quota.search_qps_exceeded'],
    [
      'ERR-67',
      loadArtifact,
      { query: { id: 'a' } },
      'materialize_rate',
      'quota.materialize_rate_exceeded',
    ],
    [
      'ERR-67',
      batchLoad,
      { body: { ids: ['a', 'b'] } },
      'materialize_rate',
      'quota.materialize_rate_exceeded',
    ],
  ];
  for (const [id, row, options, member, code] of RATES) {
    verifies(id, `${row.name} above the rate is rejected for this tenant only`, async () => {
      const { acme, globex, allow } = await startTenants();
      await acme.ingest(rules(['a', 'b']));
      await globex.ingest(rules(['a', 'b']));
      expect(await refusals(acme, row, options)).toEqual([]);
      await allow({ [member]: 1 });
      const [refused, ...others] = await refusals(acme, row, options);
      expect(others.length).toBeGreaterThan(10);
      expect(refused?.status).toBe(429);
      expect(errorOf(refused?.body)).toMatchObject({
        code,
        retryable: true,
        details: { limit: 1 },
      });
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      // Another tenant sends the same requests while this tenant has no quota left.
      expect(await refusals(globex, row, options)).toEqual([]);
      await allow({ [member]: 0 });
      expect(await refusals(acme, row, options)).toEqual([]);
    });
  }
});

verifies('ERR-67', 'a batch counts one load for each artifact id', async () => {
  const { acme, allow } = await startTenants();
  const ids = Array.from({ length: 50 }, (_, at) => `tool-${at}`);
  await acme.ingest(rules(ids));
  await allow({ materialize_rate: 20 });
  expect((await acme.request(batchLoad, { body: { ids } })).status).toBe(200);
  // As loads, the batch exceeds the rate by two seconds; as a single load, it would not.
  expect(await acme.request(loadArtifact, { query: { id: 'tool-0' } })).toMatchObject({
    status: 429,
    body: { code: 'quota.materialize_rate_exceeded' },
  });
});

describe('storage quota', () => {
  verifies(
    'ERR-65',
    'an artifact above the quota is rejected and the others are ingested',
    async () => {
      const { acme, allow } = await startTenants();
      await acme.ingest(rules(['a'], { letters: 1000 }));
      const { usage } = await acme.call(getQuota);
      expect(usage.storage_bytes).toBeGreaterThan(1000);
      await allow({ storage_bytes: usage.storage_bytes + 500 });
      const files = {
        ...rules(['a'], { letters: 1000 }),
        ...rules(['b'], { letters: 2000 }),
        ...rules(['c']),
      };
      const report = await acme.ingest(files);
      expect(await servedOf(acme)).toEqual(['a', 'c']);
      expect(report.rejected).toMatchObject([
        { artifact_id: 'b', code: 'quota.storage_exceeded', file: 'b/ARTIFACT.md' },
      ]);
      const after = await acme.call(getQuota);
      // Unchanged files are not counted again, and rejected artifacts are ingested once the quota has space.
      await acme.ingest(files);
      expect((await acme.call(getQuota)).usage).toMatchObject({
        storage_bytes: after.usage.storage_bytes,
      });
      await allow({ storage_bytes: 0 });
      expect((await acme.ingest(files)).rejected).toEqual([]);
      expect(await servedOf(acme)).toEqual(['a', 'b', 'c']);
    },
  );

  test('counts every version, and counts shared bytes for each tenant', async () => {
    const { acme, globex } = await startTenants();
    await acme.ingest(rules(['a'], { letters: 1000 }));
    await globex.ingest(rules(['a'], { letters: 1000 }));
    const one = (await acme.call(getQuota)).usage.storage_bytes;
    expect((await globex.call(getQuota)).usage.storage_bytes).toBe(one);
    await acme.ingest(rules(['a'], { letters: 1000, version: '2.0.0' }));
    expect((await acme.call(getQuota)).usage.storage_bytes).toBe(2 * one);
  });

  test('two concurrent ingests do not exceed the quota together', async () => {
    const { acme, allow } = await startTenants();
    await acme.ingest(rules(['a']), { id: 'one' });
    await acme.ingest(rules(['b']), { id: 'two' });
    const { usage } = await acme.call(getQuota);
    const limit = usage.storage_bytes + 6000;
    await allow({ storage_bytes: limit });
    const grown = ['c', 'd', 'e', 'f', 'g', 'h'];
    await Promise.all([
      acme.ingest(rules(grown, { letters: 1000 }), { id: 'one' }),
      acme.ingest(
        rules(
          grown.map((id) => `x/${id}`),
          { letters: 1000 },
        ),
        { id: 'two' },
      ),
    ]);
    const { storage_bytes } = (await acme.call(getQuota)).usage;
    expect(storage_bytes).toBeLessThanOrEqual(limit);
    expect(storage_bytes).toBeGreaterThan(limit - 1200);
  });
});

describe('artifact count quota', () => {
  const LIMIT = { 'quota.artifact_count': 3 };

  verifies(
    'ERR-70',
    'an artifact above the quota is rejected and the others are ingested',
    async () => {
      const server = await startRegistry({ settings: LIMIT });
      const report = await server.ingest(rules(['a', 'b', 'c', 'd']));
      expect(await servedOf(server)).toEqual(['a', 'b', 'c']);
      expect(report.rejected).toMatchObject([
        { artifact_id: 'd', code: 'quota.artifact_count_exceeded' },
      ]);
      const other = await server.ingest(rules(['e']), { id: 'other' });
      expect(other.rejected).toMatchObject([{ code: 'quota.artifact_count_exceeded' }]);
      // A new version of a served artifact does not count as another artifact.
      const newer = await server.ingest(rules(['a', 'b', 'c'], { version: '2.0.0' }));
      expect(newer.rejected).toEqual([]);
      expect((await server.ingest(rules(['b', 'c', 'd']))).rejected).toEqual([]);
      expect(await servedOf(server)).toEqual(['b', 'c', 'd']);
      expect((await server.call(getQuota)).usage).toMatchObject({ artifact_count: 3 });
    },
  );

  test('a child of a rejected parent is rejected', async () => {
    const server = await startRegistry({ settings: { 'quota.artifact_count': 1 } });
    const child = { 'z/ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\nextends: b\n---\n' };
    const report = await server.ingest({ ...rules(['a', 'b']), ...child });
    expect(report.rejected.map(({ artifact_id, code }) => [artifact_id, code])).toEqual([
      ['b', 'quota.artifact_count_exceeded'],
      ['z', 'ingest.invalid_artifact'],
    ]);
  });

  test('a withdrawn artifact counts again when it returns', async () => {
    const server = await startRegistry({ settings: LIMIT });
    await server.ingest(rules(['a', 'b', 'c']));
    await server.ingest(rules(['b', 'c']));
    await server.ingest(rules(['d']), { id: 'other' });
    const report = await server.ingest(rules(['a', 'b', 'c']));
    expect(await servedOf(server)).toEqual(['b', 'c', 'd']);
    expect(report.rejected).toMatchObject([
      { artifact_id: 'a', code: 'quota.artifact_count_exceeded' },
    ]);
  });

  test('a layer is restored only if the quota allows its artifacts', async () => {
    const server = await startRegistry({ settings: LIMIT });
    await server.ingest(rules(['a', 'b']));
    await server.call(unregisterLayer, { query: { id: 'base' } });
    expect((await server.call(getQuota)).usage).toMatchObject({ artifact_count: 0 });
    await server.ingest(rules(['c', 'd']), { id: 'other' });
    const { status, body } = await server.request(restoreLayer, { query: { id: 'base' } });
    expect([status, errorOf(body)?.code]).toEqual([429, 'quota.artifact_count_exceeded']);
    await server.call(unregisterLayer, { query: { id: 'other' } });
    await server.call(restoreLayer, { query: { id: 'base' } });
    expect((await server.call(getQuota)).usage).toMatchObject({ artifact_count: 2 });
  });
});

describe('personal layers of one identity', () => {
  const LONG_AGO = '2020-01-01T00:00:00.000Z';
  const ANN = asCaller({ subject: 'ann', org: 'acme' });
  const BOB = asCaller({ subject: 'bob', org: 'acme' });

  function register(
    server: RegistryServer,
    headers: Record<string, string>,
    id: string,
  ): Promise<CheckedResponse> {
    return server.as(headers).request(registerLayer, { body: { id, ...REMOTE } });
  }

  verifies(['QUOTA-03', 'ERR-69'], 'are limited to three by default', async () => {
    const { server } = await startTenants();
    for (const id of ['one', 'two', 'three']) {
      expect((await register(server, ANN, id)).status).toBe(201);
    }
    const { status, body } = await register(server, ANN, 'four');
    expect([status, errorOf(body)]).toMatchObject([
      429,
      { code: 'quota.layer_count_exceeded', details: { limit: 3, current: 3 } },
    ]);
    expect((await server.as(ANN).call(listLayers)).layers.map(({ id }) => id)).toEqual([
      'one',
      'two',
      'three',
    ]);
    // Registering a layer again does not count, and the limit applies per user.
    expect((await register(server, ANN, 'two')).status).toBe(201);
    expect((await register(server, BOB, 'four')).status).toBe(201);
  });

  verifies(
    ['QUOTA-03', 'QUOTA-04'],
    'follow the limit of the tenant, including no limit',
    async () => {
      const { server, allow } = await startTenants();
      await allow({ max_user_layers: 1 });
      expect((await register(server, ANN, 'one')).status).toBe(201);
      expect((await register(server, ANN, 'two')).status).toBe(429);
      await allow({ max_user_layers: -1 });
      for (const id of ['two', 'three', 'four', 'five']) {
        expect((await register(server, ANN, id)).status).toBe(201);
      }
      // Zero selects the default of the deployment, which is three.
      await allow({ max_user_layers: 0 });
      expect((await register(server, ANN, 'six')).status).toBe(429);
    },
  );

  verifies('QUOTA-05', 'follow the limit of the deployment over that of the tenant', async () => {
    const { server, allow } = await startTenants({ max_user_layers: 2 });
    await allow({ max_user_layers: 9 });
    expect((await register(server, ANN, 'one')).status).toBe(201);
    expect((await register(server, ANN, 'two')).status).toBe(201);
    expect((await register(server, ANN, 'three')).status).toBe(429);
    await allow({ max_user_layers: -1 });
    expect((await register(server, ANN, 'three')).status).toBe(429);
  });

  test('concurrent registrations do not exceed the limit', async () => {
    const { server } = await startTenants();
    const ids = Array.from({ length: 8 }, (_, at) => `layer-${at}`);
    const answers = await Promise.all(ids.map((id) => register(server, ANN, id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  test('an unregistered layer counts until it can no longer be restored', async () => {
    const { server } = await startTenants({ max_user_layers: 1 });
    const ann = server.as(ANN);
    await register(server, ANN, 'one');
    await ann.call(unregisterLayer, { query: { id: 'one' } });
    const refused = await register(server, ANN, 'two');
    expect([refused.status, errorOf(refused.body)]).toMatchObject([
      429,
      {
        code: 'quota.layer_count_exceeded',
        message: expect.stringContaining('1 of them unregistered'),
        details: { limit: 1, current: 1 },
      },
    ]);
    expect((await ann.request(restoreLayer, { query: { id: 'one' } })).status).toBe(200);
    await ann.call(unregisterLayer, { query: { id: 'one' } });
    expect((await register(server, ANN, 'one')).status).toBe(201);
    expect((await register(server, BOB, 'two')).status).toBe(201);
  });

  test('a layer past its recovery window no longer counts', async () => {
    const { server } = await startTenants({ max_user_layers: 1, layer_recovery_days: 1 });
    await register(server, ANN, 'one');
    await server.as(ANN).call(unregisterLayer, { query: { id: 'one' } });
    await server.registry.store.transaction(async ({ layers, tenants }) => {
      const { tenant = 0 } = (await tenants.find('acme')) ?? {};
      const layer = await layers.get(tenant, 'one');
      if (layer !== undefined) await layers.replace(tenant, { ...layer, deleted_at: LONG_AGO });
    });
    expect((await register(server, ANN, 'two')).status).toBe(201);
  });

  test('layers of the organization count for no user', async () => {
    const { server, acme } = await startTenants({ max_user_layers: 1 });
    for (const id of ['one', 'two', 'three']) {
      await acme.call(registerLayer, { body: { id, ...REMOTE, organization: true } });
    }
    expect((await register(server, ANN, 'four')).status).toBe(201);
  });
});

describe('daily audit volume', () => {
  verifies('ERR-68', 'rejects audited operations when the volume is used up', async () => {
    const server = await startRegistry({
      settings: {
        ...TRUSTED_HEADERS,
        bootstrap_admins: ['root'],
        'quota.audit_volume_per_day': 8,
      },
    });
    const root = server.as(asCaller({ subject: 'root' }));
    await root.ingest(rules(['a']), { organization: true });
    await root.call(registerLayer, { body: { id: 'other', ...REMOTE, organization: true } });
    let refused: CheckedResponse | undefined;
    for (let user = 0; refused === undefined && user < 20; user += 1) {
      const answer = await root.request(grantAdmin, { body: { user_id: `user-${user}` } });
      if (answer.status === 429) refused = answer;
    }
    const error: ErrorEnvelope | undefined = errorOf(refused?.body);
    expect(error).toMatchObject({
      code: 'quota.audit_volume_exceeded',
      retryable: false,
      details: { limit: 8 },
    });
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    const changes: [Endpoint, EndpointOptions][] = [
      [registerLayer, { body: { id: 'new', ...REMOTE } }],
      [updateLayer, { query: { id: 'base' }, body: { ref: 'next' } }],
      [reorderLayers, { body: { order: ['other', 'base'] } }],
      [reingestLayer, { query: { id: 'base' } }],
    ];
    for (const [row, options] of changes) {
      const { body } = await root.request(row, options);
      expect(errorOf(body)?.code, row.name).toBe('quota.audit_volume_exceeded');
    }
    await root.call(loadArtifact, { query: { id: 'a' } });
    const revoked = await root.request(revokeAdmin, { query: { user_id: 'user-0' } });
    expect(revoked.status).toBe(204);
    await root.call(unregisterLayer, { query: { id: 'base' } });
    const restored = await root.request(restoreLayer, { query: { id: 'base' } });
    expect(errorOf(restored.body)?.code).toBe('quota.audit_volume_exceeded');
    const { usage } = await root.call(getQuota);
    expect(usage).toMatchObject({ audit_volume_today: 10 });
  });

  test('an automatic ingest fails and reports the exceeded quota', async () => {
    const { acme, allow, server } = await startTenants();
    await acme.ingest(rules(['a']));
    await allow({ audit_volume_per_day: 1 });
    const { registry } = server;
    const tenant = (await registry.store.tenants.find('acme'))?.tenant ?? 0;
    await registry.store.transaction((writes) =>
      requestIngest(registry, writes, tenant, { layer_id: 'base', full: true, trigger: 'poll' }),
    );
    await expect
      .poll(async () => (await acme.call(listIngests, { query: { id: 'base' } })).ingests[0])
      .toMatchObject({ state: 'failed', error: { code: 'quota.audit_volume_exceeded' } });
  });
});

verifies('LIMIT-08', 'each quota of a tenant has its own error code', async () => {
  const { server, acme, allow } = await startTenants({ 'quota.artifact_count': 2 });
  await acme.ingest(rules(['a', 'b']));
  const codes: Record<string, string | undefined> = {};
  for (const [member, row, options] of [
    ['search_qps', searchArtifacts, { query: { query: 'greet' } }],
    ['materialize_rate', loadArtifact, { query: { id: 'a' } }],
  ] as const) {
    await allow({ [member]: 1 });
    const [refused] = await refusals(acme, row, options);
    codes[member] = errorOf(refused?.body)?.code;
    await allow({ [member]: 0 });
  }
  codes['artifact_count'] = (await acme.ingest(rules(['a', 'b', 'c']))).rejected[0]?.code;
  await allow({ storage_bytes: 1 });
  codes['storage_bytes'] = (await acme.ingest(rules(['d']), { id: 'd' })).rejected[0]?.code;
  await allow({ storage_bytes: 0, max_user_layers: 1 });
  const ann = server.as(asCaller({ subject: 'ann', org: 'acme' }));
  const remote = { source_type: 'git', repo: 'https://127.0.0.1:9/layer.git' };
  await ann.call(registerLayer, { body: { id: 'one', ...remote } });
  const second = await ann.request(registerLayer, { body: { id: 'two', ...remote } });
  codes['max_user_layers'] = errorOf(second.body)?.code;
  await allow({ audit_volume_per_day: 1 });
  const granted = await acme.request(grantAdmin, { body: { user_id: 'bo' } });
  codes['audit_volume_per_day'] = errorOf(granted.body)?.code;
  expect(codes).toEqual({
    search_qps: 'quota.search_qps_exceeded',
    materialize_rate: 'quota.materialize_rate_exceeded',
    artifact_count: 'quota.artifact_count_exceeded',
    storage_bytes: 'quota.storage_exceeded',
    max_user_layers: 'quota.layer_count_exceeded',
    audit_volume_per_day: 'quota.audit_volume_exceeded',
  });
});
