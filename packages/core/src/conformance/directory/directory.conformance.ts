import { describe, expect, test } from 'vitest';
import type { DirectoryKind, DirectoryResource, DirectoryWrites } from '../../ports/directory.ts';
import type { Store } from '../../ports/store.ts';
import { foldName } from '../../scim/fold-name.ts';
import { openForTest, T1, T2, type OpenStore } from '../samples.conformance.ts';

function resource(
  kind: DirectoryKind,
  id: string,
  name: string,
  more: Partial<DirectoryResource> = {},
): DirectoryResource {
  return {
    kind,
    id,
    name,
    name_key: foldName(name),
    external_id: null,
    active: true,
    attributes: { [kind === 'User' ? 'userName' : 'displayName']: name },
    created_at: T1,
    modified_at: T1,
    version: 1,
    ...more,
  };
}
const user = (id: string, name: string, more: Partial<DirectoryResource> = {}) =>
  resource('User', id, name, more);
const group = (id: string, name: string) => resource('Group', id, name);

function change<Result>(
  store: Store,
  work: (directory: DirectoryWrites) => Promise<Result>,
): Promise<Result> {
  return store.transaction(({ directory }) => work(directory));
}

async function changesRevision(
  store: Store,
  work: (directory: DirectoryWrites) => Promise<unknown>,
): Promise<boolean> {
  const before = await store.layers.revision(1);
  await change(store, work);
  return (await store.layers.revision(1)) > before;
}

