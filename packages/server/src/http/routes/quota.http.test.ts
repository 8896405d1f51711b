import { getQuota } from '@catalog/contract/endpoints/access';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { runDirectSql } from '@catalog/testkit/direct-sql';
import { startRegistry } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { IS_STANDARD, openTestBackend } from '@catalog/testkit/test-backend';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tenantId } from '../../registry/access/tenant-id.ts';
import { verifies } from '@catalog/testkit/verifies';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';

const LIMITS = {
  'quota.storage_bytes': 1_000_000,
  'quota.search_qps': 50,
  'quota.materialize_rate': 500,
  'quota.audit_volume_per_day': 10_000,
};

/** SQL that discards the tenant record that the next startup inserts. */
const DISCARD_TENANT_RECORDS = IS_STANDARD
  ? 'CREATE RULE loses AS ON INSERT TO tenant_records DO INSTEAD NOTHING'
  : 'CREATE TRIGGER loses BEFORE INSERT ON tenant_records BEGIN SELECT RAISE(IGNORE); END';

describe('GET /v1/quota', () => {
  verifies(
    ['QUOTA-01', 'QUOTA-02', 'QUOTA-06'],
    'returns the limits and the usage of the tenant',
    async () => {
      const server = await startRegistry({ settings: LIMITS });
      const before = await server.call(getQuota);
      expect(before).toEqual({
        tenant_id: tenantId('default'),
        limits: {
          storage_bytes: 1_000_000,
          search_qps: 50,
          materialize_rate: 500,
          audit_volume_per_day: 10_000,
          max_user_layers: 3,
        },
        usage: {
          storage_bytes: 0,
          artifact_count: 0,
          audit_volume_today: expect.any(Number),
        },
      });
      await server.ingest({ 'ops/greet/ARTIFACT.md': RULE, 'ops/part/ARTIFACT.md': RULE });
      const { usage } = await server.call(getQuota);
      expect(usage.artifact_count).toBe(2);
      expect(usage.storage_bytes).toBeGreaterThan(2 * RULE.length - 1);
    },
  );

  test('is unlimited by default except for personal layers', async () => {
    const server = await startRegistry();
    const { limits } = await server.call(getQuota);
    const { max_user_layers, ...others } = limits;
    expect(new Set(Object.values(others))).toEqual(new Set([0]));
    expect(max_user_layers).toBe(3);
  });

  test.each([
    [undefined, 3],
    [0, 0],
    [7, 7],
    [-5, -1],
  ])('shows the effective limit of personal layers for the setting %s', async (cap, shown) => {
    const settings = cap === undefined ? {} : { max_user_layers: cap };
    const server = await startRegistry({ settings });
    expect((await server.call(getQuota)).limits.max_user_layers).toBe(shown);
  });

  test('counts hidden artifacts for administrators only', async () => {
    const server = await startRegistry({
      settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] },
    });
    const root = server.as(asCaller({ subject: 'root' }));
    await root.ingest({ 'ops/greet/ARTIFACT.md': RULE }, { id: 'open', public: true });
    await root.ingest({ 'ops/vault/ARTIFACT.md': RULE }, { id: 'vault', users: ['ann'] });
    const countFor = async (headers: Record<string, string>): Promise<number> =>
      (await server.as(headers).call(getQuota)).usage.artifact_count;
    expect(await countFor(asCaller({ subject: 'root' }))).toBe(2);
    expect(await countFor(asCaller({ subject: 'ann' }))).toBe(2);
    expect(await countFor(asCaller({ subject: 'bob' }))).toBe(1);
    expect(await countFor(asAnonymous())).toBe(1);
  });

  verifies('QUOTA-07', 'is available to every caller and read-only', async () => {
    const server = await startRegistry({ settings: TRUSTED_HEADERS });
    for (const headers of [asCaller({ subject: 'bob' }), asAnonymous(), {}]) {
      expect((await server.as(headers).request(getQuota)).status).toBe(200);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await server.request('/v1/quota', { method });
      expect([status, headers['allow']]).toEqual([400, 'GET']);
    }
  });

  verifies('ERR-80', 'returns 404 if the tenant has no record', async () => {
    const backend = await openTestBackend(temporaryFolder());
    onTestFinished(() => backend.close());
    const { settings } = backend;
    const first = await startRegistry({ settings, keep: true });
    await first.close();
    await runDirectSql(settings, `DELETE FROM tenant_records; ${DISCARD_TENANT_RECORDS}`);
    const server = await startRegistry({ settings });
    expect(await server.request(getQuota)).toMatchObject({
      status: 404,
      body: { code: 'registry.not_found' },
    });
  });
});
