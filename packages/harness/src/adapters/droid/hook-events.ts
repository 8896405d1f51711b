import type { HookEventTable } from '../../hook-event-table.ts';
import { NO_EVENTS } from '../../define-harness.ts';

/** Its nine events, narrowed by its own tool names. */
export const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^Execute$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^Execute$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: { event: 'PreToolUse', matcher: '^Read$' },
  post_file_edit: { event: 'PostToolUse', matcher: '^(Edit|Create|ApplyPatch)$' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  notification: { event: 'Notification' },
};
