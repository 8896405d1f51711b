import { join } from 'node:path';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import {
  getIngest,
  listIngests,
  registerLayer,
  reingestLayer,
} from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import {
  startRegistry,
  type EndpointOptions,
  type RegistryClientView,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../config/settings.ts';

const ROOT = asCaller({ subject: 'root' });
const ANN = asCaller({ subject: 'ann' });

function rule(body: string, more = '', version = '1.0.0'): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n${more}---\n${body}\n`;
}

const UNNAMED =
  'It extends an artifact or version that is missing or that some readers of this layer cannot see.';

interface Place {
  responses: () => Promise<string[]>;
  server: RegistryServer;
  publish: (id: string, grants: object, files: Record<string, string>) => Promise<unknown>;
  read: (id: string) => Promise<[status: number, text: string]>;
}

async function openPlace(settings: Partial<Settings>): Promise<Place> {
  const folder = temporaryFolder();
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'], ...settings },
  });
  const root = server.as(ROOT);
  return {
    server,
    responses: async () => {
      const query = { id: 'docs' };
      const { ingests } = await root.call(listIngests, { query });
      const job = ingests[0]?.job ?? '';
      const requests: [RegistryClientView, Endpoint, EndpointOptions][] = [
        [server.as(ANN), syncManifestEndpoint, {}],
        [root, syncManifestEndpoint, {}],
        [root, listIngests, { query }],
        [root, getIngest, { params: { job } }],
        [root, reingestLayer, { query }],
      ];
      const texts = requests.map(async ([face, row, options]) =>
        JSON.stringify((await face.request(row, options)).body),
      );
      return Promise.all(texts);
    },
    publish: async (id, grants, files) => {
      const local_path = join(folder, id);
      writeTree(local_path, files);
      await root.call(registerLayer, { body: { id, source_type: 'local', local_path, ...grants } });
      return (await root.request(reingestLayer, { query: { id } })).body;
    },
    read: async (id) => {
      const { status, body } = await server.as(ANN).request(loadArtifact, { query: { id } });
      return [status, JSON.stringify(body)];
    },
  };
}

const HIDDEN = { groups: ['board'] };
const SHARED = { organization: true };
const PARENT = { 'secret/plan/ARTIFACT.md': rule('Buy Acme in March.') };
const CHILD = { 'notes/ARTIFACT.md': rule('', 'extends: secret/plan\n') };

describe('child in a layer with more readers than the layer of its parent', () => {
  test("contains the parent's content by default, as specified", async () => {
    const { publish, read } = await openPlace({});
    await publish('board', HIDDEN, PARENT);
    await publish('docs', SHARED, CHILD);
    expect(await read('notes')).toEqual([200, expect.stringContaining('Buy Acme')]);
  });

  test('is rejected with `extends.parents: visible` as if the parent did not exist', async () => {
    const { publish, read } = await openPlace({ 'extends.parents': 'visible' });
    await publish('board', HIDDEN, PARENT);
    const refused = await publish('docs', SHARED, CHILD);
    expect(JSON.stringify(refused)).toContain(UNNAMED);
    expect((await read('notes'))[0]).toBe(404);
    const absent = { 'other/ARTIFACT.md': rule('', 'extends: secret/none\n') };
    const nothing = await publish('more', SHARED, absent);
    expect(JSON.stringify(nothing)).toContain(UNNAMED);
  });

  test('follows the setting of its tenant', async () => {
    const settings = { 'extends.parents': 'any' as const };
    const { server, publish, read } = await openPlace(settings);
    await publish('board', HIDDEN, PARENT);
    await server.registry.store.transaction(async ({ tenants }) => {
      const record = await tenants.get(ONLY_TENANT);
      if (record !== undefined) await tenants.replace({ ...record, extends_parents: 'visible' });
    });
    await publish('docs', SHARED, CHILD);
    expect((await read('notes'))[0]).toBe(404);
  });

  test('extends the version of the id in a layer that all its readers see', async () => {
    const { publish, read } = await openPlace({ 'extends.parents': 'visible' });
    await publish('base', SHARED, { 'secret/plan/ARTIFACT.md': rule('Public plan.') });
    const overlay = { 'secret/plan/ARTIFACT.md': rule('Buy Acme.', 'extends: secret/plan\n') };
    await publish('board', HIDDEN, overlay);
    await publish('docs', SHARED, CHILD);
    const [status, text] = await read('notes');
    expect([status, text]).toEqual([200, expect.stringContaining('Public plan.')]);
    expect(text).not.toContain('Buy Acme');
  });

  test('ingest report omits versions of a hidden parent', async () => {
    const { publish } = await openPlace({});
    await publish('board', HIDDEN, { 'secret/plan/ARTIFACT.md': rule('Plan.', '', '4.7.11') });
    const missing = { 'notes/ARTIFACT.md': rule('', 'extends: secret/plan@1.0.0\n') };
    const refused = JSON.stringify(await publish('docs', SHARED, missing));
    expect(refused).toContain(UNNAMED);
    expect(refused).not.toContain('4.7.11');
  });

  const CAUSES: Record<string, { extended: string; parent?: string }> = {
    'a parent that does not exist': { extended: 'secret/none' },
    'a version that does not exist': { extended: 'secret/plan@9.9.9' },
    'a deprecated version': {
      extended: 'secret/plan',
      parent: rule('Buy Acme.', 'deprecated: true\n'),
    },
    'a deprecated version that is pinned': {
      extended: 'secret/plan@1.0.0',
      parent: rule('Buy Acme.', 'deprecated: true\n'),
    },
    'a parent of another type': {
      extended: 'secret/plan',
      parent: rule('Buy Acme.').replace('type: rule', 'type: context'),
    },
    'a parent that was rejected': {
      extended: 'secret/plan',
      parent: rule('Buy Acme.', 'extends: secret/none\n'),
    },
  };

  test.each(Object.entries(CAUSES))(
    'is rejected for %s, and no response names the parent',
    async (_, { extended, parent }) => {
      const { server, publish, responses } = await openPlace({});
      await publish('board', HIDDEN, { 'secret/plan/ARTIFACT.md': parent ?? rule('Buy Acme.') });
      await publish('docs', SHARED, {
        'notes/ARTIFACT.md': rule('', `extends: ${extended}\n`),
      });
      const manifest = await server.as(ANN).call(syncManifestEndpoint);
      expect(manifest.rejected).toEqual([
        {
          artifact_id: 'notes',
          layer: 'docs',
          type: 'rule',
          code: 'ingest.invalid_artifact',
          reason: UNNAMED,
        },
      ]);
      for (const text of await responses()) expect(text).not.toContain('secret/');
    },
  );

  test.each(['secret/plan@', 'secret/plan/../x', 'secret/plan@not a version'])(
    'is rejected for `extends: %s`, and no response names the parent',
    async (extended) => {
      const { publish, responses } = await openPlace({});
      await publish('board', HIDDEN, PARENT);
      const files = { 'notes/ARTIFACT.md': rule('', `extends: ${JSON.stringify(extended)}\n`) };
      expect(JSON.stringify(await publish('docs', SHARED, files))).toContain('is not valid');
      for (const text of await responses()) expect(text).not.toContain('secret/');
    },
  );

  test('ingest report names a parent that every reader of the layer can see', async () => {
    const { publish } = await openPlace({});
    await publish('base', SHARED, { 'base/plan/ARTIFACT.md': rule('Plan.', 'deprecated: true\n') });
    const files = { 'notes/ARTIFACT.md': rule('', 'extends: base/plan\n') };
    expect(JSON.stringify(await publish('docs', SHARED, files))).toContain('base/plan');
  });

  test('ingest report lists versions that every reader of the layer can see', async () => {
    const { publish } = await openPlace({});
    await publish('base', SHARED, { 'secret/plan/ARTIFACT.md': rule('Plan.', '', '4.7.11') });
    const missing = { 'notes/ARTIFACT.md': rule('', 'extends: secret/plan@1.0.0\n') };
    expect(JSON.stringify(await publish('docs', SHARED, missing))).toContain('available: 4.7.11');
  });
});
