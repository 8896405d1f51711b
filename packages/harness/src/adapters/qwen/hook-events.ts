import type { HookEventTable } from '../../hook-event-table.ts';

/** Its events, narrowed by its own tool names. */
export const hookEvents = {
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  post_tool_use_failure: { event: 'PostToolUseFailure' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^run_shell_command$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^run_shell_command$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: { event: 'PreToolUse', matcher: '^(read_file|read_many_files)$' },
  post_file_edit: { event: 'PostToolUse', matcher: '^(edit|write_file)$' },
  permission_request: { event: 'PermissionRequest' },
  permission_denied: undefined,
  subagent_start: { event: 'SubagentStart' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  post_compact: undefined,
  notification: { event: 'Notification' },
} satisfies HookEventTable;
