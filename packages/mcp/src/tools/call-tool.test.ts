import type { RuntimeRegistry } from '@catalog/consumer/runtime/runtime-registry';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { RegistryError } from '@catalog/sdk/registry-error';
import { artifactOf } from '@catalog/testkit/authored-package';
import { expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { callTool } from './call-tool.ts';
import type { ToolContext } from './tool.ts';

const unused = () => Promise.reject(new Error('not in this test'));

async function call(name: string, args: object, registry: Partial<RuntimeRegistry>) {
  const { signal } = new AbortController();
  const context: ToolContext = {
    registry: {
      loadDomain: unused,
      searchDomains: unused,
      searchArtifacts: unused,
      loadArtifact: unused,
      ...registry,
    },
    materialize: () => Promise.resolve({ kind: 'content', reason: 'not in this test' }),
    host: {
      roots: () => Promise.resolve([]),
      confirm: () => false,
      shows_addresses: false,
      showAddress: () => {
        throw new Error('not in this test');
      },
      addressAnswer: () => undefined,
    },
    signal,
    onProgress: () => undefined,
  };
  const openContext = () => Promise.resolve(context);
  return callTool({ name, args, signal, openContext, report: () => undefined });
}

const EMBARGOED = {
  code: 'acme.embargoed',
  message: 'Not before Monday.',
  details: {},
  retryable: false,
  suggested_action: 'Ask the release team.',
};

verifies('MCP-04', 'any error is returned completely and flagged as an error', async () => {
  const errors = [
    new CatalogError('quota.search_qps_exceeded', 'Too many.'),
    new RegistryError(EMBARGOED),
  ];
  for (const error of errors) {
    const result = await call(
      'search_artifacts',
      {},
      { searchArtifacts: () => Promise.reject(error) },
    );
    const marked = {
      ...error.toEnvelope(),
      begin_untrusted_data: expect.stringMatching(/^[\da-f]{24} /),
      end_untrusted_data: expect.stringMatching(/^[\da-f]{24}$/),
    };
    expect(result).toEqual({
      isError: true,
      structuredContent: marked,
      content: [{ type: 'text', text: JSON.stringify(Reflect.get(result, 'structuredContent')) }],
    });
  }
});

verifies('SEARCH-05', 'search_artifacts sends the tags of an agent to the registry', async () => {
  const inputs: unknown[] = [];
  const found = { query: '', total_matched: 0, results: [] };
  await call(
    'search_artifacts',
    { tags: ['a', 'b'], session_id: 's' },
    {
      searchArtifacts: (input) => {
        inputs.push(input);
        return Promise.resolve(found);
      },
    },
  );
  expect(inputs).toEqual([expect.objectContaining({ tags: ['a', 'b'], session_id: 's' })]);
});

verifies('LOAD-09', 'load_artifact sends the session of an agent to the registry', async () => {
  const manifest = '---\ntype: context\nversion: 1.0.0\ndescription: Terms.\n---\nTerms.\n';
  const artifact = artifactOf('ops/terms', { 'ARTIFACT.md': manifest });
  const inputs: unknown[] = [];
  const result = await call(
    'load_artifact',
    { id: 'ops/terms', session_id: 's' },
    {
      loadArtifact: (input) => {
        inputs.push(input);
        return Promise.resolve({ artifact, layer: 'base', deprecated: false });
      },
    },
  );
  expect(result).not.toHaveProperty('isError');
  expect(inputs).toEqual([expect.objectContaining({ id: 'ops/terms', session_id: 's' })]);
});
