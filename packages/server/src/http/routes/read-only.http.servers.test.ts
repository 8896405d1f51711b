import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { purge } from '@catalog/contract/endpoints/purge';
import { breakGlass, getFreezeWindows, putFreezeWindows } from '@catalog/contract/endpoints/freeze';
import {
  createTenant,
  deactivateTenant,
  getQuota,
  grantAdmin,
  listAdmins,
  listTenants,
  revokeAdmin,
  showEffective,
  updateTenant,
} from '@catalog/contract/endpoints/access';
import { signIn, signInCallback, signOut } from '@catalog/contract/endpoints/browser';
import { searchArtifacts, syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
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
import { healthz, metrics, readyz } from '@catalog/contract/endpoints/operations';
import { reembed } from '@catalog/contract/endpoints/search-index';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  testWebhook,
  updateWebhook,
} from '@catalog/contract/endpoints/webhooks';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import type { AuditRecord } from '@catalog/core/ports/audit';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, TRUSTED_HEADERS_MULTI_TENANT } from '@catalog/testkit/callers';
import { clusterDsn, createClusterDatabase } from '@catalog/testkit/cluster-database';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitForIngest } from '../../registry/layers/wait-for-ingest.ts';
import { verifies } from '@catalog/testkit/verifies';
import {
  startPostgresCluster,
  type PostgresCluster,
  type PostgresNode,
} from '../../../../../tools/services/postgres-cluster.ts';
import { queryPostgres } from '../../../../../tools/services/postgres-server.ts';

const PROBES = { 'read_only.probe_interval_seconds': 0.3, 'read_only.probe_failures': 3 };
/** Three probes, and one that had just ended when the primary was killed. */
const SPECIFIED_MS = 4 * 300 + 240;
const SLACK_MS = 15_000;

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';

const RECEIVER_URL = 'https://93.184.215.14/hook';

const BROWSER = {
  'identity_provider.type': 'oidc-jwt',
  'identity_provider.issuer': 'https://127.0.0.1:1',
  'identity_provider.audience': ['catalog'] as string[],
  'web_ui.enabled': true,
  'web_ui.auth': true,
  'web_ui.oauth_client_id': 'catalog-web',
  'web_ui.oauth_client_secret': 'of the client',
  'web_ui.redirect_uri': 'https://catalog.test/v1/ui/auth/callback',
  'web_ui.oauth_authorization_endpoint': 'https://127.0.0.1:1/authorize',
  'web_ui.oauth_token_endpoint': 'https://127.0.0.1:1/token',
} as const;

let folder: string;
let cluster: PostgresCluster;
let server: RegistryServer;
let several: RegistryServer;
let second: RegistryServer;
const before: { status: number; marked: boolean }[] = [];
let entered_after_ms: number;
let former: PostgresNode;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-cluster-'));
  cluster = await startPostgresCluster({ folder, standbys: 1, synchronous: true });
  await createClusterDatabase(cluster.primary.dsn);
  const settings = {
    ...PROBES,
    'store.type': 'postgres',
    'store.dsn': clusterDsn(cluster.primary.dsn),
    'store.replica_dsns': cluster.standbys.map(({ dsn }) => clusterDsn(dsn)),
    'store.pool_size': 4,
    'object_store.filesystem_root': join(folder, 'objects'),
  } as const;
  several = await startRegistry({
    keep: true,
    settings: {
      ...settings,
      ...TRUSTED_HEADERS_MULTI_TENANT,
      operator_admins: ['op'],
      bootstrap_admins: ['acme=ada'],
    },
  });
  const ada = several.as(asCaller({ subject: 'ada', org: 'acme' }));
  await ada.call(createWebhook, { body: { url: RECEIVER_URL, disabled: true } });
  server = await startRegistry({ keep: true, settings: { ...settings, 'log.level': 'warn' } });
  for (const [id, artifact] of [
    ['base', 'ops/greet'],
    ['other', 'ops/other'],
  ] as const) {
    // Both processes claim jobs from one queue, so both need this folder.
    const local_path = join(server.folder, 'layers', id);
    const source = { source_type: 'local', repo: '', ref: '', root: '', local_path } as const;
    several.registry.declared.add(ONLY_TENANT, { id, ...source });
    await server.ingest({ [`${artifact}/ARTIFACT.md`]: RULE }, { id });
  }
  await server.call(unregisterLayer, { query: { id: 'other' } });
  await killPrimary();
}, 60_000);

