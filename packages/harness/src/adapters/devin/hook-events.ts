import { NO_EVENTS } from '../../define-harness.ts';
import type { HookEventTable } from '../../hook-event-table.ts';

/** Its eight events, narrowed by its own tool names. */
export const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^exec$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^exec$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  pre_read_file: { event: 'PreToolUse', matcher: '^read$' },
  post_file_edit: { event: 'PostToolUse', matcher: '^edit$' },
  permission_request: { event: 'PermissionRequest' },
  stop: { event: 'Stop' },
  post_compact: { event: 'PostCompaction' },
};
