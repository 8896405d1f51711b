import type { McpConfig, McpConfigFile, Refused } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { claudeMarketplace } from '../claude-code/marketplace.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';
import { secretsOf } from '../../place/secrets-of.ts';

const NO_FILES: Refused = {
  refused:
    'Claude Desktop reads nothing from a workspace; give it catalog-mcp with `catalog mcp config claude-desktop --write`, publish a marketplace it imports, or leave it out with target_harnesses',
};

const ONLY_AT_HOME: Refused = {
  refused:
    'Claude Desktop reads its servers from the home folder only; use --scope user, or leave it out with target_harnesses',
};

/** Claude Desktop rewrites this file, so the lock records the owner. */
function servers(folder: string): McpConfigFile {
  return {
    path: `${folder}/Claude/claude_desktop_config.json`,
    container: ['mcpServers'],
    recorded: 'lock',
  };
}

const SERVERS = {
  linux: servers('.config'),
  darwin: servers('Library/Application Support'),
  win32: servers('AppData/Roaming'),
} as const;

const FORM: Pick<McpConfig, 'entry' | 'refuses'> = {
  // Servers with secrets are rejected, so a remaining reference is plain text.
  entry: mcpEntry({ secret: (name) => `\${secret:${name}}`, type: () => undefined }),
  refuses: whyNotRun,
};

/** Adapter for Claude Desktop: only MCP servers, and only for the user. */
export const claudeDesktop = defineHarness({
  id: 'claude-desktop',
  summary: 'Claude Desktop: by its MCP servers, or a marketplace',
  label: 'harness-b',
  revision: 1,
  detect: [],
  marketplace: claudeMarketplace,
  skill: NO_FILES,
  agent: NO_FILES,
  command: NO_FILES,
  rule: NO_FILES,
  hook: NO_FILES,
  mcp_server: ONLY_AT_HOME,
  context: NO_FILES,
  fields: 'unsupported',
  mcp_config: { user: SERVERS, ...FORM },
  user: { mcp_server: { project: SERVERS.linux, ...FORM } },
  user_on: {
    darwin: { mcp_server: { project: SERVERS.darwin, ...FORM } },
    win32: { mcp_server: { project: SERVERS.win32, ...FORM } },
  },
});

/** Returns why a server cannot run: Claude Desktop starts only local programs and passes values unchanged. */
function whyNotRun(server: McpServer): string | undefined {
  if (server.kind === 'remote') {
    return 'Claude Desktop does not read addresses from its file; add the server as a connector in its settings';
  }
  const [secret] = secretsOf(server);
  if (secret !== undefined) {
    return `Claude Desktop cannot read environment variables, so its file would contain ${secret}; start the server from a script that sets it`;
  }
  return undefined;
}