afterAll(async () => {
  await second?.close();
  await several?.close();
  await server?.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function killPrimary(): Promise<void> {
  expect((await server.request(healthz)).body).toEqual({ mode: 'ready' });
  await cluster.primary.kill('SIGKILL');
  const killed = performance.now();
  while (modeOf(await server.request(healthz)) === 'ready') {
    const { status, headers } = await server.request(loadArtifact, { query: { id: 'ops/greet' } });
    before.push({ status, marked: headers['x-catalog-read-only'] !== undefined });
    if (performance.now() - killed > SPECIFIED_MS + SLACK_MS) break;
    await delay(10);
  }
  entered_after_ms = performance.now() - killed;
}

function modeOf({ body }: { body: unknown }): unknown {
  return typeof body === 'object' && body !== null && 'mode' in body ? body.mode : undefined;
}

async function untilReady(): Promise<void> {
  await expect
    .poll(async () => modeOf(await server.request(healthz)), { timeout: 30_000, interval: 20 })
    .toBe('ready');
}

describe('registry without a primary', () => {
  verifies(
    ['MODE-02', 'OPS-04'],
    'serves reads from the standby and changes its mode automatically',
    async () => {
      // Before the mode changed, every read was retried on the standby.
      expect(before.length).toBeGreaterThan(0);
      expect(before.slice(0, -1)).toEqual(
        before.slice(1).map(() => ({ status: 200, marked: false })),
      );
      expect(entered_after_ms).toBeLessThan(SPECIFIED_MS + SLACK_MS);
      const record = await server.call(loadArtifact, { query: { id: 'ops/greet' } });
      expect(record).toMatchObject({ id: 'ops/greet', version: '1.0.0' });
      const found = await server.call(searchArtifacts, { query: { query: 'visitor' } });
      expect(found.results.map(({ id }) => id)).toEqual(['ops/greet']);
      expect((await server.call(listLayers)).layers.map(({ id }) => id)).toEqual(['base']);
    },
  );

  verifies('OPS-10', '/healthz returns read_only, or public in public mode', async () => {
    expect((await server.request(healthz)).body).toEqual({ mode: 'read_only' });
    const published = await startRegistry({ settings: { public_mode: true } });
    expect((await published.request(healthz)).body).toEqual({ mode: 'public' });
  });

  verifies('OPS-12', '/readyz reports ready with the replication lag', async () => {
    const { status, body } = await server.request(readyz);
    expect(status).toBe(200);
    expect(body).toEqual({ mode: 'read_only', replication_lag_seconds: expect.any(Number) });
    const { replication_lag_seconds: lag } = Object(body);
    // The standby had all data at the last probe, and there were no later writes.
    expect(lag).toBeGreaterThanOrEqual(1);
    expect(lag).toBeLessThan(60);
  });

  verifies(
    ['OPS-14', 'OPS-15'],
    'every kind of read response has the read-only headers',
    async () => {
      const { headers: first } = await server.request(syncManifestEndpoint);
      const etag = first['etag'] ?? '';
      const reads: [number, Endpoint | string, EndpointOptions][] = [
        [200, loadArtifact, { query: { id: 'ops/greet' } }],
        [200, loadArtifact, { query: { id: 'ops/greet' }, method: 'HEAD' }],
        [200, syncManifestEndpoint, {}],
        [304, syncManifestEndpoint, { headers: { 'if-none-match': etag } }],
        [404, loadArtifact, { query: { id: 'none' } }],
        [400, '/v1/search_artifacts?top_k=none', {}],
        [404, '/v1/nothing', {}],
        [200, metrics, {}],
        [200, '/v1/openapi.json', {}],
      ];
      for (const [expected, target, options] of reads) {
        const { status, headers } = await server.request(target, options);
        expect(status).toBe(expected);
        expect(headers['x-catalog-read-only']).toBe('true');
        expect(headers['x-catalog-read-only-lag-seconds']).toMatch(/^\d+$/);
      }
      const stream = await server.open('/v1/events');
      expect(stream.headers['x-catalog-read-only']).toBe('true');
      expect(stream.headers['x-catalog-read-only-lag-seconds']).toMatch(/^\d+$/);
      stream.close();
    },
  );

  test("reports a growing lag while the primary's writes are unknown", async () => {
    const lag = async (): Promise<number> =>
      Number((await server.request(healthz)).headers['x-catalog-read-only-lag-seconds']);
    const first = await lag();
    await delay(1_100);
    expect(await lag()).toBeGreaterThan(first);
  });

  verifies(['OPS-17', 'ERR-71'], 'rejects a webhook delivery', async () => {
    const refused = await server.request(ingestWebhook, {
      params: { layer: 'base' },
      body: '{}',
    });
    expectRefused(refused);
  });

  verifies(['OPS-18', 'ERR-71'], 'rejects every change of layers', async () => {
    const body = { id: 'new', source_type: 'local', local_path: folder };
    const writes: [Endpoint, EndpointOptions][] = [
      [registerLayer, { body }],
      [updateLayer, { query: { id: 'base' }, body: { public: true } }],
      [unregisterLayer, { query: { id: 'base' } }],
      [restoreLayer, { query: { id: 'other' } }],
      [reorderLayers, { body: { order: ['base'] } }],
      [reingestLayer, { query: { id: 'base' } }],
    ];
    const { layers } = await server.call(listLayers);
    for (const [row, options] of writes) expectRefused(await server.request(row, options));
    expect((await server.call(listLayers)).layers).toEqual(layers);
  });

  verifies(
    ['ADMIN-04', 'ERR-71'],
    'rejects every change by an administrator and serves reads',
    async () => {
      const ada = several.as(asCaller({ subject: 'ada', org: 'acme' }));
      await expect.poll(async () => modeOf(await several.request(healthz))).toBe('read_only');
      const reads: [Endpoint, EndpointOptions][] = [
        [listAdmins, {}],
        [showEffective, { query: { user_id: 'bob' } }],
        [getQuota, {}],
      ];
      for (const [row, options] of reads) {
        const { status, headers } = await ada.request(row, options);
        expect([row.name, status]).toEqual([row.name, 200]);
        expect(headers['x-catalog-read-only']).toBe('true');
      }
      const { admins } = await ada.call(listAdmins);
      expect(admins.map(({ user_id }) => user_id)).toEqual(['ada']);
      for (const face of [ada, several.as(asCaller({ subject: 'bob', org: 'acme' }))]) {
        expectRefused(await face.request(grantAdmin, { body: { user_id: 'bob' } }));
        expectRefused(await face.request(revokeAdmin, { query: { user_id: 'ada' } }));
        expectRefused(await face.request(reembed));
        expectRefused(await face.request(reembed, { query: { only_missing: 'true' } }));
      }
      expect((await ada.call(listAdmins)).admins).toEqual(admins);
    },
  );

  verifies(
    ['HOOKOUT-23', 'ERR-71'],
    'serves webhook receivers and rejects their changes',
    async () => {
      const ada = several.as(asCaller({ subject: 'ada', org: 'acme' }));
      await expect.poll(async () => modeOf(await several.request(healthz))).toBe('read_only');
      const { receivers } = await ada.call(listWebhooks);
      expect(receivers).toMatchObject([{ url: RECEIVER_URL }]);
      const params = { id: receivers[0]?.id ?? '' };
      expect(await ada.call(getWebhook, { params })).toEqual(receivers[0]);
      expect(await ada.call(listWebhookDeliveries, { params })).toEqual({ deliveries: [] });
      expectRefused(await ada.request(createWebhook, { body: { url: RECEIVER_URL } }));
      expectRefused(await ada.request(updateWebhook, { params, body: { disabled: true } }));
      expectRefused(await ada.request(deleteWebhook, { params }));
      expectRefused(await ada.request(testWebhook, { params }));
      expect(await ada.call(listWebhooks)).toEqual({ receivers });
    },
  );

  verifies(['OPS-19', 'ERR-71'], 'serves freeze windows and rejects their changes', async () => {
    const ada = several.as(asCaller({ subject: 'ada', org: 'acme' }));
    await expect.poll(async () => modeOf(await several.request(healthz))).toBe('read_only');
    const before = await ada.call(getFreezeWindows);
    const hour = { start: '2026-01-01T00:00:00Z', end: '2026-01-01T01:00:00Z' };
    expectRefused(
      await ada.request(putFreezeWindows, { body: { windows: [{ name: 'hour', ...hour }] } }),
    );
    expectRefused(await ada.request(purge, { body: { id: 'ops/greet', reason: 'leaked' } }));
    expectRefused(await ada.request(breakGlass, { body: { layer: 'base', reference: '*' } }));
    expect(await ada.call(getFreezeWindows)).toEqual(before);
  });

  verifies(['TENANT-17', 'ERR-71'], 'lists tenants and rejects their changes', async () => {
    const operator = several.as(asCaller({ subject: 'op' }));
    await expect.poll(async () => modeOf(await several.request(healthz))).toBe('read_only');
    const { tenants } = await operator.call(listTenants);
    expect(tenants.map(({ name }) => name)).toEqual(['acme', 'default']);
    const params = { id: tenants[0]?.id ?? '' };
    expectRefused(await operator.request(createTenant, { body: { name: 'globex' } }));
    expectRefused(await operator.request(updateTenant, { params, body: { active: false } }));
    expectRefused(await operator.request(deactivateTenant, { params }));
    expect((await operator.call(listTenants)).tenants).toEqual(tenants);
  });

  test('the store rejects writes, and waiting for an ingest fails', async () => {
    const { store } = server.registry;
    const refused = store.transaction(({ layers }) => layers.touch(ONLY_TENANT, 1));
    await expect(refused).rejects.toMatchObject({ code: 'registry.read_only' });
    const waited = waitForIngest(store, ONLY_TENANT, 'queued before', new AbortController().signal);
    await expect(waited).rejects.toMatchObject({ code: 'registry.read_only' });
  });

  test('a session keeps its first version', async () => {
    const query = { id: 'ops/greet', session_id: 'while-away' };
    expect(await server.call(loadArtifact, { query })).toMatchObject({ version: '1.0.0' });
    const { sessions } = server.registry.store;
    const moment = new Date().toISOString();
    const session = { subject: '', session_id: 'while-away' };
    expect(await sessions.get(ONLY_TENANT, session, 'ops/greet', moment)).toMatchObject({
      version: '1.0.0',
    });
  });

  test('a second registry starts in read-only mode', async () => {
    const [standby] = cluster.standbys;
    mkdirSync(join(server.folder, 'declared'));
    second = await startRegistry({
      keep: true,
      settings: {
        ...PROBES,
        'store.type': 'postgres',
        'store.dsn': clusterDsn(cluster.primary.dsn),
        'store.replica_dsns': [clusterDsn(standby?.dsn ?? '')],
        'store.pool_size': 2,
        'object_store.filesystem_root': join(folder, 'objects'),
        layer_path: join(server.folder, 'declared'),
        bootstrap_admins: ['late'],
      },
    });
    expect((await second.request(healthz)).body).toEqual({ mode: 'read_only' });
    expect((await second.request(readyz)).status).toBe(200);
    expect((await second.call(listAdmins)).admins).toEqual([]);
    expect((await second.call(loadArtifact, { query: { id: 'ops/greet' } })).version).toBe('1.0.0');
  });

  verifies('OPS-20', 'rejects browser sign-in and allows sign-out', async () => {
    // A writable registry that shares only its provider client with the read-only one.
    const writer = await startRegistry({ settings: BROWSER });
    const signInResponse = await writer.request(signIn);
    const cookie = signInResponse.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const state = new URL(signInResponse.headers.location ?? '').searchParams.get('state') ?? '';
    const reader = await startRegistry({
      settings: {
        ...PROBES,
        ...BROWSER,
        'store.type': 'postgres',
        'store.dsn': clusterDsn(cluster.primary.dsn),
        'store.replica_dsns': cluster.standbys.map(({ dsn }) => clusterDsn(dsn)),
        'store.pool_size': 2,
        'object_store.filesystem_root': join(folder, 'objects'),
      },
    });
    const refused = await reader.request(signIn);
    expectRefused(refused);
    expect(refused.headers['set-cookie']).toBeUndefined();
    const back = { query: { state, code: 'code' }, headers: { cookie } };
    const returned = await reader.request(signInCallback, back);
    expectRefused(returned);
    expect(returned.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-catalog_auth=;.*Max-Age=0/),
    ]);
    const left = await reader.request(signOut);
    expect([left.status, left.headers['set-cookie']?.length]).toEqual([204, 2]);
  });

  test('exports metrics of the servers and the mode', async () => {
    const text = (await server.request(metrics)).raw.toString();
    expect(text).toMatch(/^catalog_read_only 1$/m);
    expect(text).toMatch(/^catalog_mode_changes_total\{mode="read_only"\} 1$/m);
    expect(text).toMatch(
      new RegExp(
        `^catalog_store_servers\\{server="127.0.0.1:${cluster.primary.port}",role="unreachable"\\} 1$`,
        'm',
      ),
    );
    expect(text).toMatch(/^catalog_store_replica_lag_seconds\{server="[^"]+"\} \d+$/m);
  });

  function expectRefused({
    status,
    body,
    headers,
  }: Awaited<ReturnType<RegistryServer['request']>>): void {
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'registry.read_only', retryable: true });
    expect(headers['x-catalog-read-only']).toBe('true');
  }
});

