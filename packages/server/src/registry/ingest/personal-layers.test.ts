import type { Caller } from '@catalog/core/identity/caller';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadArtifact } from '../load/load-artifact.ts';
import { listIngests } from '../layers/list-ingests.ts';
import type { CallContext } from '../registry.ts';

let open: MemoryRegistry;

beforeEach(async () => {
  open = await openMemoryRegistry({ open: false });
  await open.addLayer('board', { organization: false, groups: ['board'], users: ['ann'] });
  await open.ingest('board', {
    packages: { 'hid/secret': { 'ARTIFACT.md': rule('TOP SECRET.') } },
  });
});
afterEach(() => open.close());

function rule(body: string, more = ''): string {
  return `---\ntype: rule\nversion: 1.0.0\ndescription: What to do.\n${more}---\n${body}\n`;
}

function as(subject: string): CallContext {
  const caller: Caller = { kind: 'subject', subject, groups: [] };
  return { ...open.context, caller };
}

async function addPersonal(id: string, owner: string): Promise<void> {
  await open.addLayer(id, { user_defined: true, owner, users: [owner], organization: false });
}

const CHILD = { 'my/child': { 'ARTIFACT.md': rule('', 'extends: hid/secret@1.0.0\n') } };

test('extends reveals no parent that is hidden from the owner', async () => {
  await addPersonal('mallorys', 'mallory');
  const report = await open.ingest('mallorys', { packages: CHILD });
  expect(report.accepted).toBe(0);
  const absent = { 'my/child': { 'ARTIFACT.md': rule('', 'extends: hid/nothing@1.0.0\n') } };
  await addPersonal('others', 'mallory');
  const other = await open.ingest('others', { packages: absent });
  const [hidden] = report.rejected;
  const [missing] = other.rejected;
  expect(hidden?.reason.replaceAll('hid/secret', 'hid/nothing')).toBe(missing?.reason);
  await expect(
    loadArtifact(open.registry, as('mallory'), { id: 'my/child', version: '' }),
  ).rejects.toMatchObject({ code: 'registry.not_found' });
});

test('an owner who sees the parent can extend it', async () => {
  await addPersonal('anns', 'ann');
  expect((await open.ingest('anns', { packages: CHILD })).accepted).toBe(1);
  const { bytes } = await loadArtifact(open.registry, as('ann'), { id: 'my/child', version: '' });
  expect(Buffer.from(bytes).toString()).toContain('TOP SECRET');
});

test('an inactive owner can extend only public parents', async () => {
  const at = '2026-01-01T00:00:00.000Z';
  await open.registry.store.transaction(async ({ directory }) => {
    const user = {
      kind: 'User',
      id: 'u',
      name: 'ann',
      name_key: 'ann',
      external_id: null,
    } as const;
    const state = { active: false, attributes: {}, version: 1, created_at: at, modified_at: at };
    await directory.create(ONLY_TENANT, { ...user, ...state });
  });
  await addPersonal('anns', 'ann');
  expect((await open.ingest('anns', { packages: CHILD })).accepted).toBe(0);
});

test('a hidden layer neither claims ids nor triggers retries', async () => {
  await addPersonal('mallorys', 'mallory');
  const same = { 'hid/new': { 'ARTIFACT.md': rule('Mine.') } };
  const waiting = { 'my/child': { 'ARTIFACT.md': rule('', 'extends: hid/later@1.0.0\n') } };
  expect((await open.ingest('mallorys', { packages: { ...same, ...waiting } })).accepted).toBe(1);
  await open.ingest('board', {
    packages: {
      'hid/secret': { 'ARTIFACT.md': rule('TOP SECRET.') },
      'hid/new': { 'ARTIFACT.md': rule('TOP SECRET.') },
      'hid/later': { 'ARTIFACT.md': rule('TOP SECRET.') },
    },
  });
  expect(await open.runWaiting()).toEqual([]);
  const mine = await loadArtifact(open.registry, as('mallory'), { id: 'hid/new', version: '' });
  expect(Buffer.from(mine.bytes).toString()).toContain('Mine.');
});

test('a report names another layer only if all its readers see that layer', async () => {
  await open.addLayer('team', { organization: true });
  const clash = { packages: { 'hid/secret': { 'ARTIFACT.md': rule('Ours.') } } };
  const { rejected } = await open.ingest('team', clash);
  expect(rejected).toMatchObject([
    { code: 'ingest.collision', reason: 'Another layer has the same id.' },
  ]);
  await open.addLayer('other', { organization: true });
  await open.ingest('team', { packages: { 'our/tool': { 'ARTIFACT.md': rule('Ours.') } } });
  const named = await open.ingest('other', {
    packages: { 'our/tool': { 'ARTIFACT.md': rule('Theirs.') } },
  });
  expect(named.rejected).toMatchObject([{ reason: 'Layer `team` has the same id.' }]);
});

test('the new owner of a layer id cannot read ingests of the former owner', async () => {
  await addPersonal('notes', 'ann');
  await open.ingest('notes', { packages: { 'my/note': { 'ARTIFACT.md': rule('Mine.') } } });
  const { registry } = open;
  expect((await listIngests(registry, as('ann'), { id: 'notes' })).ingests).toHaveLength(1);
  await registry.store.transaction(async ({ layers }) => {
    const layer = await layers.get(1, 'notes');
    if (layer === undefined) throw new Error('no layer');
    const created_at = registry.now().toISOString();
    await layers.replace(1, { ...layer, owner: 'bob', users: ['bob'], created_at });
  });
  expect((await listIngests(registry, as('bob'), { id: 'notes' })).ingests).toEqual([]);
});
