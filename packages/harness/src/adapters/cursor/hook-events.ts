import type { HookEventTable } from '../../hook-event-table.ts';

/** Cursor has an event of its own for almost each, so that none needs a matcher. */
export const hookEvents = {
  session_start: { event: 'sessionStart' },
  session_end: { event: 'sessionEnd' },
  user_prompt_submit: { event: 'beforeSubmitPrompt' },
  pre_tool_use: { event: 'preToolUse' },
  post_tool_use: { event: 'postToolUse' },
  post_tool_use_failure: { event: 'postToolUseFailure' },
  pre_shell_execution: { event: 'beforeShellExecution' },
  post_shell_execution: { event: 'afterShellExecution' },
  pre_mcp_execution: { event: 'beforeMCPExecution' },
  post_mcp_execution: { event: 'afterMCPExecution' },
  pre_read_file: { event: 'beforeReadFile' },
  post_file_edit: { event: 'afterFileEdit' },
  permission_request: undefined,
  permission_denied: undefined,
  subagent_start: { event: 'subagentStart' },
  subagent_stop: { event: 'subagentStop' },
  stop: { event: 'stop' },
  pre_compact: {
    event: 'preCompact',
    fallback: 'the hook is notified of the compaction and cannot stop it',
  },
  post_compact: undefined,
  notification: undefined,
} satisfies HookEventTable;
