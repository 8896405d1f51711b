import { grantAdmin, revokeAdmin } from '@catalog/contract/endpoints/access';
import { listAudit } from '@catalog/contract/endpoints/audit';
import { updateLayer } from '@catalog/contract/endpoints/layers';
import type { AuditRecord } from '@catalog/core/ports/audit';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { errorOf } from '@catalog/testkit/checked-response';
import { describe, expect, test } from 'vitest';

const ADA = asCaller({ subject: 'ada' });

function start(): Promise<RegistryServer> {
  return startRegistry({ settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'] } });
}

async function appendRecords(server: RegistryServer, numbers: readonly number[]): Promise<void> {
  const records = numbers.map((number): AuditRecord => {
    const timestamp = new Date(Date.UTC(2020, 0, 1, 0, number)).toISOString();
    const type = number % 500 === 0 ? 'test.rare' : 'test.common';
    return { type, timestamp, trace_id: 't', 'caller.identity': 'eve', number };
  });
  await server.registry.store.transaction(({ audit }) => audit.append(ONLY_TENANT, records));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

describe('GET /v1/admin/audit', () => {
  test('returns the changes with caller and time, newest first', async () => {
    const server = await start();
    const ada = server.as(ADA);
    await ada.call(grantAdmin, { body: { user_id: 'bob' } });
    await ada.request(revokeAdmin, { query: { user_id: 'bob' } });
    const { records, next_cursor } = await ada.call(listAudit, { query: { caller: 'ada' } });
    expect(next_cursor).toBeUndefined();
    expect(records.map(({ record }) => record)).toMatchObject([
      { type: 'admin.granted', action: 'revoke', user_id: 'bob', 'caller.identity': 'ada' },
      { type: 'admin.granted', action: 'grant', user_id: 'bob', 'caller.identity': 'ada' },
    ]);
    const oldest = await ada.call(listAudit, { query: { order: 'oldest', caller: 'ada' } });
    expect(oldest.records).toEqual(records.toReversed());
  });

  test('rejects callers who are not administrators', async () => {
    const server = await start();
    for (const caller of [asCaller({ subject: 'eve' }), asAnonymous()]) {
      const refused = await server.as(caller).request(listAudit);
      expect(refused.status).toBe(403);
      expect(errorOf(refused.body)?.code).toBe('auth.forbidden');
    }
  });

  test('finds records by layer, including a reorder of several layers', async () => {
    const server = await start();
    const ada = server.as(ADA);
    await seedLayer(server, { id: 'ops', organization: true });
    await seedLayer(server, { id: 'op', organization: true });
    await ada.call(updateLayer, { query: { id: 'ops' }, body: { public: true } });
    const { records } = await ada.call(listAudit, { query: { layer: 'ops', caller: 'ada' } });
    expect(records.map(({ record }) => record['layer'])).toEqual(['ops']);
  });

  test('pages through a long log and reads at most 1,000 records per request', async () => {
    const server = await start();
    await appendRecords(server, range(0, 2600));
    const ada = server.as(ADA);
    for (const order of ['newest', 'oldest'] as const) {
      const found: unknown[] = [];
      let requests = 0;
      let cursor: string | undefined;
      do {
        const query = {
          order,
          type: 'test.rare',
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        };
        const page = await ada.call(listAudit, { query });
        found.push(...page.records.map(({ record }) => record['number']));
        cursor = page.next_cursor;
        requests += 1;
      } while (cursor !== undefined);
      const expected = [0, 500, 1000, 1500, 2000, 2500];
      expect(found).toEqual(order === 'oldest' ? expected : expected.toReversed());
      expect(requests).toBeGreaterThanOrEqual(3);
    }
  });

  test('selects a time range and stops reading after it', async () => {
    const server = await start();
    await appendRecords(server, range(0, 2600));
    const ada = server.as(ADA);
    const since = '2020-01-02T12:00:00Z';
    const until = '2020-01-02T12:03:00+00:00';
    const all = { since, until, type: 'test.none,test.common' };
    const first = await ada.call(listAudit, { query: all });
    expect(first.records.map(({ record }) => record['number'])).toEqual([2162, 2161, 2160]);
    const second = await ada.call(listAudit, {
      query: { ...all, cursor: first.next_cursor ?? '' },
    });
    expect(second).toEqual({ records: [] });
  });

  test.each(['x', '0', '-1', '1e3', ''])('rejects the cursor %j', async (cursor) => {
    const server = await start();
    const refused = await server.as(ADA).request(listAudit, { query: { cursor } });
    expect(refused.status).toBe(400);
    expect(errorOf(refused.body)).toMatchObject({
      code: 'registry.invalid_argument',
      details: { argument: 'cursor' },
    });
  });
});
