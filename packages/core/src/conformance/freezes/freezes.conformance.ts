import type { FreezeWindow } from '@catalog/contract/records/freeze';
import { describe, expect, test } from 'vitest';
import type { ApprovalRecord } from '../../ports/freezes.ts';
import type { Store } from '../../ports/store.ts';
import { createLayers, openForTest, T1, T2, type OpenStore } from '../samples.conformance.ts';

const ONCE: FreezeWindow = { name: 'once', start: T1, end: T2, blocks: ['ingest'] };
const REPEATING: FreezeWindow = {
  name: 'each week',
  starts: '0 18 * * 5',
  ends: '0 6 * * 1',
  time_zone: 'Europe/Berlin',
  blocks: ['ingest', 'layer-config'],
};

function approvalOf(given: Partial<ApprovalRecord> = {}): ApprovalRecord {
  const change = { layer_id: 'team', reference: 'c0ffee', window_name: '' };
  return {
    ...change,
    approver: 'ada',
    approved_at: T1,
    expires_at: '2100-01-01T00:00:00.000Z',
    used_by: null,
    ...given,
  };
}

function put(store: Store, tenant: number, windows: FreezeWindow[]): Promise<void> {
  return store.transaction(({ freezes }) => freezes.putWindows(tenant, windows));
}

function approve(store: Store, given: Partial<ApprovalRecord> = {}): Promise<void> {
  return store.transaction(({ freezes }) => freezes.approve(1, approvalOf(given)));
}

export function freezesConformance(open: OpenStore): void {
  describe('freeze windows', () => {
    test('are replaced as a whole, for one tenant', async () => {
      const store = await openForTest(open);
      expect(await store.freezes.listWindows(1)).toEqual([]);
      await put(store, 1, [ONCE, REPEATING]);
      await put(store, 2, [ONCE]);
      expect(await store.freezes.listWindows(1)).toEqual([REPEATING, ONCE]);
      await put(store, 1, [{ ...ONCE, blocks: ['layer-config'] }]);
      expect(await store.freezes.listWindows(1)).toEqual([{ ...ONCE, blocks: ['layer-config'] }]);
      await put(store, 1, []);
      expect(await store.freezes.listWindows(1)).toEqual([]);
      expect(await store.freezes.listWindows(2)).toEqual([ONCE]);
    });

    test('list tenants with frozen layers until these are noted as queued', async () => {
      const store = await openForTest(open);
      const [a] = await createLayers(store, 1, ['a', 'b']);
      const [z] = await createLayers(store, 2, ['z']);
      const note = (tenant: number, number: number, since: string | null) =>
        store.transaction(({ layers }) => layers.noteFrozen(tenant, number, since));
      expect(await store.freezes.listFrozenTenants()).toEqual([]);
      const revision = await store.layers.revision(1);
      await note(1, a?.number ?? 0, T1);
      await note(2, z?.number ?? 0, T2);
      expect(await store.freezes.listFrozenTenants()).toEqual([1, 2]);
      expect(await store.layers.get(1, 'a')).toEqual({ ...a, frozen_since: T1 });
      expect(await store.layers.revision(1)).toBe(revision);
      await note(1, a?.number ?? 0, null);
      expect(await store.layers.get(1, 'a')).toEqual(a);
      const mark = { last_ingested_at: T2, last_ingested_ref: null, source_state: null };
      await store.transaction(({ layers }) => layers.noteIngest(2, z?.number ?? 0, mark));
      expect(await store.freezes.listFrozenTenants()).toEqual([]);
    });

    test('ignore deleted layers', async () => {
      const store = await openForTest(open);
      const [a] = await createLayers(store, 1, ['a']);
      if (a === undefined) throw new Error('the layer was not created');
      await store.transaction(({ layers }) =>
        layers.replace(1, { ...a, frozen_since: T1, deleted_at: T2 }),
      );
      expect(await store.freezes.listFrozenTenants()).toEqual([]);
    });
  });

  describe('approvals', () => {
    test('are listed until they expire, and replaced by the same approver', async () => {
      const store = await openForTest(open);
      await approve(store, { used_by: 'job 1' });
      await approve(store, { approver: 'bo', expires_at: T2 });
      expect(await store.freezes.listApprovals(1, T1)).toEqual([
        approvalOf({ used_by: 'job 1' }),
        approvalOf({ approver: 'bo', expires_at: T2 }),
      ]);
      expect(await store.freezes.listApprovals(1, T2)).toEqual([approvalOf({ used_by: 'job 1' })]);
      expect(await store.freezes.listApprovals(2, T1)).toEqual([]);
      await approve(store);
      expect(await store.freezes.listApprovals(1, T2)).toEqual([approvalOf()]);
    });

    test('are used for one change by the named approvers', async () => {
      const store = await openForTest(open);
      const window = { layer_id: '', reference: '', window_name: 'once' };
      for (const approver of ['ada', 'bo', 'cy']) await approve(store, { approver });
      await approve(store, { reference: 'decaf' });
      await approve(store, window);
      await store.transaction(({ freezes }) =>
        freezes.useApprovals(1, approvalOf(), ['ada', 'cy'], 'job 7'),
      );
      const used = (await store.freezes.listApprovals(1, T1)).filter(({ used_by }) => used_by);
      expect(used).toEqual([
        approvalOf({ used_by: 'job 7' }),
        approvalOf({ approver: 'cy', used_by: 'job 7' }),
      ]);
      await store.transaction(({ freezes }) => freezes.useApprovals(1, window, ['ada'], 'x'));
      expect(await store.freezes.listApprovals(1, T1)).toContainEqual(
        approvalOf({ ...window, used_by: 'x' }),
      );
    });

    test('are pruned after they expire', async () => {
      const store = await openForTest(open);
      await approve(store, { expires_at: T1 });
      await approve(store, { approver: 'bo' });
      await store.transaction(({ freezes }) => freezes.pruneApprovals(1, T1));
      expect(await store.freezes.listApprovals(1, '1970-01-01T00:00:00.000Z')).toEqual([
        approvalOf({ approver: 'bo' }),
      ]);
    });
  });
}
