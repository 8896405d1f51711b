import {
  catalog,
  loadDomain,
  searchArtifacts,
  syncManifestEndpoint,
} from '@catalog/contract/endpoints/discovery';
import { reorderLayers } from '@catalog/contract/endpoints/layers';
import { batchLoad, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function rule(version: string, more = ''): Record<string, string> {
  return {
    'ops/a/ARTIFACT.md': `---\ntype: rule\nname: a\nversion: ${version}\ndescription: As of ${version}.\n${more}---\nDo it.\n`,
  };
}

/** The version each way to an artifact shows; undefined where it shows none. */
async function versionsOf(server: RegistryServer): Promise<Record<string, string | undefined>> {
  const [item] = await server.call(batchLoad, { body: { ids: ['ops/a'] } });
  const domain = await server.request(loadDomain, { query: { path: 'ops' } });
  return {
    load: (await server.call(loadArtifact, { query: { id: 'ops/a' } })).version,
    batch: item?.status === 'ok' ? item.version : undefined,
    manifest: (await server.call(syncManifestEndpoint)).artifacts[0]?.version,
    search: (await server.call(searchArtifacts)).results[0]?.version,
    domain:
      domain.status === 200
        ? (await server.call(loadDomain, { query: { path: 'ops' } })).notable[0]?.version
        : undefined,
    // It names no version; its summary does.
    catalog: (await server.call(catalog)).artifacts[0]?.summary.slice('As of '.length, -1),
  };
}

function everywhere(version: string): Record<string, string> {
  return {
    load: version,
    batch: version,
    manifest: version,
    search: version,
    domain: version,
    catalog: version,
  };
}

verifies(
  'VIEW-05',
  'the layer with the higher order overlays the lower one, whichever was ingested last',
  async () => {
    const server = await startRegistry();
    await server.ingest(rule('1.0.0'));
    await server.ingest(rule('2.0.0', 'extends: ops/a@1.0.0\n'), { id: 'team' });
    expect(await versionsOf(server)).toEqual(everywhere('2.0.0'));
    // Weak spot 2: a newer ingest of a lower layer must not take its place.
    await server.ingest(rule('3.0.0'));
    expect(await versionsOf(server)).toEqual(everywhere('2.0.0'));
    await server.call(reorderLayers, { body: { order: ['team', 'base'] } });
    expect(await versionsOf(server)).toEqual(everywhere('3.0.0'));
  },
);

// Weak spot 4: one way skips deprecated versions, another takes the highest number.
test('latest is the same version on every surface', async () => {
  const server = await startRegistry();
  await server.ingest(rule('2.0.0'));
  await server.ingest(rule('1.5.0'));
  expect(await versionsOf(server)).toEqual(everywhere('1.5.0'));
  await server.ingest(rule('3.0.0', 'deprecated: true\n'));
  expect(await versionsOf(server)).toEqual(everywhere('1.5.0'));
});

test('an artifact with deprecated versions only is loaded and listed, not shown around', async () => {
  const server = await startRegistry();
  await server.ingest(rule('1.0.0', 'deprecated: true\n'));
  expect(await versionsOf(server)).toEqual({
    ...everywhere('1.0.0'),
    search: undefined,
    domain: undefined,
  });
});
