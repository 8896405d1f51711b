import type { McpConfig, McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { hookModule } from '../../shim/hook-module.ts';
import { OPENCODE_PLUGIN, OPENCODE_TOOLS } from './hook-plugin.ts';
import { LIMITS, mcpServerEntry } from '../harness-e/mcp-server-entry.ts';
import { AGENT_KEYS, agentText, APPROVAL_SUPPORT, permissionSettings } from './agent-text.ts';
import { COMMAND } from './command-text.ts';
import { hookEvents } from './hook-events.ts';
import { opencodeReaders } from './read-back.ts';
import { harnessName } from '../../product-names.ts';
import type { ListingBudget } from '../../budget/listing-budget.ts';

/** OpenCode lists skills without cutting descriptions and publishes no limit. */
const opencodeBudget: ListingBudget = {
  types: ['skill'],
  description: {
    source: 'https://opencode.ai/docs/skills',
    version: 'OpenCode 1.18.33',
    limit: 1024,
    beyond: 'refused',
  },
};

/** Returns the file of the servers. OpenCode rejects unknown keys, so the lock records the owner. */
function servers(path: string): McpConfig & { project: McpConfigFile } {
  const user: McpConfigFile = {
    path: '.config/opencode/opencode.json',
    container: ['mcp'],
    recorded: 'lock',
  };
  return { project: { ...user, path }, user, entry: mcpServerEntry, limits: LIMITS };
}

const HOST = {
  harness: 'opencode',
  runtime: '.catalog/hooks/opencode.mjs',
  program: OPENCODE_PLUGIN,
  matching: { title: harnessName('opencode'), ...OPENCODE_TOOLS },
};
const HOOK = { events: hookEvents, without_event: 'refused' } as const;

export const opencode = defineHarness({
  id: 'opencode',
  summary: 'OpenCode: .opencode/, AGENTS.md, opencode.json',
  label: 'harness-e',
  revision: 3,
  detect: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  adopt: opencodeReaders,
  reads_settings: permissionSettings('opencode'),
  budget: opencodeBudget,
  skill: {
    folders: ['.opencode/skills', '.claude/skills', '.agents/skills'],
    deduplicates: 'by_name',
    derive_compatibility: true,
  },
  agent: { path: '.opencode/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
  command: { path: '.opencode/commands/{name}.md', ...COMMAND },
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes('opencode', 'AGENTS.md') },
  hook: { ...hookModule({ ...HOST, path: '.opencode/plugins/catalog-{name}.js' }), ...HOOK },
  mcp_server: servers('opencode.json'),
  context_pointer: true,
  fields: { ...UNREAD_FIELDS, requiresApproval: APPROVAL_SUPPORT },
  user: {
    skill: {
      folders: ['.config/opencode/skills', '.opencode/skills', '.claude/skills', '.agents/skills'],
      deduplicates: 'by_name',
      derive_compatibility: true,
    },
    agent: { path: '.config/opencode/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
    command: {
      path: '.config/opencode/commands/{name}.md',
      ...COMMAND,
    },
    rule: {
      into: 'block',
      path: '.config/opencode/AGENTS.md',
      modes: alwaysLoadedModes('opencode', 'AGENTS.md'),
    },
    hook: {
      ...hookModule({ ...HOST, path: '.config/opencode/plugins/catalog-{name}.js' }),
      ...HOOK,
    },
    mcp_server: servers('.config/opencode/opencode.json'),
  },
});
