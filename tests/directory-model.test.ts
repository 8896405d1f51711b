import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { ResourceType, ScimObject, ScimValue } from '@catalog/core/scim/attribute';
import { GROUP_TYPE } from '@catalog/core/scim/group-type';
import { ScimError } from '@catalog/core/scim/scim-error';
import { USER_TYPE } from '@catalog/core/scim/user-type';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom } from '../tools/seeded-random.ts';
import type { Registry } from '@catalog/server/registry/registry';
import { createResource } from '@catalog/server/registry/directory/create-resource';
import { deleteResource } from '@catalog/server/registry/directory/delete-resource';
import { patchResource, replaceResource } from '@catalog/server/registry/directory/update-resource';

const OPERATIONS = 10_000;
const NAMES = Array.from({ length: 30 }, (_, at) => `name-${at}`);
const TITLES = Array.from({ length: 12 }, (_, at) => `Group ${at}`);

interface ModelUser {
  name: string;
  active: boolean;
}

class Model {
  users = new Map<string, ModelUser>();
  groups = new Map<string, { title: string; members: Set<string> }>();
  given_up = new Set<string>();

  hasName(name: string, but?: string): boolean {
    return [...this.users].some(([id, user]) => id !== but && user.name === name);
  }

  hasTitle(title: string, but?: string): boolean {
    return [...this.groups].some(([id, group]) => id !== but && group.title === title);
  }

  addUser(id: string, name: string, active: boolean): void {
    this.users.set(id, { name, active });
    this.given_up.delete(name);
  }

  rename(id: string, name: string): void {
    const user = this.users.get(id);
    if (user === undefined) return;
    if (user.name !== name) this.given_up.add(user.name);
    user.name = name;
    this.given_up.delete(name);
  }

  removeUser(id: string): void {
    const user = this.users.get(id);
    if (user === undefined) return;
    this.given_up.add(user.name);
    this.users.delete(id);
    for (const { members } of this.groups.values()) members.delete(id);
  }

  standing(name: string): { state: string; groups: string[] } {
    const [id, user] = [...this.users].find(([, one]) => one.name === name) ?? [];
    if (id === undefined || user === undefined) {
      return { state: this.given_up.has(name) ? 'inactive' : 'unknown', groups: [] };
    }
    if (!user.active) return { state: 'inactive', groups: [] };
    const groups = [...this.groups.values()].filter(({ members }) => members.has(id));
    return { state: 'active', groups: groups.map(({ title }) => title).toSorted() };
  }
}

/** Returns the id of the created resource, `done`, or the status of a SCIM error. */
async function outcomeOf(work: Promise<{ id: string } | void>): Promise<string> {
  try {
    const made = await work;
    return made?.id ?? 'done';
  } catch (error) {
    if (error instanceof ScimError) return String(error.status);
    throw error;
  }
}

