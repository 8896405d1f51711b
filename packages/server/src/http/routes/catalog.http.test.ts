import { catalog, syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { startRegistry } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function rule(name: string, more = ''): string {
  return `---\ntype: rule\nname: ${name}\nversion: 1.0.0\ndescription: About ${name}.\n${more}---\nThe long text of ${name}.\n`;
}

const TREE = {
  'ops/check/ARTIFACT.md': rule('check'),
  'ops/deploy/ship/ARTIFACT.md': rule('ship'),
  'ops-2/other/ARTIFACT.md': rule('other'),
  'old/ARTIFACT.md': rule('old', 'deprecated: true\n'),
  'quiet/ARTIFACT.md': rule('quiet', 'search_visibility: direct-only\n'),
};

verifies(
  ['CATALOG-01', 'CATALOG-05', 'CATALOG-07'],
  'the catalog lists every visible artifact with a short descriptor and without its body',
  async () => {
    const server = await startRegistry({ layers: { base: TREE } });
    const { raw, body } = await server.request(catalog);
    const ids = ['old', 'ops-2/other', 'ops/check', 'ops/deploy/ship', 'quiet'];
    expect(body).toEqual({
      ids,
      artifacts: ids.map((id) => ({
        id,
        type: 'rule',
        summary: `About ${id.slice(id.lastIndexOf('/') + 1)}.`,
      })),
    });
    expect(raw.toString()).not.toContain('The long text');
  },
);

verifies('CATALOG-06', 'a scope limits the catalog to one path and its descendants', async () => {
  const server = await startRegistry({ layers: { base: TREE } });
  const ids = async (scope: string) => (await server.call(catalog, { query: { scope } })).ids;
  expect(await ids('ops')).toEqual(['ops/check', 'ops/deploy/ship']);
  expect(await ids('/ops/deploy/')).toEqual(['ops/deploy/ship']);
  expect(await ids('ops/deploy/ship')).toEqual(['ops/deploy/ship']);
  expect(await ids('op')).toEqual([]);
});

test('an unchanged catalog returns 304', async () => {
  const server = await startRegistry({ layers: { base: TREE } });
  const first = await server.request(catalog);
  const headers = { 'if-none-match': first.headers.etag ?? '' };
  const again = await server.request(catalog, { headers });
  expect([again.status, again.raw.length]).toEqual([304, 0]);
  await server.ingest({ ...TREE, 'new/ARTIFACT.md': rule('new') });
  const changed = await server.request(catalog, { headers });
  expect(changed.status).toBe(200);
  expect(changed.headers.etag).not.toBe(first.headers.etag);
});

verifies(
  ['CATALOG-02', 'CATALOG-08', 'CATALOG-09'],
  'a large manifest and catalog contain every artifact in the order of the ids',
  async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1203 }, (_, index) => {
        const name = `x${String(index).padStart(4, '0')}`;
        return [`many/${name}/ARTIFACT.md`, rule(name)];
      }),
    );
    const server = await startRegistry({ layers: { base: many } });
    const { artifacts } = await server.call(syncManifestEndpoint);
    const ids = artifacts.map(({ id }) => id);
    expect(ids).toHaveLength(1203);
    expect(ids).toEqual(ids.toSorted());
    expect(artifacts[7]).toEqual({
      id: 'many/x0007',
      type: 'rule',
      version: '1.0.0',
      layer: 'base',
      content_hash: expect.stringMatching(/^sha256:/),
      deprecated: false,
    });
    const listed = await server.call(catalog);
    expect(listed.ids).toEqual(ids);
    expect(listed.artifacts.map(({ id }) => id)).toEqual(ids);
  },
);
