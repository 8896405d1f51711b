import { listLayers, previewReorder, reorderLayers } from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startRegistry, type RegistryClientView } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';

function rule(version: string, more = ''): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet.\n${more}---\nWave.\n`;
}

/** The artifacts in `ops/many` fill more than one batch of the layer `base`. */
const BASE = {
  'ops/a/ARTIFACT.md': rule('1.0.0'),
  'ops/b/ARTIFACT.md': rule('1.0.0'),
  ...Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`ops/many/n${at}/ARTIFACT.md`, rule('1.0.0')]),
  ),
};
const ABOVE = {
  'ops/a/ARTIFACT.md': rule('2.0.0', 'extends: ops/a@1.0.0\n'),
  'ops/c/ARTIFACT.md': rule('1.0.0'),
};

const preview = (face: RegistryClientView, ...order: string[]) =>
  face.request(previewReorder, { body: { order } });

test('preview_reorder lists artifacts that another layer would serve, and the reorder matches it', async () => {
  const server = await startRegistry({ layers: { base: BASE } });
  await server.ingest(ABOVE, { id: 'team' });
  const orders = async () => (await server.call(listLayers)).layers.map(({ id }) => id);
  expect(await preview(server, 'team', 'base')).toMatchObject({
    status: 200,
    body: {
      order: ['team', 'base'],
      changes: [
        {
          id: 'ops/a',
          from: { layer: 'team', version: '2.0.0' },
          to: { layer: 'base', version: '1.0.0' },
        },
      ],
    },
  });
  expect(await orders()).toEqual(['base', 'team']);
  const { body } = await preview(server, 'base', 'team');
  expect(body).toEqual({ order: ['base', 'team'], changes: [] });
  await server.call(reorderLayers, { body: { order: ['team', 'base'] } });
  const served = await server.call(loadArtifact, { query: { id: 'ops/a' } });
  expect(served).toMatchObject({ layer: 'base', version: '1.0.0' });
});

test('preview_reorder reports an incomplete list of changes', async () => {
  const many = Object.fromEntries(
    Object.entries(BASE).map(([path, text]) => [
      path,
      text
        .replace('1.0.0', '2.0.0')
        .replace('---\nWave', `extends: ${path.slice(0, -12)}@1.0.0\n---\nWave`),
    ]),
  );
  const server = await startRegistry({ layers: { base: BASE } });
  await server.ingest(many, { id: 'team' });
  const answer = await server.call(previewReorder, { body: { order: ['team', 'base'] } });
  expect(answer.changes).toHaveLength(200);
  expect(answer.truncated).toBe(true);
});

test('preview_reorder requires reorder access and shows only visible layers', async () => {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] },
  });
  const root = server.as(asCaller({ subject: 'root' }));
  await root.ingest({ 'ops/a/ARTIFACT.md': rule('1.0.0') }, { id: 'base', organization: true });
  await root.ingest(ABOVE, { id: 'vault', users: ['ann'] });
  // An administrator may move a layer without access to its content.
  expect(await preview(root, 'vault', 'base')).toMatchObject({
    status: 200,
    body: { order: ['base'], changes: [] },
  });
  const zoe = server.as(asCaller({ subject: 'zoe' }));
  const refused = await preview(zoe, 'vault', 'base');
  expect(refused).toMatchObject({ status: 400, body: { code: 'registry.invalid_argument' } });
  const absent = await preview(zoe, 'nobody', 'base');
  expect(refused.raw.toString().replaceAll('vault', 'nobody')).toBe(absent.raw.toString());
  const anonymous = await preview(server.as(asAnonymous()), 'base');
  expect(anonymous).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
});
