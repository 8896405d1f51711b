// With several tenants, only the operator's configuration can use paths on the host (SPEC-77, a departure from
// LLOCAL-01).
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { grantAdmin, revokeAdmin } from '@catalog/contract/endpoints/access';
import { catalog } from '@catalog/contract/endpoints/discovery';
import {
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
  reorderLayers,
  restoreLayer,
  unregisterLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { asCaller, TRUSTED_HEADERS, TRUSTED_HEADERS_MULTI_TENANT } from '@catalog/testkit/callers';
import { newLayer } from '@catalog/testkit/layer-record';
import {
  startRegistry,
  type RegistryClientView,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { openSettings } from '@catalog/testkit/varied-registry';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../config/settings.ts';

const SETTINGS = {
  ...TRUSTED_HEADERS_MULTI_TENANT,
  operator_admins: ['op'],
  bootstrap_admins: ['acme=ada', 'beta=bo'],
} satisfies Partial<Settings>;
const ADA = asCaller({ subject: 'ada', org: 'acme' });
const BO = asCaller({ subject: 'bo', org: 'beta' });
/** The operator role allows tenant management, but not paths on the host. */
const OPERATOR = asCaller({ subject: 'op', org: 'acme' });
const REFUSED = {
  status: 403,
  body: { code: 'auth.forbidden', details: { constraint: 'local_source' } },
};

function rule(version: string): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n---\nWave.\n`;
}

function openFolder(): string {
  const path = temporaryFolder();
  writeTree(path, { 'greet/ARTIFACT.md': rule('1.0.0') });
  return path;
}

function ofAcme(path: string): Settings['layers'][number] {
  return { id: 'base', tenant: 'acme', source: { local: { path } } };
}

async function idsOf(face: RegistryClientView): Promise<string[]> {
  return (await face.call(catalog)).ids;
}

function servedSoon(face: RegistryClientView, ids: readonly string[]): Promise<void> {
  return expect.poll(() => idsOf(face), { timeout: 10_000 }).toEqual(ids);
}

describe('host path on a multi-tenant registry', () => {
  test("is rejected from every tenant, so that a tenant cannot read another tenant's folder", async () => {
    const path = openFolder();
    const server = await startRegistry({ settings: { ...SETTINGS, layers: [ofAcme(path)] } });
    await servedSoon(server.as(ADA), ['greet']);
    for (const headers of [ADA, BO, OPERATOR]) {
      for (const source of [
        { source_type: 'local', local_path: path },
        { source_type: 'git', repo: `file://${path}` },
        { source_type: 'git', repo: path },
      ]) {
        const body = { id: 'theirs', organization: headers !== OPERATOR, ...source };
        const answer = await server.as(headers).request(registerLayer, { body });
        expect(answer).toMatchObject(REFUSED);
        expect(answer.raw.toString()).not.toContain(path);
      }
    }
    expect(await idsOf(server.as(BO))).toEqual([]);
    expect((await server.as(BO).call(listLayers)).layers).toEqual([]);
  });

  test("cannot be set, moved or restored by a tenant's administrator", async () => {
    const server = await startRegistry({ settings: SETTINGS });
    const ada = server.as(ADA);
    const { tenant = 0 } = (await server.registry.store.tenants.find('acme')) ?? {};
    const folder = { source_type: 'local', local_path: openFolder() } as const;
    const deleted_at = new Date().toISOString();
    await server.registry.store.transaction(async ({ layers }) => {
      await layers.create(tenant, newLayer({ id: 'kept', organization: true, ...folder }));
      await layers.create(tenant, newLayer({ id: 'gone', deleted_at, ...folder }));
      await layers.create(
        tenant,
        newLayer({ id: 'remote', source_type: 'git', repo: 'https://git.example/x.git' }),
      );
    });
    for (const [id, body] of [
      ['kept', { local_path: '/etc' }],
      ['kept', { root: 'greet' }],
      ['remote', { local_path: '/etc' }],
    ] as const) {
      expect(await ada.request(updateLayer, { query: { id }, body })).toMatchObject(REFUSED);
    }
    expect(await ada.request(restoreLayer, { query: { id: 'gone' } })).toMatchObject(REFUSED);
    expect(await ada.request(reingestLayer, { query: { id: 'kept' } })).toMatchObject(REFUSED);
    const update = { query: { id: 'kept' }, body: { organization: false } };
    expect(await ada.request(updateLayer, update)).toMatchObject({ status: 200 });
    expect(await ada.request(unregisterLayer, { query: { id: 'kept' } })).toMatchObject({
      status: 200,
    });
  });

  test('is ingested for the configured tenant, whose administrator can reingest it', async () => {
    const path = openFolder();
    const server = await startRegistry({ settings: { ...SETTINGS, layers: [ofAcme(path)] } });
    const ada = server.as(ADA);
    await servedSoon(ada, ['greet']);
    expect(await ada.request(reingestLayer, { query: { id: 'base' } })).toMatchObject({
      status: 200,
    });
    const move = { query: { id: 'base' }, body: { root: 'greet' } };
    expect(await ada.request(updateLayer, move)).toMatchObject(REFUSED);
    await ada.call(unregisterLayer, { query: { id: 'base' } });
    await ada.call(restoreLayer, { query: { id: 'base' } });
    writeTree(path, { 'more/ARTIFACT.md': rule('1.0.0') });
    await servedSoon(ada, ['greet', 'more']);
  });
});

