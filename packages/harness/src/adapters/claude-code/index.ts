import type { Artifact } from '@catalog/core/artifact/types';
import { defineHarness } from '../../define-harness.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';
import type { Fallback, HookEntryLanding } from '../../landing.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { modelsOf, valuesOf, type SupportedKeys } from '../../place/authored-keys.ts';
import { SERVERS_OF_AGENTS, UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import type { ListingBudget } from '../../budget/listing-budget.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import {
  authoredNames,
  authoredText,
  authoredValue,
  projectDocument,
} from '../../place/project-frontmatter.ts';
import { claudeCodeHooks } from './hook-shim.ts';
import { ruleText } from '../harness-a/rule-text.ts';
import { AGENT_KEYS, agentText } from './agent-text.ts';
import { authoredEffort, modelOf, effortOf } from './models.ts';
import { mcpServerEntry } from './mcp-servers.ts';
import { claudeMarketplace } from './marketplace.ts';
import { claudeCodeReaders } from './read-back.ts';

const hookEvents = {
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  post_tool_use_failure: { event: 'PostToolUseFailure' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^(Bash|PowerShell)$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^(Bash|PowerShell)$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: { event: 'PreToolUse', matcher: '^Read$' },
  post_file_edit: { event: 'PostToolUse', matcher: '^(Edit|Write|NotebookEdit)$' },
  permission_request: { event: 'PermissionRequest' },
  permission_denied: {
    event: 'PermissionDenied',
    fallback: 'Claude Code reports denied permissions only in its auto mode',
  },
  subagent_start: { event: 'SubagentStart' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  post_compact: { event: 'PostCompact' },
  notification: { event: 'Notification' },
} satisfies HookEventTable;

const BUDGET_PROGRAM = {
  source: 'the program itself; https://code.claude.com/docs/en/skills',
  version: 'Claude Code 2.1.325',
};

/**
 * Claude Code lists commands like skills. Built-in skills keep their descriptions; usage decides which others are
 * dropped first.
 */
const claudeCodeBudget: ListingBudget = {
  types: ['skill', 'command'],
  listing: {
    ...BUDGET_PROGRAM,
    unit: 'characters',
    limit: 8000,
    built_in: 6129,
    context: { tokens: 200_000, percent: 1 },
    setting: 'skillListingBudgetFraction',
    around: ({ name }) => `- ${name}: \n`,
    name_only: ({ name }) => `- ${name}\n`,
    beyond: 'dropped',
  },
  description: { ...BUDGET_PROGRAM, limit: 1536, beyond: 'cut' },
};

const LOADED_ALWAYS: Fallback = {
  fallback: 'Claude Code has no rules of this mode, so the rule is loaded always',
};

const COMMAND_KEYS: SupportedKeys = {
  'allowed-tools': 'native',
  'argument-hint': 'native',
  'disable-model-invocation': 'native',
  model: modelsOf(modelOf),
  model_class_hint: 'converted',
  effort: valuesOf('command', 'effort', authoredEffort),
  effort_hint: 'converted',
};

/** Claude Code offers all tools of a server. Copilot reads the same file and applies this limit. */
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

/** Servers of the user are in a file with other data, which Claude Code itself rewrites. */
const USER_SERVERS = {
  path: '.claude.json',
  container: ['mcpServers'],
  recorded: 'lock',
} as const;

/** Adapter for Claude Code, with the paths and file formats that it reads. */
export const claudeCode = defineHarness({
  id: 'claude-code',
  summary: 'Claude Code: .claude/, .mcp.json',
  label: 'harness-a',
  revision: 3,
  detect: ['.claude', 'CLAUDE.md', '.mcp.json'],
  adopt: claudeCodeReaders,
  budget: claudeCodeBudget,
  // Claude Code ignores the part after `#`. Copilot follows imports too, but not this form.
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

function commandText(artifact: Artifact): string {
  const converted = { ...artifact, body: toClaudeArguments(artifact.body) };
  return projectDocument(converted, [
    ['description', artifact.description === '' ? undefined : artifact.description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
    ['allowed-tools', authoredNames(artifact, 'allowed-tools')?.join(', ')],
    ['disable-model-invocation', authoredValue(artifact, 'disable-model-invocation')],
    ['model', modelOf(artifact)],
    ['effort', effortOf(artifact)],
  ]);
}

/** A dollar sign before a digit: a placeholder or a price. */
const DOLLAR = /\$(?:([1-9])(?!\d|[.,]\d)|(?=\d))/g;

/**
 * Converts placeholders: Claude Code counts from zero. Other dollar signs before digits are escaped, and `$ARGUMENTS`
 * stays.
 */
function toClaudeArguments(body: string): string {
  return body.replaceAll(DOLLAR, (_, digit: string | undefined) =>
    digit === undefined ? String.raw`\$` : `$${Number(digit) - 1}`,
  );
}
