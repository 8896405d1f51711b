import type { McpConfigFile } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { timedFlatHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { cursorHooks } from './hook-shim.ts';
import { AGENT_KEYS, agentText } from './agent-text.ts';
import { commandText } from './command-text.ts';
import { hookEvents } from './hook-events.ts';
import { ruleText } from './rule-text.ts';
import { closedFormat } from '../../marketplace/formats/closed.ts';
import { cursorReaders } from './read-back.ts';

/** It is not known to take keys that are not its own, so ownership stays in the lock. */
const SERVERS: McpConfigFile = {
  path: '.cursor/mcp.json',
  container: ['mcpServers'],
  recorded: 'lock',
};

const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.cursor/hooks.json',
  container: ['hooks'],
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: timedFlatHook,
  beside: { version: 1 },
  shim: commandShim(cursorHooks),
};

/** Cursor. */
export const cursor = defineHarness({
  id: 'cursor',
  summary: 'Cursor: .cursor/',
  label: 'harness-d',
  revision: 3,
  detect: ['.cursor', '.cursorrules'],
  adopt: cursorReaders,
  also_reads: [
    { path: 'AGENTS.md' },
    {
      path: '.claude/settings.json',
      opt_in: 'third-party plugins, skills and other configs are included in its settings',
    },
  ],
  marketplace: closedFormat({
    id: 'cursor',
    landing: 'cursor',
    root: '.cursor',
    manifests: '.cursor-plugin',
    plugin_root: '${CURSOR_PLUGIN_ROOT}',
  }),
  skill: {
    folders: ['.cursor/skills', '.agents/skills', '.claude/skills', '.codex/skills'],
    derive_compatibility: true,
  },
  agent: { path: '.cursor/agents/{name}.md', render: agentText, takes: AGENT_KEYS },
  // What is typed after a command follows the prompt; there is nothing to put it elsewhere.
  command: { path: '.cursor/commands/{name}.md', render: commandText, arguments: {} },
  rule: {
    into: 'file',
    path: '.cursor/rules/{name}.mdc',
    render: ruleText,
    modes: { always: 'native', glob: 'native', auto: 'native', explicit: 'native' },
  },
  hook: HOOK,
  mcp_server: {
    project: SERVERS,
    user: SERVERS,
    entry: mcpEntry({
      secret: (name) => `\${env:${name}}`,
      type: ({ kind }) => (kind === 'local' ? 'stdio' : undefined),
    }),
  },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    rule: {
      refused:
        'Cursor keeps the rules of a person in its settings, not in a file; sync it to a workspace, or author it as a skill',
    },
    hook: { ...HOOK, shim: commandShim(cursorHooks, 'home') },
  },
});
