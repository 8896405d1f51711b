import { describe, expect, test } from 'vitest';
import type { AdminGrant } from '../../ports/grants.ts';
import type { Store } from '../../ports/store.ts';
import { openForTest, T1, T2, type OpenStore } from '../samples.conformance.ts';

function grantOf(user_id: string, given: Partial<AdminGrant> = {}): AdminGrant {
  return { user_id, granted_at: T1, granted_by: 'ada', ...given };
}

function grant(store: Store, tenant: number, given: AdminGrant): Promise<boolean> {
  return store.transaction(({ grants }) => grants.grant(tenant, given));
}

function revoke(store: Store, tenant: number, user_id: string): Promise<boolean> {
  return store.transaction(({ grants }) => grants.revoke(tenant, user_id));
}

export function grantsConformance(open: OpenStore): void {
  describe('grants', () => {
    test('make one subject an admin of one tenant', async () => {
      const store = await openForTest(open);
      expect(await store.grants.isAdmin(1, 'bo')).toBe(false);
      await store.transaction(async ({ grants }) => {
        expect(await grants.grant(1, grantOf('bo'))).toBe(true);
        expect(await grants.isAdmin(1, 'bo')).toBe(true);
        expect(await grants.list(1)).toEqual([grantOf('bo')]);
      });
      expect(await store.grants.isAdmin(1, 'bo')).toBe(true);
      expect(await store.grants.isAdmin(2, 'bo')).toBe(false);
      expect(await store.grants.list(2)).toEqual([]);
      for (const other of ['Bo', 'bo ', '', '%']) {
        expect(await store.grants.isAdmin(1, other), other).toBe(false);
      }
    });

    test('keep their original values if granted again', async () => {
      const store = await openForTest(open);
      expect(await grant(store, 1, grantOf('bo'))).toBe(true);
      const again = grantOf('bo', { granted_at: T2, granted_by: 'cy' });
      expect(await grant(store, 1, again)).toBe(false);
      expect(await store.grants.list(1)).toEqual([grantOf('bo')]);
    });

    test('are revoked for one tenant only', async () => {
      const store = await openForTest(open);
      for (const tenant of [1, 2]) await grant(store, tenant, grantOf('bo'));
      expect(await revoke(store, 1, 'bo')).toBe(true);
      expect(await store.grants.isAdmin(1, 'bo')).toBe(false);
      expect(await store.grants.list(1)).toEqual([]);
      expect(await store.grants.isAdmin(2, 'bo')).toBe(true);
      expect(await revoke(store, 1, 'bo')).toBe(false);
      expect(await grant(store, 1, grantOf('bo', { granted_at: T2 }))).toBe(true);
    });

    test('are listed by subject in byte order', async () => {
      const store = await openForTest(open);
      for (const user_id of ['b', 'ä', 'B', 'a']) await grant(store, 1, grantOf(user_id));
      const listed = await store.grants.list(1);
      expect(listed.map(({ user_id }) => user_id)).toEqual(['B', 'a', 'b', 'ä']);
    });

    test('raise the revision of their own tenant only, if they change', async () => {
      const store = await openForTest(open);
      await grant(store, 2, grantOf('bo'));
      const otherRevision = await store.layers.revision(2);
      const changes = [
        () => grant(store, 1, grantOf('bo')),
        () => grant(store, 1, grantOf('cy')),
        () => revoke(store, 1, 'bo'),
      ];
      for (const change of changes) {
        const before = await store.layers.revision(1);
        await change();
        expect(await store.layers.revision(1)).toBeGreaterThan(before);
      }
      const before = await store.layers.revision(1);
      await revoke(store, 1, 'bo');
      await grant(store, 1, grantOf('cy'));
      expect(await store.layers.revision(1)).toBe(before);
      expect(await store.layers.revision(2)).toBe(otherRevision);
    });

    test('have no effect and do not raise a revision if rolled back', async () => {
      const store = await openForTest(open);
      await grant(store, 1, grantOf('bo'));
      const before = await store.layers.revision(1);
      const undone = store.transaction(async ({ grants }) => {
        await grants.revoke(1, 'bo');
        await grants.grant(1, grantOf('cy'));
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      expect(await store.grants.list(1)).toEqual([grantOf('bo')]);
      expect(await store.layers.revision(1)).toBe(before);
    });
  });
}
