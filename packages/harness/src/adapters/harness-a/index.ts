import type { McpConfig } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { Fallback } from '../../landing.ts';
import { groupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { hookEvents } from './hook-events.ts';
import { ruleText } from './rule-text.ts';
import { sharedMarketplace } from './marketplace.ts';
import { readRule } from './read-rule.ts';

const LOADED_ALWAYS: Fallback = {
  fallback: 'harness-a has no rules of this mode, so the rule is loaded always',
};

const SERVERS = {
  project: { path: '.mcp.json', container: ['mcpServers'], recorded: 'file' },
  user: { path: '.harness-a.json', container: ['mcpServers'], recorded: 'file' },
  entry: mcpEntry({ secret: (name) => `\${${name}}` }),
} satisfies McpConfig;

/** The terminal coding agent. */
export const harnessA = defineHarness({
  id: 'harness-a',
  summary: 'terminal coding agent: .harness-a/, .mcp.json',
  revision: 1,
  detect: ['.harness-a'],
  adopt: { rule: readRule },
  marketplace: sharedMarketplace,
  skill: { folders: ['.harness-a/skills'], derive_compatibility: true },
  agent: { path: '.harness-a/agents/{name}.md', bundled: '.harness-a/catalog/{id}' },
  command: { path: '.harness-a/commands/{name}.md' },
  rule: {
    into: 'file',
    path: '.harness-a/rules/{name}.md',
    render: ruleText,
    modes: { always: 'native', glob: 'native', auto: LOADED_ALWAYS, explicit: LOADED_ALWAYS },
  },
  hook: {
    into: 'entry',
    path: '.harness-a/settings.json',
    container: ['hooks'],
    recorded: 'file',
    events: hookEvents,
    without_event: 'refused',
    entry: groupedHook,
  },
  mcp_server: SERVERS,
  extension: '.harness-a/catalog/{id}',
  fields: 'native',
  user: { mcp_server: { ...SERVERS, project: SERVERS.user } },
});
