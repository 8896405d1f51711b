import { describe, expect, test } from 'vitest';
import { openForTest, type OpenStore } from '../samples.conformance.ts';

export function identityConformance(open: OpenStore): void {
  describe('identity', () => {
    test('creates one identity for concurrent processes', async () => {
      const store = await openForTest(open);
      expect(await store.identity.get()).toBeUndefined();
      const created = await Promise.all(
        ['a', 'b', 'c'].map((name) => store.transaction(({ identity }) => identity.create(name))),
      );
      const [first] = created;
      expect(first).toMatchObject({ object_store_identity: null, origin: 'same' });
      expect(new Set(created.map(({ identity }) => identity)).size).toBe(1);
      expect(await store.identity.get()).toEqual(first);
    });

    test('renews only the identity that the caller read', async () => {
      const store = await openForTest(open);
      await store.transaction(({ identity }) => identity.create('a'));
      const renew = (from: string, to: string): Promise<unknown> =>
        store.transaction(({ identity }) => identity.renew(from, to));
      expect(await renew('a', 'b')).toMatchObject({ identity: 'b', origin: 'same' });
      expect(await renew('a', 'c')).toMatchObject({ identity: 'b' });
    });

    test('remembers the identity of the object store through a renewal', async () => {
      const store = await openForTest(open);
      const claim = (name: string): Promise<unknown> =>
        store.transaction(({ identity }) => identity.claimObjectStore(name));
      await store.transaction(({ identity }) => identity.create('a'));
      expect(await claim('other')).toMatchObject({ object_store_identity: null });
      expect(await claim('a')).toMatchObject({ object_store_identity: 'a' });
      await store.transaction(({ identity }) => identity.renew('a', 'b'));
      expect(await store.identity.get()).toMatchObject({
        identity: 'b',
        object_store_identity: 'a',
      });
    });
  });
}
