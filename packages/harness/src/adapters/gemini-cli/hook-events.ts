import type { HookEventTable } from '../../hook-event-table.ts';

/** An agent is a tool to its caller, and a prompt the beginning of the main agent's turn. */
export const hookEvents = {
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  user_prompt_submit: { event: 'BeforeAgent' },
  pre_tool_use: { event: 'BeforeTool' },
  post_tool_use: { event: 'AfterTool' },
  // The script passes over a call that succeeded.
  post_tool_use_failure: { event: 'AfterTool' },
  pre_shell_execution: { event: 'BeforeTool', matcher: '^run_shell_command$' },
  post_shell_execution: { event: 'AfterTool', matcher: '^run_shell_command$' },
  pre_mcp_execution: { event: 'BeforeTool', matcher: '^mcp_' },
  post_mcp_execution: { event: 'AfterTool', matcher: '^mcp_' },
  pre_read_file: { event: 'BeforeTool', matcher: '^(read_file|read_many_files)$' },
  post_file_edit: { event: 'AfterTool', matcher: '^(write_file|replace)$' },
  permission_request: {
    event: 'Notification',
    fallback: 'the hook is notified of the request and cannot decide it',
    names_no_tool: true,
  },
  permission_denied: undefined,
  subagent_start: { event: 'BeforeTool', matcher: '^invoke_agent$' },
  subagent_stop: { event: 'AfterTool', matcher: '^invoke_agent$' },
  stop: { event: 'AfterAgent' },
  pre_compact: {
    event: 'PreCompress',
    fallback: 'the hook is notified of the compaction and cannot stop it',
  },
  post_compact: undefined,
  notification: { event: 'Notification' },
} satisfies HookEventTable;
