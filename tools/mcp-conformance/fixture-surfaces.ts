import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readArtifact } from '@catalog/core/artifact/read-artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Diagnostics } from '@catalog/mcp/diagnostics';
import { attachSurfaces } from '@catalog/mcp/surfaces/attach';
import type { SurfaceRegistry } from '@catalog/mcp/surfaces/view';
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { PIXEL } from './fixture-tools.ts';

/** The suite expects this command as a prompt. */
const COMMAND = `---
type: command
version: 1.0.0
description: A simple prompt without arguments.
---
This is a simple prompt for testing.
`;

export function attachFixtureSurfaces(mcp: McpServer, diagnostics: Diagnostics): McpServer {
  attachSurfaces(mcp, {
    surfaces: new Set(['resources', 'prompts']),
    openRuntime: () => Promise.resolve({ registry: openRegistry(readCommand()) }),
    diagnostics,
  });
  mcp.registerResource('static-text', 'test://static-text', {}, ({ href: uri }) => {
    const text = 'This is the content of the static text resource.';
    return { contents: [{ uri, mimeType: 'text/plain', text }] };
  });
  mcp.registerResource('static-binary', 'test://static-binary', {}, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PIXEL }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  mcp.registerResource('template', template, {}, ({ href: uri }, { id }) => {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });
  return mcp;
}

function readCommand(): Artifact {
  const reading = readArtifact({
    id: 'test_simple_prompt',
    layer: 'fixtures',
    manifest: Buffer.from(COMMAND),
    skill: undefined,
    resources: [],
  });
  if (reading.kind === 'refused') throw new TypeError('the fixture cannot be read');
  return reading.artifact;
}

function openRegistry(artifact: Artifact): SurfaceRegistry {
  const { id, layer, type, description } = artifact;
  return {
    listArtifacts: () => Promise.resolve([{ id, type, description }]),
    loadArtifact: (request) =>
      request.id === id
        ? Promise.resolve({ artifact, layer, deprecated: false })
        : Promise.reject(new CatalogError('registry.not_found', `There is no ${request.id}.`)),
    follow: () => undefined,
  };
}
