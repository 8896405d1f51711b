import { describe, expect, test } from 'vitest';
import { appendLeaves, EMPTY_TREE, leafHash, treeRoot } from '../../audit/merkle-tree.ts';
import { listUnmatched } from '../../audit/seal-record.ts';
import { openForTest, sampleRecord, type OpenStore } from '../samples.conformance.ts';

export function auditConformance(open: OpenStore): void {
  describe('audit', () => {
    test('stores records unchanged and numbers them per tenant', async () => {
      const store = await openForTest(open);
      await store.transaction(({ audit }) =>
        audit.append(1, [sampleRecord('a'), sampleRecord('b')]),
      );
      await store.transaction(({ audit }) => audit.append(2, [sampleRecord('elsewhere')]));
      await store.transaction(({ audit }) => audit.append(1, []));
      const failed = store.transaction(async ({ audit }) => {
        await audit.append(1, [sampleRecord('lost')]);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      await store.transaction(({ audit }) => audit.append(1, [sampleRecord('c')]));
      expect(await store.audit.list(1, 0, 10)).toEqual([
        { position: 1, record: sampleRecord('a') },
        { position: 2, record: sampleRecord('b') },
        { position: 3, record: sampleRecord('c') },
      ]);
      expect(await store.audit.list(1, 1, 1)).toMatchObject([{ position: 2 }]);
      expect(await store.audit.list(2, 0, 10)).toMatchObject([{ position: 1 }]);
      expect(await store.audit.list(3, 0, 10)).toEqual([]);
      expect(await store.audit.listNewest(1, undefined, 2)).toEqual([
        { position: 3, record: sampleRecord('c') },
        { position: 2, record: sampleRecord('b') },
      ]);
      expect(await store.audit.listNewest(1, 2, 10)).toMatchObject([{ position: 1 }]);
      expect(await store.audit.listNewest(2, undefined, 10)).toMatchObject([{ position: 1 }]);
      expect(await store.audit.listNewest(3, undefined, 10)).toEqual([]);
    });

    test('stores commitments, and the tree over them', async () => {
      const store = await openForTest(open);
      const record = { ...sampleRecord('admin.granted'), 'caller.kind': 'subject', user_id: 'bo' };
      expect(await store.audit.getTree(1)).toBeUndefined();
      await store.transaction(async ({ audit }) => {
        await audit.append(1, [record]);
        await audit.append(1, [record, sampleRecord('b')]);
      });
      const stored = await store.audit.listStored(1, 0, 10);
      expect(stored.map(({ position }) => position)).toEqual([1, 2, 3]);
      for (const { record: sealed, leaf_hash, values } of stored) {
        expect(leaf_hash).toBe(leafHash(JSON.stringify(sealed)));
        expect(listUnmatched(sealed, values)).toEqual([]);
      }
      expect(JSON.stringify(stored[0]?.record)).not.toContain('"bo"');
      const leaves = stored.map(({ leaf_hash }) => leaf_hash ?? '');
      const tree = await store.audit.getTree(1);
      expect(tree).toEqual({
        origin: expect.stringMatching(/^[0-9a-f]{32}$/),
        first: 1,
        ...appendLeaves(EMPTY_TREE, leaves),
      });
      expect(await store.audit.list(1, 0, 1)).toEqual([{ position: 1, record }]);
      expect(await store.audit.getTree(2)).toBeUndefined();
    });

    test('redacts a user in limited steps and keeps the records', async () => {
      const store = await openForTest(open);
      const granted = (user_id: string) => ({ ...sampleRecord('admin.granted'), user_id });
      for (const tenant of [1, 2]) {
        await store.transaction(({ audit }) =>
          audit.append(tenant, [granted('bo'), granted('cy'), granted('bo'), granted('Bo')]),
        );
      }
      const before = await store.audit.listStored(1, 0, 10);
      const redact = (limit: number): Promise<number> =>
        store.transaction(({ audit }) => audit.redact(1, ['bo', 'Bo'], 'redacted-1', limit));
      expect([await redact(2), await redact(2), await redact(2)]).toEqual([2, 1, 0]);
      const after = await store.audit.listStored(1, 0, 10);
      expect(after.map(({ record, leaf_hash }) => ({ record, leaf_hash }))).toEqual(
        before.map(({ record, leaf_hash }) => ({ record, leaf_hash })),
      );
      expect(JSON.stringify(after)).not.toMatch(/"bo"/i);
      for (const { record, values } of after) expect(listUnmatched(record, values)).toEqual([]);
      const users = async (tenant: number) =>
        (await store.audit.list(tenant, 0, 10)).map(({ record }) => record['user_id']);
      expect(await users(1)).toEqual(['redacted-1', 'cy', 'redacted-1', 'redacted-1']);
      expect(await users(2)).toEqual(['bo', 'cy', 'bo', 'Bo']);
    });

    test('lists trees that differ from their checkpoint, with the new leaves', async () => {
      const store = await openForTest(open);
      const append = (tenant: number, ...texts: string[]): Promise<void> =>
        store.transaction(({ audit }) => audit.append(tenant, texts.map(sampleRecord)));
      expect(await store.audit.listChanges(0, 10, 10)).toEqual([]);
      expect(await store.audit.getLastCheckpointNumber()).toBe(0);
      for (const tenant of [1, 2, 3]) await append(tenant, 'a', 'b', 'c');
      const changes = await store.audit.listChanges(1, 1, 2);
      const tree = await store.audit.getTree(2);
      const stored = await store.audit.listStored(2, 0, 2);
      expect(changes).toEqual([
        {
          tenant: 2,
          tree,
          position: 3,
          checkpoint: undefined,
          leaves: stored.map(({ leaf_hash }) => leaf_hash),
        },
      ]);
      if (tree === undefined) throw new Error('the tenant has no tree');
      const checkpoint = { ...tree, position: 3, number: 4, note: 'signed\n' };
      await store.transaction(({ audit }) =>
        audit.putCheckpoints([
          { tenant: 2, ...checkpoint, number: 3 },
          { tenant: 3, ...checkpoint, origin: 'another', position: 2 },
        ]),
      );
      await store.transaction(({ audit }) => audit.putCheckpoints([{ tenant: 2, ...checkpoint }]));
      expect(await store.audit.getCheckpoint(2)).toEqual(checkpoint);
      expect(await store.audit.getCheckpoint(1)).toBeUndefined();
      expect(await store.audit.getLastCheckpointNumber()).toBe(4);
      expect((await store.audit.listChanges(0, 10, 10)).map((change) => change.tenant)).toEqual([
        1, 3,
      ]);
      await append(2, 'd');
      const [, second, third] = await store.audit.listChanges(0, 10, 10);
      expect(second).toMatchObject({ tenant: 2, position: 4, checkpoint });
      expect(second?.leaves).toHaveLength(1);
      expect(third?.leaves).toHaveLength(3);
    });

    test('starts a new tree whose first record commits to the earlier ones', async () => {
      const store = await openForTest(open);
      await store.transaction(({ audit }) =>
        audit.append(1, [sampleRecord('a'), sampleRecord('b')]),
      );
      const before = await store.audit.getTree(1);
      const tree = await store.transaction(({ audit }) =>
        audit.startTree(1, { ...sampleRecord('audit.opened'), cause: 'reopen' }),
      );
      expect(tree).toMatchObject({ first: 3, size: 1 });
      expect(tree.origin).not.toBe(before?.origin);
      expect(await store.audit.getTree(1)).toEqual(tree);
      expect(await store.audit.list(1, 2, 10)).toEqual([
        {
          position: 3,
          record: {
            ...sampleRecord('audit.opened'),
            cause: 'reopen',
            records: 2,
            root: treeRoot(before ?? EMPTY_TREE),
          },
        },
      ]);
      await store.transaction(({ audit }) => audit.append(1, [sampleRecord('c')]));
      expect(await store.audit.getTree(1)).toMatchObject({
        origin: tree.origin,
        first: 3,
        size: 2,
      });
    });
  });
}
