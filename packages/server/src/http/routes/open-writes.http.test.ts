// Without authentication, a registry that other machines can reach accepts changes only if its operator allows them
// (SPEC-76, a departure from LAUTH-15 and LLOCAL-16).
import { grantAdmin, listAdmins, revokeAdmin } from '@catalog/contract/endpoints/access';
import { session } from '@catalog/contract/endpoints/browser';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { breakGlass, putFreezeWindows } from '@catalog/contract/endpoints/freeze';
import { purge } from '@catalog/contract/endpoints/purge';
import { reembed } from '@catalog/contract/endpoints/search-index';
import { catalog } from '@catalog/contract/endpoints/discovery';
import {
  listLayers,
  registerLayer,
  reingestLayer,
  reorderLayers,
  restoreLayer,
  testSource,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { endpoints } from '@catalog/contract/endpoints/table';
import {
  createWebhook,
  deleteWebhook,
  recoverWebhook,
  redeliverWebhook,
  testWebhook,
  updateWebhook,
} from '@catalog/contract/endpoints/webhooks';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../config/settings.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet.\n---\nWave.\n';
const FORBIDDEN = { status: 403, body: { code: 'auth.forbidden' } };

async function start(settings: Partial<Settings>): Promise<RegistryServer> {
  const path = temporaryFolder();
  writeTree(path, { 'greet/ARTIFACT.md': RULE });
  const layers = [{ id: 'base', source: { local: { path } } }];
  const server = await startRegistry({
    settings: { ...settings, layers, 'web_ui.enabled': true },
  });
  await expect
    .poll(async () => (await server.call(catalog)).ids, { timeout: 10_000 })
    .toEqual(['greet']);
  return server;
}

const WRITES: readonly [Endpoint, EndpointOptions][] = [
  [registerLayer, { body: { id: 'new', source_type: 'local', local_path: '/srv' } }],
  [testSource, { body: { id: 'new', source_type: 'local', local_path: '/srv' } }],
  [updateLayer, { query: { id: 'base' }, body: { public: true } }],
  [unregisterLayer, { query: { id: 'base' } }],
  [restoreLayer, { query: { id: 'base' } }],
  [reingestLayer, { query: { id: 'base' } }],
  [reorderLayers, { body: { order: ['base'] } }],
  [grantAdmin, { body: { user_id: 'eve' } }],
  [revokeAdmin, { query: { user_id: 'eve' } }],
  [putFreezeWindows, { body: { windows: [] } }],
  [breakGlass, { body: { layer: 'base', reference: '*' } }],
  [purge, { body: { id: 'greet', reason: 'leaked' } }],
  [reembed, {}],
  [createWebhook, { body: { url: 'https://93.184.215.14/' } }],
  [updateWebhook, { params: { id: 'x' }, body: {} }],
  [deleteWebhook, { params: { id: 'x' } }],
  [testWebhook, { params: { id: 'x' } }],
  [redeliverWebhook, { params: { id: 'x', delivery: 'y' } }],
  [recoverWebhook, { params: { id: 'x' }, body: { since: '2026-01-01T00:00:00Z' } }],
];

test('WRITES contains every layer and admin write of the contract', () => {
  const written = endpoints
    .filter(({ access, writes }) => writes && /^(?:layer_|admin)/.test(access))
    .map(({ name }) => name);
  expect(WRITES.map(([{ name }]) => name).toSorted()).toEqual(written.toSorted());
});

describe.each([{ public_mode: false }, { public_mode: true }])('open_writes: deny, %j', (mode) => {
  test('rejects every layer and admin write and changes nothing', async () => {
    const server = await start({ ...mode, open_writes: 'deny' });
    const { store } = server.registry;
    for (const [row, options] of WRITES) {
      const { status, body } = await server.request(row, options);
      expect([row.name, { status, body }]).toMatchObject([row.name, FORBIDDEN]);
    }
    expect(await server.request(registerLayer, { body: {} })).toMatchObject(FORBIDDEN);
    const after = await store.layers.list(ONLY_TENANT);
    expect(after.map(({ id, public: all }) => [id, all])).toEqual([['base', false]]);
    expect(await store.grants.list(ONLY_TENANT)).toEqual([]);
    const jobs = await store.jobs.list(ONLY_TENANT, '', 100);
    const own = ['start', 'files'];
    expect(jobs.filter(({ request }) => !own.includes(request.trigger))).toEqual([]);
  });

  test('keeps reads unchanged and reports that nothing can be managed', async () => {
    const server = await start({ ...mode, open_writes: 'deny' });
    expect((await server.call(listLayers)).layers).toMatchObject([{ id: 'base' }]);
    expect((await server.call(catalog)).ids).toEqual(['greet']);
    const admins = await server.request(listAdmins);
    expect(admins.status).toBe(mode.public_mode ? 403 : 200);
    expect(await server.call(session)).toMatchObject({
      layer_capabilities: { manage_any_layer: false },
    });
  });
});

test.each([undefined, 'allow'] as const)('open_writes: %s allows writes', async (open_writes) => {
  const server = await start({ open_writes });
  const body = { id: 'new', source_type: 'git', repo: 'https://git.example/x.git' };
  expect(await server.request(registerLayer, { body })).toMatchObject({ status: 201 });
  expect(await server.call(session)).toMatchObject({
    layer_capabilities: { manage_any_layer: true },
  });
});
