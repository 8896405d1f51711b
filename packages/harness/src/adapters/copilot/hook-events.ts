import type { HookEventTable } from '../../hook-event-table.ts';

const UNSTOPPABLE = 'the hook is notified and cannot stop it';

/** The command line tool compares a matcher with the whole name of a tool. */
export const hookEvents = {
  session_start: { event: 'sessionStart' },
  session_end: { event: 'sessionEnd' },
  user_prompt_submit: { event: 'userPromptSubmitted' },
  pre_tool_use: { event: 'preToolUse' },
  post_tool_use: { event: 'postToolUse' },
  post_tool_use_failure: { event: 'postToolUseFailure' },
  pre_shell_execution: { event: 'preToolUse', matcher: 'bash|powershell' },
  post_shell_execution: { event: 'postToolUse', matcher: 'bash|powershell' },
  pre_mcp_execution: undefined,
  post_mcp_execution: undefined,
  pre_read_file: { event: 'preToolUse', matcher: 'view' },
  post_file_edit: { event: 'postToolUse', matcher: 'create|edit|str_replace|apply_patch' },
  permission_request: { event: 'permissionRequest' },
  permission_denied: undefined,
  subagent_start: { event: 'subagentStart', fallback: UNSTOPPABLE },
  subagent_stop: { event: 'subagentStop' },
  stop: { event: 'agentStop' },
  pre_compact: { event: 'preCompact', fallback: UNSTOPPABLE },
  post_compact: undefined,
  notification: { event: 'notification', fallback: UNSTOPPABLE },
} satisfies HookEventTable;
