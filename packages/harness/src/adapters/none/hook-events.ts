import type { HookEventTable } from '../../hook-event-table.ts';

/** The canonical names, which is what the manifest keeps. */
export const hookEvents = {
  session_start: { event: 'session_start' },
  session_end: { event: 'session_end' },
  user_prompt_submit: { event: 'user_prompt_submit' },
  pre_tool_use: { event: 'pre_tool_use' },
  post_tool_use: { event: 'post_tool_use' },
  post_tool_use_failure: { event: 'post_tool_use_failure' },
  pre_shell_execution: { event: 'pre_shell_execution' },
  post_shell_execution: { event: 'post_shell_execution' },
  pre_mcp_execution: { event: 'pre_mcp_execution' },
  post_mcp_execution: { event: 'post_mcp_execution' },
  pre_read_file: { event: 'pre_read_file' },
  post_file_edit: { event: 'post_file_edit' },
  permission_request: { event: 'permission_request' },
  permission_denied: { event: 'permission_denied' },
  subagent_start: { event: 'subagent_start' },
  subagent_stop: { event: 'subagent_stop' },
  stop: { event: 'stop' },
  pre_compact: { event: 'pre_compact' },
  post_compact: { event: 'post_compact' },
  notification: { event: 'notification' },
} satisfies HookEventTable;
