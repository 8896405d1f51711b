import type { HookEventTable } from '../../hook-event-table.ts';

/** The extension event each event becomes; the runtime tells a failed tool from one that worked. */
export const hookEvents = {
  session_start: { event: 'session_start' },
  session_end: { event: 'session_shutdown' },
  user_prompt_submit: { event: 'input' },
  pre_tool_use: { event: 'tool_call' },
  post_tool_use: { event: 'tool_result' },
  post_tool_use_failure: { event: 'tool_result' },
  pre_shell_execution: { event: 'tool_call', matcher: '^(bash|powershell)$' },
  post_shell_execution: { event: 'tool_result', matcher: '^(bash|powershell)$' },
  pre_mcp_execution: undefined,
  post_mcp_execution: undefined,
  pre_read_file: { event: 'tool_call', matcher: '^read$' },
  post_file_edit: { event: 'tool_result', matcher: '^(edit|write)$' },
  permission_request: undefined,
  permission_denied: undefined,
  subagent_start: undefined,
  subagent_stop: undefined,
  stop: {
    event: 'agent_settled',
    fallback: 'the hook is notified that the agent stopped and cannot continue it',
  },
  pre_compact: { event: 'session_before_compact' },
  post_compact: { event: 'session_compact' },
  notification: undefined,
} satisfies HookEventTable;
