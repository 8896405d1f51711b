import type { HookEventTable } from '../../hook-event-table.ts';
import { NO_EVENTS } from '../../define-harness.ts';

/** An event about one kind of tool is the generic one narrowed to it (HMATCH-06, HMATCH-07). */
export const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^Bash$' },
  post_shell_execution: { event: 'PostToolUse', matcher: '^Bash$' },
  pre_mcp_execution: { event: 'PreToolUse', matcher: '^mcp__' },
  post_mcp_execution: { event: 'PostToolUse', matcher: '^mcp__' },
  permission_request: { event: 'PermissionRequest' },
  subagent_start: { event: 'SubagentStart' },
  subagent_stop: { event: 'SubagentStop' },
  stop: { event: 'Stop' },
  pre_compact: { event: 'PreCompact' },
  post_compact: { event: 'PostCompact' },
};
