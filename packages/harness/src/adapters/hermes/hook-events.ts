import type { HookEventTable } from '../../hook-event-table.ts';

/** The shell hook each event becomes. A matcher must match the whole name of a tool. */
export const hookEvents = {
  session_start: { event: 'on_session_start' },
  // What it calls the end of a session is the end of each turn.
  session_end: { event: 'on_session_finalize' },
  user_prompt_submit: {
    event: 'pre_llm_call',
    fallback: 'the hook receives the prompt and may add to it, but cannot reject it',
  },
  pre_tool_use: { event: 'pre_tool_call' },
  post_tool_use: { event: 'post_tool_call' },
  post_tool_use_failure: { event: 'post_tool_call' },
  pre_shell_execution: { event: 'pre_tool_call', matcher: '^terminal$' },
  post_shell_execution: { event: 'post_tool_call', matcher: '^terminal$' },
  pre_mcp_execution: { event: 'pre_tool_call', matcher: '^mcp__.*$' },
  post_mcp_execution: { event: 'post_tool_call', matcher: '^mcp__.*$' },
  pre_read_file: { event: 'pre_tool_call', matcher: '^read_file$' },
  post_file_edit: { event: 'post_tool_call', matcher: '^(write_file|patch)$' },
  permission_request: {
    event: 'pre_approval_request',
    fallback: 'the hook is notified of the request and cannot decide it',
    names_no_tool: true,
  },
  permission_denied: { event: 'post_approval_response', names_no_tool: true },
  subagent_start: {
    event: 'subagent_start',
    fallback: 'the hook is notified of the subagent and cannot stop it',
  },
  subagent_stop: { event: 'subagent_stop' },
  stop: {
    event: 'post_llm_call',
    fallback: 'the hook is notified that the turn ended and cannot continue it',
  },
  pre_compact: undefined,
  post_compact: undefined,
  notification: undefined,
} satisfies HookEventTable;
