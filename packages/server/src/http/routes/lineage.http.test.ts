import { artifactLineage, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';

const ROOT = asCaller({ subject: 'root' });
const ANN = asCaller({ subject: 'ann' });
const BEN = asCaller({ subject: 'ben', groups: ['board'] });

function rule(version: string, more: string, body = ''): string {
  return `---\ntype: rule\nversion: ${version}\n${more}---\n${body}\n`;
}

async function openChain(): Promise<RegistryServer> {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] },
  });
  const root = server.as(ROOT);
  const base = rule('1.2.0', 'description: Greet.\ntags: [polite]\nlicense: MIT\n', 'Say hello.');
  await root.ingest({ 'talk/greet/ARTIFACT.md': base }, { id: 'base', organization: true });
  const board = rule('3.0.0', 'extends: talk/greet\ntags: [formal]\nsensitivity: high\n');
  await root.ingest({ 'board/greet/ARTIFACT.md': board }, { id: 'board', groups: ['board'] });
  const docs = rule('1.0.0', 'extends: board/greet\ndescription: Greet guests.\n');
  await root.ingest({ 'docs/greet/ARTIFACT.md': docs }, { id: 'docs', organization: true });
  return server;
}

const DOCS = { id: 'docs/greet', version: '1.0.0', layer: 'docs' };
const BOARD = { id: 'board/greet', version: '3.0.0', layer: 'board' };
const BASE = { id: 'talk/greet', version: '1.2.0', layer: 'base' };

describe('artifact lineage', () => {
  test('lists the parents and the artifacts that contribute each field', async () => {
    const server = await openChain();
    const lineage = await server.as(BEN).call(artifactLineage, { query: { id: DOCS.id } });
    expect(lineage).toMatchObject({ ...DOCS, parents: [BOARD, BASE] });
    const origins = new Map(lineage.fields.map(({ name, from }) => [name, from]));
    expect(Object.fromEntries(origins)).toEqual({
      description: [DOCS],
      tags: [BOARD, BASE],
      license: [BASE],
      sensitivity: [BOARD],
      body: [BASE],
    });
  });

  test('ends before a hidden parent, whose fields are attributed to the child', async () => {
    const server = await openChain();
    const { status, raw } = await server
      .as(ANN)
      .request(artifactLineage, { query: { id: DOCS.id } });
    expect(status).toBe(200);
    const lineage = JSON.parse(raw.toString());
    expect(lineage).toMatchObject({ ...DOCS, parents: [] });
    for (const { from } of lineage.fields) expect(from).toEqual([DOCS]);
    expect(raw.toString()).not.toMatch(/board|talk|base/);
    const hidden = await server.as(ANN).request(artifactLineage, { query: { id: BOARD.id } });
    const absent = await server.as(ANN).request(artifactLineage, { query: { id: 'board/none' } });
    expect([hidden.status, absent.status]).toEqual([404, 404]);
  });
});

test('a version is loaded from the requested layer', async () => {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] },
  });
  const root = server.as(ROOT);
  const files = (more: string, body: string) => ({
    'talk/greet/ARTIFACT.md': rule('1.0.0', `description: Greet.\n${more}`, body),
  });
  await root.ingest(files('', 'Below.'), { id: 'below', organization: true });
  await root.ingest(files('extends: talk/greet\n', 'Secret.'), { id: 'board', groups: ['board'] });
  await root.ingest(files('extends: talk/greet\n', 'Above.'), { id: 'above', organization: true });
  const load = async (query: object) => {
    const { status, body } = await server.as(ANN).request(loadArtifact, {
      query: { id: 'talk/greet', ...query },
    });
    return [status, JSON.stringify(body).match(/Below|Secret|Above/)?.[0]];
  };
  expect(await load({})).toEqual([200, 'Above']);
  expect(await load({ version: '1.0.0', layer: 'below' })).toEqual([200, 'Below']);
  expect(await load({ layer: 'below' })).toEqual([200, 'Below']);
  expect(await load({ version: '1.0.0', layer: 'board' })).toEqual([404, undefined]);
  expect(await load({ version: '1.0.0', layer: 'none' })).toEqual([404, undefined]);
  expect(await load({ version: '2.0.0', layer: 'below' })).toEqual([404, undefined]);
});
