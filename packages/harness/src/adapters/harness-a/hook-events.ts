import type { HookEventTable } from '../../hook-event-table.ts';

/**
 * An event about one kind of tool is the generic event narrowed to that tool (HMATCH-01 to 05). The
 * others have an event of their own and stay unnarrowed: a hook for a denied permission or a finished
 * compaction must not run at every tool call or before the compaction.
 */
export const hookEvents = {
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
