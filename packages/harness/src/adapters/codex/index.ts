import type { McpConfigFile } from '../../adapter.ts';
import type { ServerLimits } from '../../place/mcp-server.ts';
import { defineHarness } from '../../define-harness.ts';
import type { HookEntryLanding } from '../../landing.ts';
import { timedGroupedHook } from '../../place/hook-forms.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { commandShim } from '../../shim/command-shim.ts';
import { codexHooks } from './hook-shim.ts';
import { AGENT_FIELDS, AGENT_KEYS, agentText } from './agent-text.ts';
import { mcpServerEntry, whyNotRun } from './mcp-servers.ts';
import { ownerlessFormat } from '../../marketplace/formats/ownerless.ts';
import type { ListingBudget } from '../../budget/listing-budget.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { codexReaders } from './read-back.ts';

/** Codex edits files with one patch tool, and has no tool to read them. */
const hookEvents = {
  session_start: { event: 'SessionStart' },
  session_end: {
    event: 'SessionEnd',
    max_timeout: 3,
    fallback: 'Codex gives a hook at the end of a session 3 seconds at most',
  },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  post_tool_use_failure: undefined,
  pre_shell_execution: { event: 'PreToolUse', matcher: '^Bash$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^Bash$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: undefined,
  post_file_edit: { event: 'PostToolUse', matcher: '^(apply_patch|Edit|Write)$' },
  permission_request: { event: 'PermissionRequest' },
  permission_denied: undefined,
  subagent_start: { event: 'SubagentStart' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  post_compact: { event: 'PostCompact' },
  notification: undefined,
} satisfies HookEventTable;

const BUDGET_SOURCE = 'https://github.com/openai/codex/blob/main/codex-rs/ext/skills/src/render.rs';

/** If the listing exceeds its limit even without descriptions, Codex leaves out skills. */
const codexBudget: ListingBudget = {
  types: ['skill'],
  listing: {
    source: `${BUDGET_SOURCE}; logged in https://github.com/openai/codex/issues/24299`,
    version: 'Codex 0.133.0 to 0.166.0',
    unit: 'tokens',
    limit: 5440,
    context: { tokens: 272_000, percent: 2 },
    around: ({ name, path }) => `- ${name}:  (file: ${path})\n`,
    beyond: 'shortened',
  },
  description: { source: BUDGET_SOURCE, version: 'Codex 0.166.0', limit: 1024, beyond: 'cut' },
};

const LIMITS: ServerLimits = {
  allowed: ['enabled_tools'],
  denied: ['disabled_tools'],
  timeout: { member: 'tool_timeout_sec', parts: 1 },
};

const CONFIG: McpConfigFile = {
  path: '.codex/config.toml',
  container: ['mcp_servers'],
  recorded: 'lock',
};

const HOOK: HookEntryLanding = {
  into: 'entry',
  path: '.codex/config.toml',
  container: ['hooks'],
  recorded: 'lock',
  events: hookEvents,
  without_event: 'refused',
  entry: timedGroupedHook(1, 'commandWindows'),
  shim: commandShim(codexHooks),
};

/**
 * Adapter for Codex. In a project, Codex reads skills immediately, but configuration, agents and hooks only after the
 * user trusts the project. Of `AGENTS.md`, it reads up to 32 KiB.
 */
export const codex = defineHarness({
  id: 'codex',
  summary: 'Codex: .codex/, .agents/skills, AGENTS.md',
  label: 'harness-f',
  revision: 4,
  detect: ['.codex'],
  adopt: codexReaders,
  budget: codexBudget,
  rules_limit: { path: 'AGENTS.md', bytes: 32 * 1024 },
  marketplace: ownerlessFormat({
    id: 'codex',
    landing: 'codex',
    root: '.codex',
    manifests: '.codex-plugin',
    plugin_root: '${PLUGIN_ROOT}',
    entry: {
      policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
      category: 'Productivity',
    },
  }),
  skill: { folders: ['.agents/skills', '.codex/skills'], derive_compatibility: true },
  agent: { path: '.codex/agents/{name}.toml', render: agentText, takes: AGENT_KEYS },
  command: {
    refused:
      'Codex no longer supports custom commands; author it as a skill, or leave codex out with target_harnesses',
  },
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes('Codex', 'AGENTS.md') },
  hook: HOOK,
  mcp_server: {
    project: CONFIG,
    user: CONFIG,
    entry: mcpServerEntry,
    limits: LIMITS,
    refuses: whyNotRun,
  },
  context_pointer: true,
  fields: { ...UNREAD_FIELDS, ...AGENT_FIELDS },
  user: {
    skill: { folders: ['.agents/skills'], derive_compatibility: true },
    rule: {
      into: 'block',
      path: '.codex/AGENTS.md',
      modes: alwaysLoadedModes('Codex', 'AGENTS.md'),
    },
    hook: { ...HOOK, shim: commandShim(codexHooks, 'home') },
  },
});
