import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { grantAdmin, revokeAdmin } from '@catalog/contract/endpoints/access';
import { catalog, syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { breakGlass, getFreezeWindows, putFreezeWindows } from '@catalog/contract/endpoints/freeze';
import {
  getIngest,
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
  reorderLayers,
  restoreLayer,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { acceptedIngest } from '@catalog/contract/records/ingest';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startGitServer } from '@catalog/testkit/git-server';
import { readAudit } from '@catalog/testkit/layer-fixture';
import {
  startRegistry,
  type RegistryClientView,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { describe, expect, onTestFinished, test } from 'vitest';

const HOUR_MS = 3_600_000;
const FROZEN = { status: 409, body: { code: 'ingest.frozen' } };

function rule(version: string): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n---\nWave.\n`;
}

function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

function activeWindow(more: object = {}): object {
  return { name: 'release', start: inMs(-HOUR_MS), end: inMs(HOUR_MS), ...more };
}

interface Place {
  server: RegistryServer;
  ann: RegistryClientView;
  bob: RegistryClientView;
  file: string;
}

/** Starts a registry with the admins ann and bob, and the layer `base`, which reads a folder. */
async function start(): Promise<Place> {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['ann', 'bob'] },
  });
  const ann = server.as(asCaller({ subject: 'ann' }));
  const local_path = `${server.folder}/base`;
  writeTree(local_path, { 'ops/greet/ARTIFACT.md': rule('1.0.0') });
  await ann.call(registerLayer, {
    body: { id: 'base', source_type: 'local', local_path, organization: true },
  });
  await ann.call(reingestLayer, { query: { id: 'base' } });
  const bob = server.as(asCaller({ subject: 'bob' }));
  return { server, ann, bob, file: `${local_path}/ops/greet/ARTIFACT.md` };
}

async function versions(client: RegistryClientView): Promise<string[]> {
  const { artifacts } = await client.call(syncManifestEndpoint);
  return artifacts.map(({ version }) => version);
}

function put(client: RegistryClientView, windows: object[], more: object = {}) {
  return client.request(putFreezeWindows, { body: { windows, ...more } });
}

function reingest(client: RegistryClientView, body?: object) {
  return client.request(reingestLayer, {
    query: { id: 'base' },
    ...(body === undefined ? {} : { body }),
  });
}

function override(...approvers: string[]): object {
  return { break_glass: true, justification: 'The old greeting is wrong.', approvers };
}

const FOLDER = { layer: 'base', reference: '*' };

describe('a freeze window', () => {
  verifies(
    ['ERR-43', 'LAYER-36'],
    'blocks a reingest, and the layer is ingested when the window ends',
    async () => {
      const { ann, file } = await start();
      await put(ann, [activeWindow({ end: inMs(4000) })]);
      writeFileSync(file, rule('1.1.0'));
      expect(await reingest(ann)).toMatchObject({
        ...FROZEN,
        body: { details: { window: 'release', layer: 'base', reference: '*' } },
      });
      expect(await versions(ann)).toEqual(['1.0.0']);
      const [layer] = (await ann.call(listLayers)).layers;
      expect(Date.parse(layer?.frozen_since ?? '')).toBeGreaterThan(Date.now() - 60_000);
      expect((await ann.call(getFreezeWindows)).frozen_layers).toEqual([
        { layer: 'base', frozen_since: layer?.frozen_since },
      ]);
      await expect.poll(() => versions(ann), { timeout: 60_000 }).toEqual(['1.1.0']);
      await expect
        .poll(async () => (await ann.call(getFreezeWindows)).frozen_layers, { timeout: 20_000 })
        .toEqual([]);
      const [last] = (await ann.call(listIngests, { query: { id: 'base' } })).ingests;
      expect(last).toMatchObject({ state: 'done', trigger: 'retry' });
    },
  );

  verifies('ERR-43', 'accepts a push with 202, and its ingest fails as frozen', async () => {
    const git = await startGitServer(temporaryFolder());
    onTestFinished(() => git.close());
    const repository = git.addRepository('greetings.git');
    repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.0.0') });
    const server = await startRegistry({ settings: { 'egress.allowed_hosts': ['127.0.0.1'] } });
    await server.call(putFreezeWindows, { body: { windows: [activeWindow()] } });
    const registered = await server.call(registerLayer, {
      body: { id: 'base', source_type: 'git', repo: repository.url, ref: 'main' },
    });
    const next = repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.1.0') });
    const { pathname, search } = new URL(registered.webhook_url ?? '');
    const body = '{"ref":"refs/heads/main"}';
    const signature = createHmac('sha256', registered.webhook_secret ?? '').update(body);
    const delivered = await server.request(`${pathname}${search}`, {
      method: 'POST',
      body,
      headers: { 'x-hub-signature-256': `sha256=${signature.digest('hex')}` },
    });
    expect(delivered.status).toBe(202);
    const { job } = acceptedIngest.parse(delivered.body);
    await expect
      .poll(async () => (await server.call(getIngest, { params: { job } })).error, {
        timeout: 30_000,
      })
      .toMatchObject({ code: 'ingest.frozen', details: { reference: next, window: 'release' } });
    expect((await server.call(catalog)).ids).toEqual([]);
  });

  test('does not block layer changes, unless it blocks layer-config', async () => {
    const { ann, file } = await start();
    const local_path = file.replace('/base/', '/other/');
    const other = { id: 'other', source_type: 'local', local_path, organization: true };
    await put(ann, [activeWindow()]);
    await ann.call(registerLayer, { body: other });
    await put(ann, [activeWindow({ blocks: ['ingest', 'layer-config'] })]);
    const blocked = [
      await ann.request(registerLayer, { body: { ...other, id: 'third' } }),
      await ann.request(updateLayer, { query: { id: 'base' }, body: { public: true } }),
      await ann.request(reorderLayers, { body: { order: ['other', 'base'] } }),
    ];
    await ann.call(unregisterLayer, { query: { id: 'other' } });
    blocked.push(await ann.request(restoreLayer, { query: { id: 'other' } }));
    expect(blocked.map(({ body }) => body)).toMatchObject(blocked.map(() => FROZEN.body));
    expect((await ann.call(listLayers)).layers).toMatchObject([{ id: 'base', public: false }]);
    await ann.call(grantAdmin, { body: { user_id: 'cy' } });
    await ann.request(revokeAdmin, { query: { user_id: 'cy' } });
  });

  test('of the configuration applies, is listed, and cannot be changed', async () => {
    const window = { name: 'year', start: inMs(-HOUR_MS), end: inMs(HOUR_MS) };
    const server = await startRegistry({
      settings: { freeze_windows: [{ ...window, blocks: ['ingest'] }] },
    });
    expect((await server.call(getFreezeWindows)).windows).toEqual([
      { ...window, blocks: ['ingest'], source: 'file', active: true, active_until: window.end },
    ]);
    expect(await put(server, [{ ...window, end: inMs(1) }])).toMatchObject({
      status: 400,
      body: { code: 'registry.invalid_argument', details: { constraint: 'declared' } },
    });
    await expect(server.ingest({ 'a/ARTIFACT.md': rule('1.0.0') })).rejects.toThrow(
      'ingest.frozen',
    );
  });

  test('is rejected if it is invalid, and nothing is stored', async () => {
    const { ann } = await start();
    for (const windows of [
      [{ name: 'endless' }],
      [activeWindow({ end: inMs(-2 * HOUR_MS) })],
      [activeWindow(), activeWindow()],
      [{ name: 'x', starts: 'now', ends: '0 0 * * *', time_zone: 'UTC' }],
    ]) {
      expect(await put(ann, windows)).toMatchObject({
        status: 400,
        body: { code: 'registry.invalid_argument' },
      });
    }
    expect((await ann.call(getFreezeWindows)).windows).toEqual([]);
  });
});

describe('break-glass', () => {
  verifies(
    ['LAYER-35', 'LAYER-36', 'ERR-44'],
    'ingests once, if two admins approved and a justification is given',
    async () => {
      const { server, ann, bob, file } = await start();
      await put(ann, [activeWindow()]);
      writeFileSync(file, rule('1.1.0'));
      const refused = { ...FROZEN, body: { details: { constraint: 'approvals' } } };
      expect(await reingest(ann, override('ann', 'bob'))).toMatchObject(refused);
      await ann.call(breakGlass, { body: { ...FOLDER, justification: 'Reviewed.' } });
      expect(await reingest(ann, override('ann', 'bob'))).toMatchObject(refused);
      expect((await bob.call(breakGlass, { body: FOLDER })).approvers).toEqual(['ann', 'bob']);
      for (const approvers of [[], ['ann'], ['ann', 'ann'], ['ann', 'cy'], ['ann', 'bob', 'cy']]) {
        expect(await reingest(ann, override(...approvers))).toMatchObject(refused);
      }
      expect(await reingest(ann, { ...override('ann', 'bob'), justification: ' ' })).toMatchObject({
        status: 400,
        body: { details: { argument: 'justification' } },
      });
      expect(await versions(ann)).toEqual(['1.0.0']);
      expect(await reingest(bob, override('ann', 'bob'))).toMatchObject({
        status: 200,
        body: { accepted: 1 },
      });
      expect(await versions(ann)).toEqual(['1.1.0']);
      expect(await reingest(ann, override('ann', 'bob'))).toMatchObject(refused);
      const records = (await readAudit(server)).filter(({ type }) => type.startsWith('freeze.'));
      expect(records).toMatchObject([
        { type: 'freeze.windows_changed', windows: ['release'], weakened: [] },
        { type: 'freeze.approved', 'caller.identity': 'ann', layer: 'base', reference: '*' },
        { type: 'freeze.approved', 'caller.identity': 'bob' },
        {
          type: 'freeze.break_glass',
          layer: 'base',
          windows: ['release'],
          approvers: ['ann', 'bob'],
          justification: 'The old greeting is wrong.',
        },
      ]);
    },
  );

  verifies('ERR-44', 'does not count an admin whose role was revoked', async () => {
    const { ann, bob, file } = await start();
    await put(ann, [activeWindow()]);
    writeFileSync(file, rule('1.1.0'));
    for (const admin of [ann, bob]) await admin.call(breakGlass, { body: FOLDER });
    await ann.request(revokeAdmin, { query: { user_id: 'bob' } });
    expect(await reingest(ann, override('ann', 'bob'))).toMatchObject(FROZEN);
    expect(await versions(ann)).toEqual(['1.0.0']);
  });

  test('of another commit than the approved one returns 409', async () => {
    const git = await startGitServer(temporaryFolder());
    onTestFinished(() => git.close());
    const repository = git.addRepository('greetings.git');
    const approved = repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.0.0') });
    const server = await startRegistry({
      settings: {
        ...TRUSTED_HEADERS,
        bootstrap_admins: ['ann', 'bob'],
        'egress.allowed_hosts': ['127.0.0.1'],
      },
    });
    const ann = server.as(asCaller({ subject: 'ann' }));
    const bob = server.as(asCaller({ subject: 'bob' }));
    await put(ann, [activeWindow()]);
    const source = { source_type: 'git', repo: repository.url, ref: 'main' };
    await ann.call(registerLayer, { body: { id: 'base', ...source } });
    const change = { layer: 'base', reference: approved };
    for (const admin of [ann, bob]) await admin.call(breakGlass, { body: change });
    const moved = repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.1.0') });
    expect(await reingest(ann, override('ann', 'bob'))).toMatchObject({
      ...FROZEN,
      body: { details: { constraint: 'moved_head', reference: moved } },
    });
    for (const admin of [ann, bob]) {
      await admin.call(breakGlass, { body: { ...change, reference: moved } });
    }
    expect((await reingest(ann, override('ann', 'bob'))).status).toBe(200);
    expect(await versions(ann)).toEqual(['1.1.0']);
  });

  test('needs an identity provider', async () => {
    const server = await startRegistry();
    await server.ingest({ 'ops/greet/ARTIFACT.md': rule('1.0.0') });
    const twoAdmins = { ...FROZEN, body: { details: { constraint: 'two_admins' } } };
    expect(await server.request(breakGlass, { body: FOLDER })).toMatchObject(twoAdmins);
    await put(server, [activeWindow()]);
    expect(await put(server, [])).toMatchObject(twoAdmins);
    expect(await reingest(server, override('ann', 'bob'))).toMatchObject(twoAdmins);
  });

  test('approvals name an existing layer and its kind of reference, or a stored window', async () => {
    const { ann } = await start();
    for (const [body, status] of [
      [{ layer: 'unknown', reference: '*' }, 404],
      [{ layer: 'base', reference: 'main' }, 400],
      [{ layer: 'base' }, 400],
      [{ window: 'unknown' }, 404],
      [{ window: 'x', layer: 'base', reference: '*' }, 400],
      [{}, 400],
    ] as const) {
      expect((await ann.request(breakGlass, { body })).status).toBe(status);
    }
  });
});

describe('an active window', () => {
  test('can be extended by one admin, and weakened only with two approvals', async () => {
    const { server, ann, bob } = await start();
    const window = activeWindow();
    await put(ann, [window]);
    expect((await put(ann, [{ ...window, end: inMs(2 * HOUR_MS) }])).status).toBe(200);
    expect(await put(ann, [window])).toMatchObject({
      ...FROZEN,
      body: { details: { window: 'release', constraint: 'approvals' } },
    });
    for (const admin of [ann, bob]) {
      await admin.call(breakGlass, { body: { window: 'release' } });
    }
    const approvers = ['ann', 'bob'];
    expect((await put(ann, [], { approvers })).status).toBe(409);
    expect((await put(ann, [], { approvers, justification: 'Released.' })).status).toBe(200);
    expect((await ann.call(getFreezeWindows)).windows).toEqual([]);
    expect((await readAudit(server)).at(-1)).toMatchObject({
      type: 'freeze.windows_changed',
      removed: ['release'],
      weakened: ['release'],
      approvers,
      justification: 'Released.',
    });
    await put(ann, [window]);
    expect((await put(ann, [], { approvers, justification: 'Again.' })).status).toBe(409);
  });
});
