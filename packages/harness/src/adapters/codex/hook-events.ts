import type { HookEventTable } from '../../hook-event-table.ts';

/** Codex patches files with one tool and has none for reading them. */
export const hookEvents = {
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
