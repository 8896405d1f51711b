import { X509Certificate } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQdrantStandIn } from '../../../tools/services/vector-engines/qdrant-stand-in.ts';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { peerFingerprint } from '@catalog/testkit/peer-fingerprint';
import { CERT, KEY } from '@catalog/testkit/loopback-certificate';
import { newLayer } from '@catalog/testkit/layer-record';
import { temporaryFolder, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { loadSettings } from './config/load.ts';
import type { Settings } from './config/settings.ts';
import { openLog } from './observe/log.ts';
import { reorderLayers } from './registry/layers/reorder-layers.ts';
import { unregisterLayer } from './registry/layers/unregister-layer.ts';
import { startRegistry, type RunningRegistry } from './start.ts';

const { log: SILENT } = openLog({
  level: 'silent',
  format: 'json',
  output: { write: () => undefined },
});

async function start(
  home: string,
  settings: Partial<Settings> = {},
  log = SILENT,
): Promise<RunningRegistry> {
  const loaded = loadSettings({ cwd: home, home, env: {}, flags: { bind: '127.0.0.1:0' } });
  const running = await startRegistry({ ...loaded.settings, ...settings }, log);
  onTestFinished(() => running.close());
  return running;
}

async function idle(running: RunningRegistry): Promise<void> {
  // Background work starts shortly after the listeners are open.
  do await delay(150);
  while ((await running.listIngests()).length > 0);
}

function context(id: string, version = '1.0.0'): FileTree {
  const description = `What ${id} is about in version ${version}.`;
  return {
    [`${id}/ARTIFACT.md`]: `---\ntype: context\nversion: ${version}\ndescription: ${description}\n---\n`,
  };
}

async function versionsOf({ registry }: RunningRegistry): Promise<string[]> {
  const layers = await registry.store.layers.list(ONLY_TENANT);
  const stack = layers.map(({ number }) => number);
  const page = { prefix: '', after: '', limit: 100 };
  const heads = await registry.store.versions.listView(ONLY_TENANT, stack, page);
  return heads.map(({ id, version }) => `${id}@${version}`);
}

async function layersOf(running: RunningRegistry): Promise<string[]> {
  return (await running.listLayers()).map(({ id }) => id);
}

const CALL = {
  tenant: ONLY_TENANT,
  caller: { kind: 'open' },
  trace_id: '0'.repeat(32),
  signal: AbortSignal.timeout(60_000),
  revision: undefined,
  record: undefined,
} as const;

describe('folder with several layers', () => {
  test('is served in its order, each layer with the visibility of its folder', async () => {
    const home = temporaryFolder();
    writeTree(join(home, 'reg'), {
      '.registry-config': 'multi_layer: true\nlayer_order: [team, base]\n',
      'base/.layer-config': 'visibility: {public: true}\n',
      ...prefixed('base', context('a/one')),
      ...prefixed('team', context('a/two')),
    });
    const running = await start(home, { layer_path: join(home, 'reg') });
    expect(await layersOf(running)).toEqual(['team', 'base']);
    const { layers } = running.registry.store;
    expect(await layers.get(ONLY_TENANT, 'base')).toMatchObject({
      public: true,
      organization: false,
    });
    expect(await layers.get(ONLY_TENANT, 'team')).toMatchObject({
      public: false,
      organization: true,
      local_path: join(home, 'reg/team'),
    });
    await idle(running);
    expect(await versionsOf(running)).toEqual(['a/one@1.0.0', 'a/two@1.0.0']);
  });

  test('keeps an order set through the API and adds new layers at the end', async () => {
    const home = temporaryFolder();
    const layer_path = join(home, 'reg');
    writeTree(layer_path, { '.registry-config': 'multi_layer: true\n', 'a/x': '', 'b/x': '' });
    const first = await start(home, { layer_path });
    await reorderLayers(first.registry, CALL, { order: ['b', 'a'] });
    await first.close();
    writeTree(layer_path, { '0-new/x': '' });
    const second = await start(home, { layer_path });
    expect(await layersOf(second)).toEqual(['b', 'a', '0-new']);
  });

  test('prevents the start if it is ambiguous or missing', async () => {
    const home = temporaryFolder();
    writeTree(home, {
      'both/.registry-config': 'multi_layer: true\n',
      'both/SKILL.md': '',
      file: '',
    });
    await expect(start(home, { layer_path: join(home, 'both') })).rejects.toMatchObject({
      code: 'config.layer_path_ambiguous',
    });
    for (const name of ['gone', 'file']) {
      await expect(start(home, { layer_path: join(home, name) })).rejects.toMatchObject({
        code: 'config.invalid',
        details: { key: 'layer_path' },
      });
    }
  });

  test('replaces a personal layer with the same id and logs the former owner', async () => {
    const home = temporaryFolder();
    writeTree(join(home, 'skills'), context('a/one'));
    const first = await start(home);
    const ann = { user_defined: true, organization: false, owner: 'ann', users: ['ann'] };
    await first.registry.store.transaction(({ layers }) =>
      layers.create(ONLY_TENANT, newLayer({ id: 'skills', ...ann })),
    );
    await first.close();
    let lines = '';
    const output = { write: (text: string) => void (lines += text) };
    const { log } = openLog({ level: 'warn', format: 'json', output });
    const second = await start(home, { layer_path: join(home, 'skills') }, log);
    await idle(second);
    expect(await versionsOf(second)).toEqual(['a/one@1.0.0']);
    expect(lines).toMatch(/"layer":"skills","owner":"ann","msg":"a declared layer replaced/);
  });

  test('logs the versions that are restored with a removed layer', async () => {
    const home = temporaryFolder();
    writeTree(join(home, 'base'), { ...context('a/one'), ...context('a/two') });
    const settings = { layer_path: join(home, 'base') };
    const first = await start(home, settings);
    await idle(first);
    await unregisterLayer(first.registry, CALL, { id: 'base' });
    await first.close();
    const lines: string[] = [];
    const output = { write: (line: string) => void lines.push(line) };
    const { log } = openLog({ level: 'warn', format: 'json', output });
    const second = await start(home, settings, log);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        layer: 'base',
        restored_versions: 2,
        msg: 'a declared layer was removed earlier: exact pins load its versions again',
      },
    ]);
    await second.close();
    lines.length = 0;
    await start(home, settings, log);
    expect(lines).toEqual([]);
  });

  test('rejects a folder with the id of a layer in the configuration file', async () => {
    const home = temporaryFolder();
    writeTree(home, { 'skills/x': '', 'other/x': '' });
    const layers = [{ id: 'skills', source: { local: { path: join(home, 'other') } } }];
    await expect(start(home, { layers, layer_path: join(home, 'skills') })).rejects.toMatchObject({
      code: 'config.invalid',
      details: { value: 'skills' },
    });
    const running = await start(home, { layers, layer_path: join(home, 'other') });
    expect(await running.listLayers()).toEqual([
      { id: 'skills', source_type: 'local', source: join(home, 'other') },
      { id: 'other', source_type: 'local', source: join(home, 'other') },
    ]);
  });
});