describe('host path removed from the configuration', () => {
  async function startAgain(
    settings: Settings,
    layers: Settings['layers'],
  ): Promise<RegistryServer> {
    const server = await startRegistry({ settings: { ...settings, layers }, keep: true });
    onTestFinished(() => server.close());
    return server;
  }

  test('keeps serving its content but is not ingested again', async () => {
    const settings = { ...(await openSettings('standalone')), ...SETTINGS };
    const path = openFolder();
    const first = await startAgain(settings, [ofAcme(path)]);
    await servedSoon(first.as(ADA), ['greet']);
    await first.close();
    writeFileSync(join(path, 'greet', 'ARTIFACT.md'), rule('1.1.0'));
    const second = await startAgain(settings, []);
    const ada = second.as(ADA);
    const { ingests } = await expect
      .poll(() => ada.call(listIngests, { query: { id: 'base' } }), { timeout: 10_000 })
      .toMatchObject({ ingests: [{ state: 'failed' }, {}] })
      .then(() => ada.call(listIngests, { query: { id: 'base' } }));
    expect(ingests[0]?.error).toMatchObject({
      code: 'auth.forbidden',
      details: { constraint: 'local_source' },
    });
    expect(await ada.request(reingestLayer, { query: { id: 'base' } })).toMatchObject(REFUSED);
    const query = { id: 'greet' };
    expect(await ada.call(loadArtifact, { query })).toMatchObject({ version: '1.0.0' });
    expect(second.log.join('\n')).toContain('auth.forbidden');
    rmSync(path, { recursive: true });
    expect(await ada.call(loadArtifact, { query })).toMatchObject({ version: '1.0.0' });
  });

  test('is ingested again when the configuration names it again', async () => {
    const settings = { ...(await openSettings('standalone')), ...SETTINGS };
    const path = openFolder();
    await (await startAgain(settings, [ofAcme(path)])).close();
    await (await startAgain(settings, [])).close();
    const third = await startAgain(settings, [ofAcme(path)]);
    await servedSoon(third.as(ADA), ['greet']);
  });
});

describe('visibility of host paths', () => {
  async function readAll(face: RegistryClientView, id: string): Promise<string> {
    const answers = [
      await face.request(listLayers),
      await face.request(listLayers, { query: { deleted: 'true' } }),
      await face.request(reorderLayers, { body: { order: [] } }),
      await face.request(listIngests, { query: { id } }),
      await face.request(updateLayer, { query: { id }, body: {} }),
    ];
    return answers.map(({ raw }) => raw.toString()).join('\n');
  }

  test('responses show host paths only to administrators', async () => {
    const settings = { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] };
    const server = await startRegistry({ settings });
    const [root, ann] = ['root', 'ann'].map((subject) => server.as(asCaller({ subject })));
    if (root === undefined || ann === undefined) throw new Error('nobody asks');
    const path = openFolder();
    const sources = {
      folder: { source_type: 'local', local_path: path },
      git: { source_type: 'git', repo: `file://${path}` },
      beside: { source_type: 'git', repo: 'https://git.example/x.git', local_path: path },
    };
    for (const [id, source] of Object.entries(sources)) {
      const body = { id, ...source, organization: true };
      expect((await root.call(registerLayer, { body })).layer).toMatchObject(source);
      const { layer } = await root.call(unregisterLayer, { query: { id } });
      expect(layer).toMatchObject(source);
      if (id !== 'beside') await root.call(restoreLayer, { query: { id } });
    }
    expect(await readAll(root, 'folder')).toContain(path);
    expect(await readAll(ann, 'folder')).not.toContain(path);
    const { layers } = await ann.call(listLayers);
    expect(layers).toMatchObject([
      { id: 'folder', source_type: 'local', local_path: '', repo: '' },
      { id: 'git', source_type: 'git', local_path: '', repo: '' },
    ]);
    const deleted = await ann.call(listLayers, { query: { deleted: 'true' } });
    expect(deleted.layers).toMatchObject([{ repo: sources.beside.repo, local_path: '' }]);
    // The owner of a personal layer who is no longer an administrator does not see the path either.
    await root.call(grantAdmin, { body: { user_id: 'ann' } });
    const own = await ann.call(registerLayer, { body: { id: 'own', ...sources.folder } });
    expect(own.layer.local_path).toBe(path);
    await root.request(revokeAdmin, { query: { user_id: 'ann' } });
    expect(await readAll(ann, 'own')).not.toContain(path);
    const gone = await ann.call(unregisterLayer, { query: { id: 'own' } });
    expect(gone.layer).toMatchObject({ id: 'own', local_path: '' });
  });

  test.each([
    [{}, true],
    [{ public_mode: true }, false],
    [{ open_writes: 'deny' }, false],
  ] as const)(
    'without authentication, settings %j show host paths: %j',
    async (settings, isShown) => {
      const path = openFolder();
      const layers = [{ id: 'base', source: { local: { path } } }];
      const server = await startRegistry({ settings: { ...settings, layers } });
      const listed = await server.call(listLayers);
      expect(listed.layers[0]?.local_path).toBe(isShown ? path : '');
    },
  );
});

test('a registry with a layer for an unknown tenant refuses to start', async () => {
  const layers = [{ ...ofAcme(openFolder()), tenant: 'acmee' }];
  await expect(startRegistry({ settings: { ...SETTINGS, layers } })).rejects.toMatchObject({
    code: 'config.invalid',
    details: { key: 'registry.layers', value: 'acmee' },
  });
});