describe('registry after a promotion', () => {
  verifies('OPS-04', 'leaves read-only mode, accepts writes, and audits both changes', async () => {
    const [standby] = cluster.standbys;
    if (standby === undefined) throw new Error('no standby');
    former = cluster.primary;
    await cluster.promote(standby);
    await untilReady();
    const { headers } = await server.request(listLayers);
    expect(headers['x-catalog-read-only']).toBeUndefined();
    await server.ingest({ 'ops/greet/ARTIFACT.md': RULE.replace('1.0.0', '1.1.0') });
    expect(roles()).toEqual(['unreachable', 'primary']);
    await expect
      .poll(() => auditedTypes(), { timeout: 30_000 })
      .toEqual([
        'registry.read_only_entered',
        'registry.primary_changed',
        'registry.read_only_exited',
      ]);
    const [entered, , exited] = await audited();
    expect(entered).toMatchObject({ primary: `127.0.0.1:${former.port}` });
    expect(Date.parse(entered?.timestamp ?? '')).toBeLessThan(Date.parse(exited?.timestamp ?? ''));
    // The session keeps the version that it got during the outage.
    const query = { id: 'ops/greet', session_id: 'while-away' };
    expect(await server.call(loadArtifact, { query })).toMatchObject({ version: '1.0.0' });
    expect(await server.call(loadArtifact, { query: { id: 'ops/greet' } })).toMatchObject({
      version: '1.1.0',
    });
  });

  test('a registry that started read-only declares its administrators and layers', async () => {
    await expect
      .poll(async () => (await second.call(listLayers)).layers.map(({ id }) => id), {
        timeout: 30_000,
      })
      .toContain('declared');
    const { admins } = await second.call(listAdmins);
    expect(admins.map(({ user_id }) => user_id)).toEqual(['late']);
    await second.close();
  });

  test('an old primary that still accepts writes is detected and receives none', async () => {
    await former.restart();
    await expect.poll(roles, { timeout: 30_000 }).toEqual(['rival', 'primary']);
    const query = { id: 'ops/greet', version: '1.1.0' };
    expect(await server.call(loadArtifact, { query })).toMatchObject({ version: '1.1.0' });
    await server.call(updateLayer, { query: { id: 'base' }, body: { public: true } });
    expect((await server.call(listLayers)).layers).toContainEqual(
      expect.objectContaining({ id: 'base', public: true }),
    );
    await expect.poll(() => auditedTypes(), { timeout: 30_000 }).toContain('registry.split_brain');
  });

  test('the old primary is used again after it becomes a standby', async () => {
    await cluster.follow(former);
    await expect.poll(roles, { timeout: 30_000 }).toEqual(['standby', 'primary']);
    const lag = (): number | null | undefined => server.registry.store.servers()[0]?.lag_seconds;
    await expect.poll(lag, { timeout: 30_000 }).toBeLessThan(3);
  });

  test('a write fails if the synchronous standby does not confirm the commit', async () => {
    await former.kill('SIGKILL');
    const write = server.request(updateLayer, { query: { id: 'base' }, body: { public: false } });
    // Canceling the wait does not undo the commit, which PostgreSQL reports as successful.
    const { port } = cluster.primary;
    const END_WAIT = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    await expect
      .poll(async () => (await queryPostgres(port, END_WAIT)).length, { timeout: 30_000 })
      .toBeGreaterThan(0);
    const { status, body } = await write;
    expect(status).toBe(500);
    expect(body).toMatchObject({
      code: 'registry.unavailable',
      message: expect.stringContaining('may or may not have been made'),
    });
    await former.restart();
    await expect.poll(roles, { timeout: 30_000 }).toEqual(['standby', 'primary']);
  });

  test('a pool without free connections does not count as a lost primary', async () => {
    const { store } = server.registry;
    const released = Promise.withResolvers<void>();
    const holders = Array.from({ length: 4 }, () => store.transaction(() => released.promise));
    const read = store.layers.list(ONLY_TENANT);
    await delay(4 * 300);
    expect(store.availability()).toEqual({ mode: 'ready' });
    released.resolve();
    await Promise.all(holders);
    expect((await read).length).toBeGreaterThan(0);
  });

  test('a hanging primary is detected, and waiting requests complete', async () => {
    cluster.primary.freeze();
    try {
      const reads = Array.from({ length: 12 }, () =>
        server.request(loadArtifact, { query: { id: 'ops/greet' } }),
      );
      const write = server.request(reingestLayer, { query: { id: 'base' } });
      for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
      const { status, body } = await write;
      expect([status, body]).toEqual([
        503,
        expect.objectContaining({ code: 'registry.read_only' }),
      ]);
      expect((await server.request(healthz)).body).toEqual({ mode: 'read_only' });
    } finally {
      cluster.primary.thaw();
    }
    await untilReady();
    const { ingests } = await server.call(listIngests, { query: { id: 'base' } });
    expect(ingests.length).toBeGreaterThan(0);
  });

  verifies(
    'OPS-13',
    'without a database server it is not ready and still exports metrics',
    async () => {
      await cluster.primary.kill('SIGKILL');
      for (const standby of cluster.standbys) await standby.kill('SIGKILL');
      // The processes of a killed server respond for a moment.
      const ready = async (): Promise<unknown[]> => {
        const { status, body } = await server.request(readyz);
        return [status, modeOf({ body })];
      };
      await expect.poll(ready, { timeout: 30_000 }).toEqual([503, 'not_ready']);
      expect((await server.request(metrics)).status).toBe(200);
      const { status: read } = await server.request(listLayers);
      expect(read).toBe(500);
    },
  );

  verifies(
    ['OPS-01', 'OPS-08'],
    'without a database server it is alive and logs the outage once',
    async () => {
      const lines = (): string[] =>
        server.log.filter((line) => line.includes('no database server'));
      await expect.poll(lines, { timeout: 30_000 }).not.toEqual([]);
      expect(lines()).toEqual([expect.stringContaining('no database server responds')]);
      expect(roles()).toEqual(['unreachable', 'unreachable']);
      // The liveness probe is the same in this mode, because a restart would not help.
      const { status, body } = await server.request(healthz);
      expect(status).toBe(200);
      expect(['ready', 'read_only']).toContain(modeOf({ body }));
    },
  );

  test('becomes ready when the servers recover, and audits both changes', async () => {
    const ready = async (): Promise<number> => (await server.request(readyz)).status;
    await cluster.primary.restart();
    for (const standby of cluster.standbys) await standby.restart();
    await expect.poll(ready, { timeout: 30_000 }).toBe(200);
    await untilReady();
    await server.call(updateLayer, { query: { id: 'base' }, body: { public: true } });
    await expect
      .poll(() => auditedTypes(), { timeout: 30_000 })
      .toEqual(expect.arrayContaining(['registry.database_lost', 'registry.database_recovered']));
  });
});

function roles(): string[] {
  return server.registry.store.servers().map(({ role }) => role);
}

async function audited(): Promise<AuditRecord[]> {
  const records = await server.registry.store.audit.list(ONLY_TENANT, 0, 1000);
  return records.map(({ record }) => record).filter(({ type }) => type.startsWith('registry.'));
}

async function auditedTypes(): Promise<string[]> {
  return [...new Set((await audited()).map(({ type }) => type))];
}
