import { readArtifact } from '@catalog/core/artifact/read-artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import { executableCapabilities } from '@catalog/core/capabilities/executable-capabilities';
import { formatCapability } from '@catalog/core/capabilities/format-capability';
import { readFolderRegistry } from '@catalog/core/node/read-folder-registry';
import { lastSegment } from '@catalog/core/text/slash-path';
import { describe, expect, test } from 'vitest';
import { everything, small, type Fixture } from '../tools/harness-programs/fixtures.ts';

/**
 * `./dev harness-programs` checks which hooks and servers of these fixtures the real programs run.
 * All of them must be capabilities.
 */
describe.each([small, everything])('fixture $name', (fixture) => {
  const artifacts = artifactsIn(fixture);

  test.each([...fixture.hooks])('lists the hook %s as a capability', (name) => {
    expect(kindsOf(artifacts, name, 'hook')).toContain('hook');
  });

  test.each([...fixture.servers])('lists the server %s as a capability', (name) => {
    expect(kindsOf(artifacts, name, 'mcp-server')).toContain('mcp_server');
  });
});

test('the small fixture has exactly the expected capabilities', () => {
  const lines = artifactsIn(small).flatMap((artifact) =>
    executableCapabilities(artifact).map((capability) => {
      const fact = formatCapability(capability).replace(/ sha256:[0-9a-f]{12}$/, '');
      return `${artifact.id} ${fact}`;
    }),
  );
  expect(lines).toEqual([
    'demo/hooks/guard ARTIFACT.md: hook on pre_shell_execution runs: node scripts/guard.mjs',
    'demo/hooks/guard scripts/guard.mjs: script',
    'demo/servers/local ARTIFACT.md: MCP server local (environment variables DEMO_TOKEN, REGION) runs: demo-mcp --read-only',
    'demo/servers/open ARTIFACT.md: MCP server open connects to: https://open.example/mcp',
    'demo/servers/remote ARTIFACT.md: MCP server remote (headers Authorization; environment variables DEMO_TOKEN) connects to: https://demo.example/mcp',
    'demo/skills/alpha scripts/count.sh: script',
  ]);
});

function artifactsIn({ registry }: Fixture): Artifact[] {
  return readFolderRegistry(registry).layers.flatMap(({ packages }) =>
    packages.flatMap((authored) => {
      const reading = readArtifact(authored);
      return reading.kind === 'ok' ? [reading.artifact] : [];
    }),
  );
}

function kindsOf(artifacts: readonly Artifact[], name: string, type: string): string[] {
  return artifacts
    .filter((artifact) => artifact.type === type)
    .filter((artifact) => [artifact.name, lastSegment(artifact.id)].includes(name))
    .flatMap((artifact) => executableCapabilities(artifact).map(({ kind }) => kind));
}
