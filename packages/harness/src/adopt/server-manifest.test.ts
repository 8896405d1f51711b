import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@catalog/core/json';
import { readServerManifest } from './server-manifest.ts';

function read(manifest: JsonObject): JsonObject {
  const reading = readServerManifest({ name: 'com.example/tickets', ...manifest });
  if ('left' in reading) return { left: reading.left };
  return { ...reading.fields, changes: reading.changes };
}

const REQUIRED = { isRequired: true, isSecret: true };

describe('readServerManifest', () => {
  test('converts an npm package to a command with references for user input', () => {
    const manifest = {
      packages: [
        {
          registryType: 'npm',
          identifier: '@example/tickets',
          version: '1.0.0',
          runtimeArguments: [{ type: 'named', name: '--quiet', value: 'yes' }],
          packageArguments: [
            { type: 'positional', value: 'serve' },
            { type: 'named', name: '--team', isRequired: true },
            { type: 'named', name: '--optional' },
          ],
          environmentVariables: [
            { name: 'TOKEN', ...REQUIRED },
            { name: 'LEVEL', default: 'info' },
            { name: 'UNUSED' },
          ],
        },
      ],
    };
    expect(read(manifest)).toEqual({
      command: 'npx',
      args: ['--quiet', 'yes', '-y', '@example/tickets@1.0.0', 'serve', '--team', '${secret:TEAM}'],
      env: { TOKEN: '${secret:TOKEN}', LEVEL: 'info' },
      changes: [
        'set ${secret:TOKEN}: the server needs a value for TOKEN',
        'set ${secret:TEAM}: the server needs a value for --team',
      ],
    });
  });

  test.each([
    ['pypi', 'uvx', ['x==1.0.0']],
    ['nuget', 'dnx', ['--yes', 'x@1.0.0']],
    ['oci', 'docker', ['run', '-i', '--rm', 'x:1.0.0']],
  ])('converts a package of %s to the command %s', (registryType, command, args) => {
    const packages = [{ registryType, identifier: 'x', version: '1.0.0' }];
    expect(read({ packages })).toEqual({ command, args, changes: [] });
  });

  test('passes environment variables to a container', () => {
    const environmentVariables = [{ name: 'TOKEN', ...REQUIRED }];
    const packages = [{ registryType: 'oci', identifier: 'x:1', environmentVariables }];
    expect(read({ packages })).toMatchObject({ args: ['run', '--env=TOKEN', '-i', '--rm', 'x:1'] });
  });

  test('prefers a remote endpoint and fills in its URL and headers', () => {
    const manifest = {
      packages: [{ registryType: 'npm', identifier: 'x' }],
      remotes: [
        { type: 'sse', url: 'https://t.example/sse' },
        {
          type: 'streamable-http',
          url: 'https://{region}.example/mcp',
          variables: { region: { default: 'eu' } },
          headers: [
            { name: 'Authorization', value: 'Bearer {token}', variables: { token: REQUIRED } },
          ],
        },
      ],
    };
    expect(read(manifest)).toEqual({
      url: 'https://eu.example/mcp',
      headers: { Authorization: 'Bearer ${secret:TOKEN}' },
      transport: 'http',
      changes: [
        'set ${secret:TOKEN}: the server needs a value for token',
        'not kept: sse https://t.example/sse, npm x',
      ],
    });
  });

  test('removes literal secrets', () => {
    const headers = [{ name: 'Authorization', value: 'Bearer lin_api_4ZkQ9wErTyUiOpAsDfGhJkL' }];
    const remotes = [{ type: 'sse', url: 'https://t.example/sse', headers }];
    expect(JSON.stringify(read({ remotes }))).not.toContain('lin_api_4Z');
  });

  test.each([
    [{ name: 'no-namespace' }, 'its name is not of the form'],
    [{ name: 'a/../b' }, 'its name is not of the form'],
    [{}, 'it has no remote endpoint'],
    [{ packages: [{ registryType: 'mcpb', identifier: 'https://x.example/a.mcpb' }] }, '(mcpb)'],
    [{ packages: [{ registryType: 'constructor', identifier: 'x' }] }, '(constructor)'],
    [{ packages: [{ registryType: 'npm', identifier: '--eval=x' }] }, '(npm)'],
    [{ packages: [{ registryType: 'npm', identifier: 'a b; c' }] }, '(npm)'],
  ])('rejects %j', (manifest, reason) => {
    expect(read(manifest)['left']).toContain(reason);
  });
});
