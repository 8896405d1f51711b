import type { HookEventTable } from '../../hook-event-table.ts';

export const hookEvents = {
  session_start: { event: 'session.created' },
  session_end: undefined,
  user_prompt_submit: { event: 'chat.message' },
  pre_tool_use: { event: 'tool.execute.before' },
  post_tool_use: { event: 'tool.execute.after' },
  post_tool_use_failure: undefined,
  pre_shell_execution: { event: 'tool.execute.before', matcher: '^bash$' },
  post_shell_execution: { event: 'tool.execute.after', matcher: '^bash$' },
  // A tool of a server is named `<server>_<tool>`, like any other tool.
  pre_mcp_execution: undefined,
  post_mcp_execution: undefined,
  pre_read_file: { event: 'tool.execute.before', matcher: '^read$' },
  post_file_edit: {
    event: 'tool.execute.after',
    matcher: '^(edit|write|patch|apply_patch|multiedit)$',
  },
  permission_request: {
    event: 'permission.asked',
    fallback: 'the hook is notified of the request and cannot decide it',
  },
  permission_denied: { event: 'permission.replied', names_no_tool: true },
  subagent_start: { event: 'tool.execute.before', matcher: '^task$' },
  subagent_stop: { event: 'tool.execute.after', matcher: '^task$' },
  stop: {
    event: 'session.idle',
    fallback: 'the hook is notified that the session is idle and cannot continue it',
  },
  pre_compact: { event: 'experimental.session.compacting' },
  post_compact: { event: 'session.compacted' },
  notification: {
    event: 'tui.toast.show',
    fallback: 'the hook runs for the messages the terminal shows',
  },
} satisfies HookEventTable;