test('edits made while the registry was down are ingested, also in a layer that is no longer declared', async () => {
  const home = temporaryFolder();
  const layer_path = join(home, 'skills');
  writeTree(layer_path, { ...context('a/one'), ...context('a/two') });
  const first = await start(home, { layer_path });
  await idle(first);
  await first.close();
  writeTree(layer_path, context('a/one', '1.1.0'));
  const second = await start(home);
  expect(await versionsOf(second)).toEqual(['a/one@1.0.0', 'a/two@1.0.0']);
  await idle(second);
  expect(await versionsOf(second)).toEqual(['a/one@1.1.0', 'a/two@1.0.0']);
});

test('a failed start releases the store', async () => {
  const home = temporaryFolder();
  const running = await start(temporaryFolder());
  const bind = new URL(running.url).host;
  await expect(start(home, { bind })).rejects.toMatchObject({
    code: 'config.invalid',
    details: { key: 'bind', value: bind },
  });
  expect(await layersOf(await start(home))).toEqual([]);
});

test('a failed start because of the vector engine releases the store', async () => {
  const home = temporaryFolder();
  const engine = await startQdrantStandIn('a-key');
  onTestFinished(() => engine.close());
  const settings: Partial<Settings> = {
    'vector_backend.type': 'qdrant-cloud',
    'vector_backend.qdrant.url': engine.url,
    'vector_backend.qdrant.api_key': 'a-key',
    'vector_backend.qdrant.collection': 'missing',
    'egress.allowed_hosts': ['127.0.0.1'],
  };
  await expect(start(home, settings)).rejects.toThrow('collection missing does not exist');
  expect(await layersOf(await start(home))).toEqual([]);
});

describe('HTTPS', () => {
  test('is served with a certificate and its key', async () => {
    const home = temporaryFolder();
    writeTree(home, { 'cert.pem': CERT, 'key.pem': KEY });
    const { url, registry } = await start(home, {
      'tls.cert': join(home, 'cert.pem'),
      'tls.key': join(home, 'key.pem'),
    });
    expect(url).toMatch(/^https:/);
    expect(registry.settings.public_url).toBe(url);
    const status = await new Promise((resolve, reject) => {
      request(`${url}/readyz`, { ca: CERT }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  test('uses a new certificate after a reload, and keeps the old one if the new one is invalid', async () => {
    const home = temporaryFolder();
    const authority = await createCertificateAuthority();
    const { cert_file, key_file } = await authority.issueFiles(home);
    const management_bind = '127.0.0.1:0';
    const tls = { 'tls.cert': cert_file, 'tls.key': key_file };
    const running = await start(home, { ...tls, management_bind });
    const first = await peerFingerprint(running.url);
    const second = await authority.issue();
    writeFileSync(cert_file, second.cert);
    expect(() => running.reloadCertificate()).toThrow(/Cannot serve https/);
    expect(await peerFingerprint(running.url)).toBe(first);
    writeFileSync(key_file, second.key);
    running.reloadCertificate();
    const { fingerprint256 } = new X509Certificate(second.cert);
    expect(await peerFingerprint(running.url)).toBe(fingerprint256);
    expect(await peerFingerprint(running.management_url ?? '')).toBe(fingerprint256);
    rmSync(cert_file);
    expect(() => running.reloadCertificate()).toThrow(/cannot be read/);
    expect(await peerFingerprint(running.url)).not.toBe(first);
  });

  test.each([
    ['a file that is not there', 'gone.pem', /gone\.pem cannot be read/],
    ['a file that is no certificate', 'no.pem', /Cannot serve https/],
  ])('%s prevents the start', async (_, name, message) => {
    const home = temporaryFolder();
    writeTree(home, { 'key.pem': KEY, 'no.pem': 'nothing' });
    const settings = { 'tls.cert': join(home, name), 'tls.key': join(home, 'key.pem') };
    await expect(start(home, settings)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringMatching(message),
    });
  });
});

test('an object folder that is a file prevents the start', async () => {
  const home = temporaryFolder();
  writeTree(home, { objects: '' });
  const root = join(home, 'objects');
  await expect(start(home, { 'object_store.filesystem_root': root })).rejects.toMatchObject({
    code: 'config.invalid',
    details: { key: 'object_store.filesystem_root', path: root },
  });
});

function prefixed(folder: string, files: FileTree): FileTree {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]),
  );
}
