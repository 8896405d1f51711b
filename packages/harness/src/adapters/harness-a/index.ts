import type { McpConfig } from '../../adapter.ts';
import { defineHarness } from '../../define-harness.ts';
import type { Fallback } from '../../landing.ts';
import { groupedHook } from '../../place/hook-forms.ts';
import { mcpEntry } from '../../place/mcp-server.ts';
import type { HookEventTable } from '../../hook-event-table.ts';
import { ruleText } from './rule-text.ts';
import { sharedMarketplace } from './marketplace.ts';
import { readRule } from './read-rule.ts';

/**
 * An event for one kind of tool becomes the general event with a matcher (HMATCH-01 to HMATCH-05). An event without a
 * matcher has an exact equivalent in the product. `permission_denied`, for example, must not run at every tool use.
 */
const hookEvents = {
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  post_tool_use_failure: { event: 'PostToolUseFailure' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^Bash$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^Bash$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: { event: 'PreToolUse', matcher: '^Read$' },
  post_file_edit: { event: 'PostToolUse', matcher: '^(Edit|Write|NotebookEdit)$' },
  permission_request: { event: 'PermissionRequest' },
  permission_denied: { event: 'PermissionDenied' },
  subagent_start: { event: 'PreToolUse', matcher: '^Task$' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  post_compact: { event: 'PostCompact' },
  notification: { event: 'Notification' },
} satisfies HookEventTable;

const LOADED_ALWAYS: Fallback = {
  fallback: 'harness-a has no rules of this mode, so the rule is loaded always',
};

const SERVERS = {
  project: { path: '.mcp.json', container: ['mcpServers'], recorded: 'file' },
  user: { path: '.harness-a.json', container: ['mcpServers'], recorded: 'file' },
  entry: mcpEntry({ secret: (name) => `\${${name}}` }),
} satisfies McpConfig;

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
    without_timeout: true,
  },
  mcp_server: SERVERS,
  extension: '.harness-a/catalog/{id}',
  fields: 'native',
  user: { mcp_server: { ...SERVERS, project: SERVERS.user } },
});
