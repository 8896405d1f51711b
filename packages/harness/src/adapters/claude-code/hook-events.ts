import type { HookEventTable } from '../../hook-event-table.ts';

/** Claude Code has an event of its own for almost each; tools are matched by their names. */
export const hookEvents = {
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
