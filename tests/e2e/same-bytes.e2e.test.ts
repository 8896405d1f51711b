import { openFolderSource } from '@catalog/consumer/source/folder-source';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { startRegistry } from '@catalog/testkit/registry-server';
import { expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

verifies('EXT-08', 'a folder and a server serve the same bytes for a child', async () => {
  const server = await startRegistry();
  await server.ingest({
    'ops/parent/ARTIFACT.md':
      '---\ntype: rule\nversion: 1.0.0\ndescription: The parent of a child. # here\ntags: [base]\n---\nText.\n',
    'ops/child/ARTIFACT.md':
      '---\ntype: rule\nversion: 2.0.0\nextends: ops/parent\nx-deep: {b: [1, "two"]}\n---\n',
  });
  const folder = openFolderSource(`${server.folder}/layers/base`, undefined);
  await folder.list();
  const [child] = await folder.load(['ops/child']);
  const loaded = await server.call(loadArtifact, { query: { id: 'ops/child' } });
  expect(loaded.manifest_body).toBe(child?.manifest?.text);
  expect(loaded.content_hash).toBe(child?.content_hash);
});
