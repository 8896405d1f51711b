import { describe, expect, test } from 'vitest';
import { bytesHash } from '../../artifact/content-hash.ts';
import type { ArchiveRows } from '../../ports/archive.ts';
import type { StoreWrites } from '../../ports/store.ts';
import { toKept } from '../../webhook/kept-receiver.ts';
import { sampleReceiver } from '../webhooks/samples.conformance.ts';
import {
  openForTest,
  sampleEvent,
  sampleLayer,
  sampleRecord,
  sampleReport,
  sampleRequest,
  sampleTenant,
  T1,
  T2,
  T3,
  type OpenStore,
} from '../samples.conformance.ts';

const GRANT = { user_id: 'bo', granted_at: T1, granted_by: 'ada' };

const PROGRESS = { phase: 'storing', done: 2, total: 2 };

function endedJob(job: string, more: Partial<ArchiveRows['jobs']> = {}): ArchiveRows['jobs'] {
  return {
    tenant: 2,
    job,
    layer_id: 'base',
    state: 'done',
    request: sampleRequest(),
    progress: PROGRESS,
    attempts: 1,
    created_at: T1,
    started_at: T2,
    finished_at: T3,
    report: sampleReport('base'),
    error: null,
    ...more,
  };
}

export function archiveConformance(open: OpenStore): void {
  describe('archive', () => {
    test('isEmpty returns false if a tenant has ever had a layer', async () => {
      const store = await openForTest(open);
      expect(await store.archive.isEmpty()).toBe(true);
      await store.transaction(({ tenants }) => tenants.create(sampleTenant('default'), 1));
      expect(await store.archive.isEmpty()).toBe(true);
      await store.transaction(async ({ layers, archive }) => {
        const { number } = await layers.create(7, sampleLayer('gone'));
        await layers.purge(7, number);
        expect(await archive.isEmpty()).toBe(false);
      });
      expect(await store.archive.isEmpty()).toBe(false);
    });

    test.each<[string, (writes: StoreWrites) => Promise<unknown>]>([
      ['an admin', ({ grants }) => grants.grant(1, GRANT)],
      ['a second tenant', ({ tenants }) => tenants.create(sampleTenant('acme'))],
    ])('isEmpty returns false for a store with %s', async (_, write) => {
      const store = await openForTest(open);
      await store.transaction(write);
      expect(await store.archive.isEmpty()).toBe(false);
    });

    test('restores tenants and their admins, even if startup has created the only tenant', async () => {
      const store = await openForTest(open);
      await store.transaction(({ tenants }) => tenants.create(sampleTenant('default'), 1));
      const changed = {
        active: false,
        expose_scope_preview: true,
        extends_parents: 'any',
        created_at: T2,
      } as const;
      const only = { ...sampleTenant('default', { id: 'other', ...changed }), tenant: 1 };
      const acme = { ...sampleTenant('acme'), tenant: 4 };
      await store.transaction(async ({ archive }) => {
        for (const record of [only, acme]) {
          const { tenant } = record;
          const series = { ingest_order: 1, event_sequence: 2, audit_position: 3, revision: 4 };
          await archive.put(tenant, 'tenants', [{ tenant, ...series }]);
          await archive.put(tenant, 'tenant_records', [record]);
        }
        await archive.put(4, 'admin_grants', [{ tenant: 4, ...GRANT }]);
      });
      expect(await store.tenants.list()).toEqual([acme, only]);
      expect(await store.grants.list(4)).toEqual([GRANT]);
      expect(await store.grants.list(1)).toEqual([]);
      expect(await store.outbox.bounds(1)).toMatchObject({ newest: 2 });
      const next = await store.transaction(({ tenants }) => tenants.create(sampleTenant('next')));
      expect(next.tenant).toBe(5);
    });

    test('stores the progress of a restore in the same transaction as the restored rows', async () => {
      const store = await openForTest(open);
      expect(await store.archive.getPendingRestore()).toBeUndefined();
      const pending = { source: 'archive x', done: { layers: 3, blobs: 1000 } };
      await store.transaction(({ archive }) =>
        archive.setPendingRestore({ source: 'archive x', done: {} }),
      );
      await store.transaction(({ archive }) => archive.setPendingRestore(pending));
      expect(await store.archive.getPendingRestore()).toEqual(pending);
      const failed = store.transaction(async ({ archive }) => {
        await archive.setPendingRestore(undefined);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await store.archive.getPendingRestore()).toEqual(pending);
      await store.transaction(({ archive }) => archive.setPendingRestore(undefined));
      expect(await store.archive.getPendingRestore()).toBeUndefined();
    });

    test('restores rows with their numbers and continues each series after them', async () => {
      const store = await openForTest(open);
      const layer = sampleLayer('base', { groups: ['x'], last_ingested_at: T2 });
      await store.transaction(async ({ archive }) => {
        const series = { ingest_order: 40, event_sequence: 9, audit_position: 5, revision: 3 };
        await archive.put(2, 'tenants', [{ tenant: 2, ...series }]);
        await archive.put(2, 'layer_numbers', [
          { tenant: 2, id: 'gone', number: 3, revision: 1 },
          { tenant: 2, id: 'base', number: 4, revision: 2 },
        ]);
        await archive.put(2, 'layers', [{ ...layer, tenant: 2, number: 4 }]);
        await archive.put(2, 'outbox', [
          { tenant: 2, sequence: 8, body: sampleEvent('a') },
          { tenant: 2, sequence: 9, body: sampleEvent('b', T2) },
        ]);
        await archive.put(2, 'audit', [{ tenant: 2, position: 5, record: sampleRecord('a') }]);
      });
      expect(await store.layers.get(2, 'base')).toMatchObject({ ...layer, number: 4 });
      expect(await store.layers.list(1)).toEqual([]);
      expect(await store.outbox.bounds(2)).toEqual({ oldest: 8, newest: 9 });
      expect(await store.outbox.listAfter(2, 8, 10)).toEqual([
        { sequence: 9, body: sampleEvent('b', T2) },
      ]);
      await store.transaction(async ({ layers, versions, outbox, audit }) => {
        expect(await versions.takeIngestOrders(2, 1)).toBe(41);
        expect((await layers.create(2, sampleLayer('gone', { webhook_key: '' }))).number).toBe(3);
        expect((await layers.create(2, sampleLayer('new', { webhook_key: '' }))).number).toBe(5);
        await outbox.append(2, [sampleEvent('c')]);
        await audit.append(2, [sampleRecord('b')]);
      });
      expect(await store.outbox.bounds(2)).toEqual({ oldest: 8, newest: 10 });
      expect(await store.audit.list(2, 0, 10)).toEqual([
        { position: 5, record: sampleRecord('a') },
        { position: 6, record: sampleRecord('b') },
      ]);
    });

    test('restores webhook receivers disabled and positioned at the newest event', async () => {
      const store = await openForTest(open);
      const enabled = sampleReceiver('r', {
        event_filter: ['layer.ingested'],
        debounce_ms: 1000,
        ordered: true,
      });
      const { id, created_at, url, secret, event_filter, debounce_ms, ordered } = enabled;
      const rotation = { previous_secret: 'older', previous_secret_until: T3 };
      await store.transaction(async ({ archive }) => {
        const numbers = { revision: 3, ingest_order: 4, event_sequence: 17, audit_position: 5 };
        await archive.put(2, 'tenants', [{ tenant: 2, ...numbers }]);
        await archive.put(2, 'receivers', [
          {
            tenant: 2,
            id,
            created_at,
            url,
            secret,
            ...rotation,
            event_filter,
            debounce_ms,
            ordered,
            disabled_by: null,
          },
        ]);
      });
      expect(await store.receivers.list(2)).toEqual([
        { ...enabled, ...rotation, disabled_by: 'restore', cursor: 17 },
      ]);
    });

    test('restores receivers of an earlier release, which lack `ordered`', async () => {
      const store = await openForTest(open);
      const { ordered: _, ...earlier } = toKept(sampleReceiver('r'));
      await store.transaction(({ archive }) =>
        archive.put(2, 'receivers', [{ tenant: 2, ...earlier }]),
      );
      expect(await store.receivers.get(2, 'r')).toMatchObject({ ordered: false });
    });

    test('restores the ledger, and finished jobs in their order', async () => {
      const store = await openForTest(open);
      const first = endedJob('j1');
      const second = endedJob('j2', { state: 'failed', report: null, attempts: 3 });
      await store.transaction(async ({ archive }) => {
        await archive.put(2, 'ledger', [
          { tenant: 2, layer_id: 'base', id: 'x', version: '1.0.0', authored_hash: bytesHash('x') },
        ]);
        await archive.put(2, 'jobs', [first, second]);
        await archive.put(2, 'jobs', []);
      });
      const keys = [{ id: 'x', version: '1.0.0' }];
      expect(await store.versions.readLedger(2, 'base', keys)).toEqual(
        new Map([['x@1.0.0', bytesHash('x')]]),
      );
      const { tenant: _, ...newest } = second;
      expect(await store.jobs.list(2, 'base', 1)).toEqual([newest]);
      expect(await store.jobs.get(2, 'j1')).toMatchObject({ report: sampleReport('base') });
      const worker = { name: 'w', now: T3, lease_until: T3 };
      expect(await store.transaction(({ jobs }) => jobs.claim(worker))).toBeUndefined();
    });
  });
}