export function directoryConformance(open: OpenStore): void {
  describe('directory', () => {
    test('keeps pushed resources separate by kind and tenant', async () => {
      const store = await openForTest(open);
      const attributes = {
        userName: 'Ann',
        name: { givenName: 'Änn "\\' },
        emails: [{ value: 'x' }],
      };
      const ann = user('u1', 'Ann', { attributes, external_id: 'E1', active: false, version: 7 });
      await change(store, async (directory) => {
        await directory.create(1, ann);
        await directory.create(1, group('g1', 'Ann'));
        await directory.create(2, user('u1', 'Other'));
      });
      expect(await store.directory.get(1, 'User', 'u1')).toEqual(ann);
      expect(await store.directory.get(1, 'Group', 'g1')).toEqual(group('g1', 'Ann'));
      expect(await store.directory.get(1, 'Group', 'u1')).toBeUndefined();
      expect((await store.directory.get(2, 'User', 'u1'))?.name).toBe('Other');
      expect(await store.directory.get(3, 'User', 'u1')).toBeUndefined();
      expect(await store.directory.count(1, 'User')).toBe(1);
    });

    test('finds resources by id, name, external id and member', async () => {
      const store = await openForTest(open);
      await change(store, async (directory) => {
        await directory.create(1, user('u2', 'Bob', { external_id: 'E' }));
        await directory.create(1, user('u1', 'Ann', { external_id: 'E' }));
        for (const id of ['g2', 'g1', 'g3']) await directory.create(1, group(id, id));
        await directory.addMembers(1, 'g2', ['u1']);
        await directory.addMembers(1, 'g1', ['u1', 'u2']);
      });
      const ids = async (
        kind: DirectoryKind,
        by: 'id' | 'name_key' | 'external_id' | 'member',
        value: string,
      ) => (await store.directory.find(1, kind, { by, value })).map(({ id }) => id);
      expect(await ids('User', 'id', 'u2')).toEqual(['u2']);
      expect(await ids('User', 'name_key', 'ann')).toEqual(['u1']);
      expect(await ids('User', 'name_key', 'Ann')).toEqual([]);
      expect(await ids('User', 'external_id', 'E')).toEqual(['u1', 'u2']);
      expect(await ids('User', 'external_id', 'e')).toEqual([]);
      expect(await ids('Group', 'member', 'u1')).toEqual(['g1', 'g2']);
      expect(await ids('Group', 'member', 'u3')).toEqual([]);
      expect(await store.directory.find(2, 'User', { by: 'id', value: 'u2' })).toEqual([]);
      expect(await store.directory.listUnknownUsers(1, ['u1', 'g1', 'u3', 'u2'])).toEqual([
        'g1',
        'u3',
      ]);
      expect(await store.directory.listUnknownUsers(1, [])).toEqual([]);
    });

    test('returns pages by id', async () => {
      const store = await openForTest(open);
      await change(store, async (directory) => {
        for (const id of ['c', 'a', 'e', 'b', 'd'])
          await directory.create(1, user(id, `name ${id}`));
      });
      const { directory } = store;
      const page = await directory.page(1, 'User', { skip: 1, limit: 2 });
      expect(page.map(({ id }) => id)).toEqual(['b', 'c']);
      expect(await directory.page(1, 'User', { skip: 5, limit: 2 })).toEqual([]);
      const after = await directory.pageAfter(1, 'User', { after: 'c', limit: 2 });
      expect(after.map(({ id }) => id)).toEqual(['d', 'e']);
      expect(await directory.count(1, 'User')).toBe(5);
      expect(await directory.count(1, 'Group')).toBe(0);
    });

    test('changes members by the added and removed rows', async () => {
      const store = await openForTest(open);
      await change(store, async (directory) => {
        for (const id of ['a', 'b', 'c']) await directory.create(1, user(id, id));
        await directory.create(1, group('g', 'g'));
        await directory.create(1, group('h', 'h'));
        expect(await directory.addMembers(1, 'g', ['b', 'a'])).toBe(2);
        expect(await directory.addMembers(1, 'g', ['a', 'c', 'c'])).toBe(1);
        expect(await directory.addMembers(1, 'h', ['c'])).toBe(1);
      });
      expect(await store.directory.listMembers(1, 'g')).toEqual(['a', 'b', 'c']);
      expect(await store.directory.countMembers(1, ['g', 'h'])).toBe(4);
      const memberships = await store.directory.listMemberships(1, ['g', 'h'], ['c', 'x']);
      expect(
        memberships.toSorted((one, other) => (one.group_id < other.group_id ? -1 : 1)),
      ).toEqual([
        { group_id: 'g', user_id: 'c' },
        { group_id: 'h', user_id: 'c' },
      ]);
      await change(store, async (directory) => {
        expect(await directory.removeMembers(1, 'g', ['a', 'x'])).toBe(1);
        expect(await directory.setMembers(1, 'g', ['a', 'b'])).toBe(2);
        expect(await directory.setMembers(1, 'g', ['b', 'a'])).toBe(0);
      });
      expect(await store.directory.listMembers(1, 'g')).toEqual(['a', 'b']);
      await change(store, (directory) => directory.setMembers(1, 'g', []));
      expect(await store.directory.listMembers(1, 'g')).toEqual([]);
      expect(await store.directory.listMembers(1, 'h')).toEqual(['c']);
    });

    test('returns the standing of a subject for each form of its names', async () => {
      const store = await openForTest(open);
      await change(store, async (directory) => {
        await directory.create(1, user('u1', 'Ann@Example.com', { external_id: 'Ext-1' }));
        await directory.create(1, user('u2', 'bob', { active: false }));
        await directory.create(1, group('g1', 'Platform'));
        await directory.create(1, group('g2', 'Security'));
        await directory.addMembers(1, 'g2', ['u1', 'u2']);
        await directory.addMembers(1, 'g1', ['u1']);
      });
      const ann = { state: 'active', groups: ['Platform', 'Security'] };
      const { directory } = store;
      expect(await directory.standing(1, 'ann@example.COM', '')).toEqual(ann);
      expect(await directory.standing(1, 'Ext-1', '')).toEqual(ann);
      expect(await directory.standing(1, 'opaque', 'ANN@example.com')).toEqual(ann);
      expect(await directory.standing(1, 'ext-1', '')).toEqual({ state: 'unknown', groups: [] });
      expect(await directory.standing(1, 'opaque', 'Ext-1')).toEqual({
        state: 'unknown',
        groups: [],
      });
      expect(await directory.standing(1, 'bob', '')).toEqual({ state: 'inactive', groups: [] });
      // A name that matches both an inactive and an active user counts as inactive.
      expect(await directory.standing(1, 'bob', 'ann@example.com')).toEqual({
        state: 'inactive',
        groups: [],
      });
      expect(await directory.standing(1, 'Platform', '')).toEqual({ state: 'unknown', groups: [] });
      expect(await directory.standing(2, 'Ext-1', '')).toEqual({ state: 'unknown', groups: [] });
    });

    test('keeps names that a user no longer has until another push assigns them', async () => {
      const store = await openForTest(open);
      const state = async (subject: string) =>
        (await store.directory.standing(1, subject, '')).state;
      const ann = user('u1', 'ann', { external_id: 'E1' });
      await change(store, async (directory) => {
        await directory.create(1, ann);
        await directory.create(1, group('g', 'g'));
        await directory.addMembers(1, 'g', ['u1']);
      });
      await change(store, (directory) =>
        directory.replace(1, {
          ...ann,
          name: 'anne',
          name_key: 'anne',
          modified_at: T2,
          version: 2,
        }),
      );
      expect([await state('ann'), await state('anne'), await state('E1')]).toEqual([
        'inactive',
        'active',
        'active',
      ]);
      expect(await change(store, (directory) => directory.remove(1, 'User', 'u1'))).toBe(true);
      expect(await change(store, (directory) => directory.remove(1, 'User', 'u1'))).toBe(false);
      expect([await state('anne'), await state('E1'), await state('carl')]).toEqual([
        'inactive',
        'inactive',
        'unknown',
      ]);
      expect(await store.directory.listMembers(1, 'g')).toEqual([]);
      expect((await store.directory.standing(2, 'anne', '')).state).toBe('unknown');
      await change(store, (directory) => directory.create(1, user('u9', 'Anne')));
      expect([await state('anne'), await state('E1'), await state('ann')]).toEqual([
        'active',
        'inactive',
        'inactive',
      ]);
      await change(store, (directory) => directory.remove(1, 'Group', 'g'));
      expect(await state('g')).toBe('unknown');
    });

    test("raises the tenant's revision only if a change has an effect", async () => {
      const store = await openForTest(open);
      const ann = user('u1', 'ann');
      expect(await changesRevision(store, (directory) => directory.create(1, ann))).toBe(true);
      expect(
        await changesRevision(store, (directory) => directory.create(1, group('g', 'g'))),
      ).toBe(true);
      expect(
        await changesRevision(store, (directory) => directory.addMembers(1, 'g', ['u1'])),
      ).toBe(true);
      expect(
        await changesRevision(store, (directory) => directory.addMembers(1, 'g', ['u1'])),
      ).toBe(false);
      expect(
        await changesRevision(store, (directory) => directory.setMembers(1, 'g', ['u1'])),
      ).toBe(false);
      expect(
        await changesRevision(store, (directory) => directory.removeMembers(1, 'g', ['x'])),
      ).toBe(false);
      expect(
        await changesRevision(store, (directory) => directory.removeMembers(1, 'g', ['u1'])),
      ).toBe(true);
      expect(
        await changesRevision(store, (directory) =>
          directory.replace(1, { ...ann, active: false }),
        ),
      ).toBe(true);
      expect(await changesRevision(store, (directory) => directory.get(1, 'User', 'u1'))).toBe(
        false,
      );
      expect(await changesRevision(store, (directory) => directory.remove(1, 'User', 'u1'))).toBe(
        true,
      );
    });

    test('rolls back with the transaction', async () => {
      const store = await openForTest(open);
      const failed = change(store, async (directory) => {
        await directory.create(1, user('u1', 'ann'));
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await store.directory.get(1, 'User', 'u1')).toBeUndefined();
      expect((await store.directory.standing(1, 'ann', '')).state).toBe('unknown');
    });
  });
}
