import { defineHarness } from '../../define-harness.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';
import type { Fallback, HookEntryLanding } from '../../landing.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { modelsOf, valuesOf, type TakenKeys } from '../../place/authored-keys.ts';
import { SERVERS_OF_AGENTS, UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { claudeCodeHooks } from './hook-shim.ts';
import { ruleText } from '../harness-a/rule-text.ts';
import { claudeCodeBudget } from './budget.ts';
import { AGENT_KEYS, agentText } from './agent-text.ts';
import { commandText } from './command-text.ts';
import { hookEvents } from './hook-events.ts';
import { authoredEffort, modelOf } from './models.ts';
import { mcpServerEntry } from './mcp-servers.ts';
import { claudeMarketplace } from './marketplace.ts';
import { claudeCodeReaders } from './read-back.ts';

const LOADED_ALWAYS: Fallback = {
  fallback: 'Claude Code has no rules of this mode, so the rule is loaded always',
};

const COMMAND_KEYS: TakenKeys = {
  'allowed-tools': 'native',
  'argument-hint': 'native',
  'disable-model-invocation': 'native',
  model: modelsOf(modelOf),
  model_class_hint: 'converted',
  effort: valuesOf('command', 'effort', authoredEffort),
  effort_hint: 'converted',
};

/** Claude Code offers all tools of a server. The member is for Copilot, which reads the same file. */
const LIMITS: ServerLimits = {
  allowed: ['tools'],
  timeout: { member: 'timeout', parts: 1000 },
  partial: 'Claude Code offers all tools of the server; its settings can deny them',
};

const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.claude/settings.json',
  container: ['hooks'],
  recorded: 'file',
  events: hookEvents,
  without_event: 'refused',
  entry: timedGroupedHook(1),
  shim: commandShim(claudeCodeHooks),
};

/** The person's own servers stand among much that Claude Code itself keeps and rewrites. */
const USER_SERVERS = {
  path: '.claude.json',
  container: ['mcpServers'],
  recorded: 'lock',
} as const;

/** Claude Code. */
export const claudeCode = defineHarness({
  id: 'claude-code',
  summary: 'Claude Code: .claude/, .mcp.json',
  label: 'harness-a',
  revision: 3,
  detect: ['.claude', 'CLAUDE.md', '.mcp.json'],
  adopt: claudeCodeReaders,
  budget: claudeCodeBudget,
  // Claude Code drops what follows the number sign. Copilot follows imports, too, but not this one.
  rules_import: { path: 'CLAUDE.md', reads_without: true, private_form: '@AGENTS.md#rules' },
  marketplace: claudeMarketplace,
  skill: { folders: ['.claude/skills'], derive_compatibility: true },
  agent: {
    path: '.claude/agents/{name}.md',
    bundled: '.claude/catalog/{id}',
    render: agentText,
    takes: AGENT_KEYS,
  },
  command: { path: '.claude/commands/{name}.md', render: commandText, takes: COMMAND_KEYS },
  rule: {
    into: 'file',
    path: '.claude/rules/{name}.md',
    render: ruleText,
    modes: { always: 'native', glob: 'native', auto: LOADED_ALWAYS, explicit: LOADED_ALWAYS },
  },
  hook: HOOK,
  mcp_server: {
    project: { path: '.mcp.json', container: ['mcpServers'], recorded: 'file' },
    user: USER_SERVERS,
    entry: mcpServerEntry,
    limits: LIMITS,
  },
  extension: '.claude/catalog/{id}',
  context_pointer: true,
  fields: {
    ...UNREAD_FIELDS,
    mcpServers: SERVERS_OF_AGENTS,
  },
  user: {
    hook: { ...HOOK, shim: commandShim(claudeCodeHooks, 'home') },
    mcp_server: {
      project: USER_SERVERS,
      user: USER_SERVERS,
      entry: mcpServerEntry,
      limits: LIMITS,
    },
  },
});
