import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { planArtifacts } from '../../plan.ts';
import { loadAdapter } from '../../registry.ts';
import { claudeDesktop } from './index.ts';

const local: McpServer = {
  kind: 'local',
  transport: undefined,
  command: 'catalog-mcp',
  args: [],
  env: { CATALOG_HARNESS: 'claude-desktop' },
};

test('claude-desktop has one settings file per operating system', () => {
  const { mcp_config: config } = claudeDesktop;
  if ('refused' in config) throw new Error('it takes servers');
  expect(config.project).toBeUndefined();
  expect(config.user).toMatchObject({
    linux: { path: '.config/Claude/claude_desktop_config.json', recorded: 'lock' },
    darwin: { path: 'Library/Application Support/Claude/claude_desktop_config.json' },
    win32: { path: 'AppData/Roaming/Claude/claude_desktop_config.json' },
  });
  expect(config.entry(local)).toEqual({
    command: 'catalog-mcp',
    env: { CATALOG_HARNESS: 'claude-desktop' },
  });
});

test('rejects servers that Claude Desktop cannot start', () => {
  const { mcp_config: config } = claudeDesktop;
  if ('refused' in config) throw new Error('it takes servers');
  expect(config.refuses?.(local)).toBeUndefined();
  const secret = { ...local, env: { KEY: 'x${secret:WH_KEY}' } };
  expect(config.refuses?.(secret)).toContain('its file would contain WH_KEY');
  const remote: McpServer = { kind: 'remote', transport: 'http', url: 'https://t', headers: {} };
  expect(config.refuses?.(remote)).toContain('add the server as a connector');
});

test.each([
  ['linux', '.config'],
  ['freebsd', '.config'],
  ['darwin', 'Library/Application Support'],
  ['win32', 'AppData/Roaming'],
])('writes a server artifact to the file of %s, in the home directory only', (system, folder) => {
  const server = artifactOf('ops/wh', {
    'ARTIFACT.md':
      '---\ntype: mcp-server\nversion: 1.0.0\ndescription: A sample.\nserver_identifier: npx:wh\n---\n',
  });
  const plan = (scope: 'user' | 'workspace') =>
    planArtifacts([server], loadAdapter('claude-desktop', scope, undefined, system), {
      on_clash: 'fail',
    });
  expect(plan('user').entries).toMatchObject([
    { path: `${folder}/Claude/claude_desktop_config.json`, entry: { key: 'wh', recorded: 'lock' } },
  ]);
  expect(plan('workspace').unsupported[0]?.reason).toContain('use --scope user');
});
