import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openDiagnostics } from '../diagnostics.ts';
import { createServer } from '../serve.ts';
import { attachSurfaces } from './attach.ts';

function skill(id: string, notes: string): Artifact {
  const name = id.slice(id.lastIndexOf('/') + 1);
  return artifactOf(id, {
    'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'SKILL.md': `---\nname: ${name}\ndescription: Does the thing called ${name}.\n---\nDo it.\n`,
    'notes.txt': notes,
  });
}

async function openClient(artifacts: readonly Artifact[]): Promise<Client> {
  const registry = {
    listArtifacts: () => Promise.resolve(artifacts),
    follow: () => undefined,
    loadArtifact: ({ id }: { id: string }) => {
      const artifact = artifacts.find((one) => one.id === id);
      return artifact === undefined
        ? Promise.reject(new Error('No such artifact.'))
        : Promise.resolve({ artifact, layer: 'base', deprecated: false });
    },
  };
  const server = attachSurfaces(
    createServer({
      openRuntime: () => Promise.reject(new Error('not in this test')),
      report: () => undefined,
    }),
    {
      openRuntime: () => Promise.resolve({ registry }),
      diagnostics: openDiagnostics(() => undefined),
      surfaces: new Set(['skills'] as const),
    },
  );
  const client = new Client({ name: 'test-host', version: '1.0.0' });
  const [serverTransport, clientTransport] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(clientTransport), client.connect(serverTransport)]);
  onTestFinished(() => client.close());
  return client;
}

test('a file of a skill inside the path of another skill is read from the inner one', async () => {
  const client = await openClient([skill('ops', 'of ops'), skill('ops/deploy', 'of ops/deploy')]);
  for (const id of ['ops', 'ops/deploy']) {
    const uri = `skill://${id}/notes.txt`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([expect.objectContaining({ uri, text: `of ${id}` })]);
  }
});
