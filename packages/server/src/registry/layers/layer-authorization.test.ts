import type { Caller } from '@catalog/core/identity/caller';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallContext } from '../registry.ts';
import { getIngest } from './get-ingest.ts';
import { listIngests } from './list-ingests.ts';
import { listLayers } from './list-layers.ts';
import { registerLayer } from './register-layer.ts';
import { reingestLayer } from './reingest-layer.ts';
import { reorderLayers } from './reorder-layers.ts';
import { restoreLayer } from './restore-layer.ts';
import { unregisterLayer } from './unregister-layer.ts';
import { updateLayer } from './update-layer.ts';

const REMOTE = { source_type: 'git', repo: 'https://git.example/x.git' } as const;
const FOLDER = { source_type: 'local', local_path: '/srv/x' } as const;
const FORBIDDEN = { code: 'auth.forbidden', details: {} };

let open: MemoryRegistry;
let ann: CallContext;
let anonymousContext: CallContext;

beforeEach(async () => {
  open = await openMemoryRegistry();
  const as = (caller: Caller): CallContext => ({ ...open.context, caller });
  ann = as({ kind: 'subject', subject: 'ann', groups: [] });
  anonymousContext = as({ kind: 'anonymous' });
  await open.addLayer('shared', { ...REMOTE, owner: 'ann' });
  const bobs = { user_defined: true, owner: 'bob', users: ['bob'], organization: false };
  await open.addLayer('bobs', { ...REMOTE, ...bobs });
});

afterEach(() => open.close());

test('an identified caller registers and manages a personal layer', async () => {
  const { registry } = open;
  const { layer } = await registerLayer(registry, ann, { id: 'anns', ...REMOTE });
  expect(layer).toMatchObject({ user_defined: true, owner: 'ann', users: ['ann'], groups: null });
  expect((await updateLayer(registry, ann, { id: 'anns', patch: { ref: 'next' } })).layer.ref).toBe(
    'next',
  );
  await unregisterLayer(registry, ann, { id: 'anns' });
  await restoreLayer(registry, ann, { id: 'anns' });
  const { layers } = await listLayers(registry, ann, { deleted: false });
  expect(layers.map(({ id }) => id)).toEqual(['shared', 'anns']);
  const rows = await registry.store.outbox.listAfter(1, 0, 100);
  expect(rows.map(({ body }) => [body.event, body.data['action']])).toEqual([
    ['layer.user_registered', 'register'],
    ['layer.user_registered', 'update'],
    ['layer.user_registered', 'unregister'],
    ['layer.user_registered', 'restore'],
  ]);
});

test('other callers get the same error for existing and missing layers', async () => {
  const { registry } = open;
  for (const context of [ann, anonymousContext]) {
    for (const id of ['shared', 'bobs', 'unknown']) {
      await expect(updateLayer(registry, context, { id, patch: {} })).rejects.toMatchObject(
        FORBIDDEN,
      );
      await expect(unregisterLayer(registry, context, { id })).rejects.toMatchObject(FORBIDDEN);
      await expect(restoreLayer(registry, context, { id })).rejects.toMatchObject(FORBIDDEN);
      await expect(reingestLayer(registry, context, { id, wait: false })).rejects.toMatchObject(
        FORBIDDEN,
      );
    }
    for (const id of ['shared', 'bobs']) {
      await expect(registerLayer(registry, context, { id, ...REMOTE })).rejects.toMatchObject(
        FORBIDDEN,
      );
    }
  }
  await expect(
    registerLayer(registry, anonymousContext, { id: 'new', ...REMOTE }),
  ).rejects.toMatchObject(FORBIDDEN);
  await expect(reorderLayers(registry, ann, { order: ['bobs'] })).rejects.toMatchObject({
    code: 'registry.invalid_argument',
  });
  expect(await registry.store.audit.list(1, 0, 10)).toEqual([]);
});

test('host paths and visibility of other users require an administrator', async () => {
  const { registry } = open;
  const localSource = { code: 'auth.forbidden', details: { constraint: 'local_source' } };
  const adminOnly = { code: 'auth.forbidden', details: { constraint: 'admin_only_fields' } };
  await expect(
    registerLayer(registry, ann, { id: 'x', ...FOLDER, public: true }),
  ).rejects.toMatchObject(localSource);
  await expect(
    registerLayer(registry, ann, { id: 'x', ...REMOTE, public: true }),
  ).rejects.toMatchObject(adminOnly);
  await registerLayer(registry, ann, { id: 'anns', ...REMOTE, owner: 'ann', public: false });
  await expect(
    updateLayer(registry, ann, { id: 'anns', patch: { local_path: '/etc' } }),
  ).rejects.toMatchObject(localSource);
  const anns = { user_defined: true, owner: 'ann', users: ['ann'] };
  await open.addLayer('folder', { ...anns, ...FOLDER });
  await expect(reingestLayer(registry, ann, { id: 'folder', wait: false })).rejects.toMatchObject(
    localSource,
  );
  await unregisterLayer(registry, ann, { id: 'folder' });
  await expect(restoreLayer(registry, ann, { id: 'folder' })).rejects.toMatchObject(localSource);
});

test('listLayers returns visible layers', async () => {
  const { registry } = open;
  const ids = async (context: CallContext, deleted = false) =>
    (await listLayers(registry, context, { deleted })).layers.map(({ id }) => id);
  expect(await ids(ann)).toEqual(['shared']);
  expect(await ids(anonymousContext)).toEqual([]);
  expect(await ids(open.context)).toEqual(['shared', 'bobs']);
  await unregisterLayer(registry, open.context, { id: 'bobs' });
  expect(await ids(ann, true)).toEqual([]);
  expect(await ids(open.context, true)).toEqual(['bobs']);
});

test('listIngests returns ingests of visible layers', async () => {
  const { registry } = open;
  await reingestLayer(registry, open.context, { id: 'bobs', wait: false });
  const queued = await reingestLayer(registry, open.context, { id: 'shared', wait: false });
  const layers = async (context: CallContext, id = '') =>
    (await listIngests(registry, context, { id })).ingests.map(({ layer }) => layer);
  expect(await layers(open.context)).toEqual(['shared', 'bobs']);
  expect(await layers(ann)).toEqual(['shared']);
  expect(await layers(anonymousContext)).toEqual([]);
  await expect(layers(ann, 'bobs')).rejects.toMatchObject({ code: 'registry.not_found' });
  if (queued.kind !== 'queued') throw new Error('it was not queued');
  const { job } = queued.accepted;
  expect((await getIngest(registry, ann, { job })).layer).toBe('shared');
  await expect(getIngest(registry, anonymousContext, { job })).rejects.toMatchObject({
    code: 'registry.not_found',
  });
});
