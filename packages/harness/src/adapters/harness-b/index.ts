import { defineHarness } from '../../define-harness.ts';
import type { Refused } from '../../adapter.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { sharedMarketplace } from '../harness-a/marketplace.ts';

const NO_FILES: Refused = {
  refused:
    'it reads nothing from a workspace; give it catalog-mcp with `catalog mcp config harness-b --write`, or leave harness-b out with target_harnesses',
};

/** Adapter for a desktop chat application: only MCP servers, and only for the user. */
export const harnessB = defineHarness({
  id: 'harness-b',
  summary: 'desktop chat application: by its MCP servers only',
  revision: 1,
  detect: [],
  marketplace: sharedMarketplace,
  skill: NO_FILES,
  agent: NO_FILES,
  command: NO_FILES,
  rule: NO_FILES,
  hook: NO_FILES,
  mcp_server: NO_FILES,
  context: NO_FILES,
  fields: 'unsupported',
  mcp_config: {
    user: {
      path: '.config/harness-b/harness_b_config.json',
      container: ['mcpServers'],
      recorded: 'file',
    },
    entry: mcpEntry({ secret: (name) => `\${${name}}` }),
  },
});
