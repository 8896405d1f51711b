import { join } from 'node:path';
import { expect } from 'vitest';
import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import { listIngests, registerLayer, reingestLayer } from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { errorEnvelope } from '@catalog/contract/errors/envelope';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';

const PLUGIN = `
export default {
  name: 'acme',
  artifact_types: {
    dataset: {
      validate: ({ frontmatter }) =>
        Number.isInteger(frontmatter.rows)
          ? []
          : [{ severity: 'error', message: 'rows has to be a number.', path: ['rows'] }],
    },
  },
  error_codes: {
    'acme.no_owner': { summary: 'Nobody owns it.', suggested_action: 'Add an owner.' },
    'acme.unknown_host': { summary: 'Not one of our hosts.', suggested_action: 'Move it.' },
  },
  checkArtifact: ({ type, frontmatter }) =>
    type !== 'context' || frontmatter.owner !== undefined
      ? undefined
      : { code: 'acme.no_owner', message: 'A context needs an owner.' },
  checkLayer: ({ id }) =>
    id.startsWith('foreign') ? { code: 'acme.unknown_host', message: 'Not ours.' } : undefined,
};
`;

async function start(): Promise<RegistryServer> {
  const folder = temporaryFolder();
  writeTree(folder, { 'acme.mjs': PLUGIN });
  return startRegistry({ settings: { plugins: [join(folder, 'acme.mjs')] } });
}

function artifact(lines: string): string {
  const description = `What ${lines.replaceAll(/\W+/g, ' ')} is about.`;
  return `---\nversion: 1.0.0\ndescription: ${description}\n${lines}\n---\nBody.\n`;
}

verifies('MODE-07', 'an artifact of a registered type is served like any other', async () => {
  const server = await start();
  const report = await server.ingest({
    'data/sales/ARTIFACT.md': artifact('type: dataset\nrows: 12'),
    'data/sales/sales.csv': 'a,b\n',
    'data/broken/ARTIFACT.md': artifact('type: dataset\nrows: many'),
    'data/other/ARTIFACT.md': artifact('type: model'),
  });
  expect(report).toMatchObject({
    accepted: 2,
    lint_failures: [{ artifact_id: 'data/broken', reason: 'rows has to be a number.' }],
  });
  expect(report.advisories.map(({ artifact_id, code }) => [artifact_id, code])).toEqual([
    ['data/other', 'lint.unknown_type'],
  ]);
  const loaded = await server.call(loadArtifact, { query: { id: 'data/sales' } });
  expect(loaded).toMatchObject({ type: 'dataset', resources: { 'sales.csv': 'a,b\n' } });
  const found = await server.call(searchArtifacts, { query: { type: 'dataset' } });
  expect(found.results.map(({ id }) => id)).toEqual(['data/sales']);
});

verifies('ERR-04', "a plugin's error codes use the common envelope", async () => {
  const server = await start();
  const report = await server.ingest({
    'a/known/ARTIFACT.md': artifact('type: context\nowner: ann'),
    'a/orphan/ARTIFACT.md': artifact('type: context'),
  });
  expect(report).toMatchObject({
    accepted: 1,
    rejected: [
      { artifact_id: 'a/orphan', code: 'acme.no_owner', reason: 'A context needs an owner.' },
    ],
  });
  const local_path = temporaryFolder();
  await server.call(registerLayer, {
    body: { id: 'foreign', source_type: 'local', local_path },
  });
  const refused = await server.request(reingestLayer, { query: { id: 'foreign' } });
  expect(refused.status).toBe(422);
  expect(errorEnvelope.parse(refused.body)).toEqual({
    code: 'acme.unknown_host',
    message: 'Not ours.',
    details: {},
    retryable: false,
    suggested_action: 'Move it.',
  });
  const { ingests } = await server.call(listIngests, { query: { id: 'foreign' } });
  expect(ingests[0]).toMatchObject({ state: 'failed', error: { code: 'acme.unknown_host' } });
});
