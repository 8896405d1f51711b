import { describe, expect, test } from 'vitest';
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
  });
}