test('the directory matches a simple model after ten thousand changes', async () => {
  const { registry, close } = await openMemoryRegistry();
  onTestFinished(close);
  const chance = seededRandom('directory');
  const random = (): number => chance.next();
  const pick = <Value>(some: readonly Value[]): Value => chance.pick(some);
  const model = new Model();
  const call = (type: ResourceType) => ({ tenant: ONLY_TENANT, trace_id: '0'.repeat(32), type });
  const patch = (type: ResourceType, id: string, Operations: ScimValue[]) =>
    outcomeOf(
      patchResource(registry, call(type), { id, if_match: undefined, body: { Operations } }),
    );
  const anyUser = (): string => pick(['nobody', ...model.users.keys()]);
  const anyGroup = (): string => pick(['nothing', ...model.groups.keys()]);
  const someUsers = (): string[] => [
    ...new Set(Array.from({ length: Math.floor(random() * 4) }, anyUser)),
  ];
  const inCase = (name: string): string => (random() < 0.5 ? name : name.toUpperCase());

  const operations: (() => Promise<void>)[] = [
    async function createUser() {
      const name = pick(NAMES);
      const active = random() < 0.8;
      const body = { userName: name, active: active ? pick([true, 'True']) : 'False' };
      const outcome = await outcomeOf(createResource(registry, call(USER_TYPE), body));
      if (model.hasName(name)) expect(outcome).toBe('409');
      else model.addUser(outcome, name, active);
    },
    async function renameUser() {
      const [id, name] = [anyUser(), pick(NAMES)];
      const isTaken = model.hasName(name, id);
      const outcome = await patch(USER_TYPE, id, [
        { op: 'Replace', path: 'userName', value: name },
      ]);
      expect(outcome).toBe(!model.users.has(id) ? '404' : isTaken ? '409' : id);
      if (outcome === id) model.rename(id, name);
    },
    async function switchUser() {
      const id = anyUser();
      const active = random() < 0.5;
      const value = pick<ScimValue>([active, String(active), active ? 'True' : 'False']);
      const operation = pick<ScimValue>([
        { op: 'replace', path: 'active', value },
        { op: 'Replace', value: { active: value } },
        { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value },
      ]);
      const outcome = await patch(USER_TYPE, id, [operation]);
      expect(outcome).toBe(model.users.has(id) ? id : '404');
      const user = model.users.get(id);
      if (user !== undefined) user.active = active;
    },
    async function replaceUser() {
      const [id, name] = [anyUser(), pick(NAMES)];
      const isTaken = model.hasName(name, id);
      const update = { id, if_match: undefined, body: { userName: name, title: name } };
      const outcome = await outcomeOf(replaceResource(registry, call(USER_TYPE), update));
      expect(outcome).toBe(!model.users.has(id) ? '404' : isTaken ? '409' : id);
      if (outcome === id) model.rename(id, name);
    },
    async function deleteUser() {
      if (random() < 0.6) return;
      const id = anyUser();
      const gone = deleteResource(registry, call(USER_TYPE), { id, if_match: undefined });
      expect(await outcomeOf(gone)).toBe(model.users.has(id) ? 'done' : '404');
      model.removeUser(id);
    },
    async function createGroup() {
      const title = pick(TITLES);
      const members = someUsers().filter((id) => model.users.has(id));
      const body = { displayName: title, members: members.map((value) => ({ value })) };
      const outcome = await outcomeOf(createResource(registry, call(GROUP_TYPE), body));
      if (model.hasTitle(title)) expect(outcome).toBe('409');
      else model.groups.set(outcome, { title, members: new Set(members) });
    },
    async function changeMembers() {
      const [id, ids] = [anyGroup(), someUsers()];
      const value = ids.map((one) => ({ value: one }));
      const isKnown = ids.every((one) => model.users.has(one));
      const members = model.groups.get(id)?.members;
      const [operation, apply] = pick<readonly [ScimObject, () => void]>([
        [{ op: 'add', path: 'members', value }, () => ids.forEach((one) => members?.add(one))],
        [
          { op: 'replace', value: { members: value } },
          () => {
            members?.clear();
            for (const one of ids) members?.add(one);
          },
        ],
        [{ op: 'Remove', path: 'members' }, () => members?.clear()],
      ]);
      const adds = operation['op'] !== 'Remove';
      // The first operation must be rolled back if the second one is rejected.
      const isRefused = random() < 0.2;
      const refused = { op: 'add', path: 'members', value: [{ value: 'nobody' }] };
      const outcome = await patch(GROUP_TYPE, id, [
        operation ?? null,
        ...(isRefused ? [refused] : []),
      ]);
      if (members === undefined) expect(outcome).toBe('404');
      else expect(outcome).toBe(isRefused || (adds && !isKnown) ? '400' : id);
      if (outcome === id) apply();
    },
    async function removeMember() {
      const [id, one] = [anyGroup(), anyUser()];
      const operation = pick<ScimValue>([
        { op: 'remove', path: `members[value eq "${one}"]` },
        { op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] },
      ]);
      const outcome = await patch(GROUP_TYPE, id, [operation]);
      expect(outcome).toBe(model.groups.has(id) ? id : '404');
      model.groups.get(id)?.members.delete(one);
    },
    async function deleteGroup() {
      if (random() < 0.7) return;
      const id = anyGroup();
      const gone = deleteResource(registry, call(GROUP_TYPE), { id, if_match: undefined });
      expect(await outcomeOf(gone)).toBe(model.groups.has(id) ? 'done' : '404');
      model.groups.delete(id);
    },
  ];

  for (let done = 0; done < OPERATIONS; done += 1) {
    await pick(operations)();
    const name = pick(NAMES);
    expect(await registry.store.directory.standing(ONLY_TENANT, inCase(name), '')).toEqual(
      model.standing(name),
    );
    if (done % 500 === 0) await compareAll(registry, model);
  }
  await compareAll(registry, model);
}, 120_000);

async function compareAll({ store }: Registry, model: Model): Promise<void> {
  const { directory } = store;
  const users = await directory.page(ONLY_TENANT, 'User', { skip: 0, limit: 1000 });
  expect(new Map(users.map(({ id, name, active }) => [id, { name, active }]))).toEqual(model.users);
  expect(await directory.count(ONLY_TENANT, 'User')).toBe(model.users.size);
  const groups = await directory.page(ONLY_TENANT, 'Group', { skip: 0, limit: 1000 });
  const found = new Map<string, { title: string; members: Set<string> }>();
  for (const { id, name } of groups) {
    const members = new Set(await directory.listMembers(ONLY_TENANT, id));
    found.set(id, { title: name, members });
  }
  expect(found).toEqual(model.groups);
}
