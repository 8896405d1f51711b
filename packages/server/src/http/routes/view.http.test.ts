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
  'the layer with the higher order overlays the lower one in any order of ingests',
  async () => {
    const server = await startRegistry();
    await server.ingest(rule('1.0.0'));
    await server.ingest(rule('2.0.0', 'extends: ops/a@1.0.0\n'), { id: 'team' });
    expect(await versionsOf(server)).toEqual(everywhere('2.0.0'));
    // Regression test: a newer ingest of a lower layer must not replace the artifact.
    await server.ingest(rule('3.0.0'));
    expect(await versionsOf(server)).toEqual(everywhere('2.0.0'));
    await server.call(reorderLayers, { body: { order: ['team', 'base'] } });
    expect(await versionsOf(server)).toEqual(everywhere('3.0.0'));
  },
);

// Regression test: endpoints once disagreed on the latest version.
test('latest is the same version on every endpoint', async () => {
  const server = await startRegistry();
  await server.ingest(rule('2.0.0'));
  await server.ingest(rule('1.5.0'));
  expect(await versionsOf(server)).toEqual(everywhere('1.5.0'));
  await server.ingest(rule('3.0.0', 'deprecated: true\n'));
  expect(await versionsOf(server)).toEqual(everywhere('1.5.0'));
});

test('an artifact with only deprecated versions can be loaded and listed but not discovered', async () => {
  const server = await startRegistry();
  await server.ingest(rule('1.0.0', 'deprecated: true\n'));
  expect(await versionsOf(server)).toEqual({
    ...everywhere('1.0.0'),
    search: undefined,
    domain: undefined,
  });
});
