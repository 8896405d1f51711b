import type { HookEventTable } from '../../hook-event-table.ts';

const UNSTOPPABLE = 'the hook is told of it and cannot stop it';

/** Copilot takes no matcher: the script before the command tells which tools a hook is for. */
export const hookEvents = {
  session_start: { event: 'sessionStart' },
  session_end: { event: 'sessionEnd' },
  user_prompt_submit: { event: 'userPromptSubmitted', fallback: UNSTOPPABLE },
  pre_tool_use: { event: 'preToolUse' },
  post_tool_use: { event: 'postToolUse' },
  post_tool_use_failure: { event: 'postToolUseFailure' },
  pre_shell_execution: { event: 'preToolUse' },
  post_shell_execution: { event: 'postToolUse' },
  pre_mcp_execution: undefined,
  post_mcp_execution: undefined,
  pre_read_file: { event: 'preToolUse' },
  post_file_edit: { event: 'postToolUse' },
  permission_request: undefined,
  permission_denied: undefined,
  subagent_start: { event: 'subagentStart', fallback: UNSTOPPABLE },
  subagent_stop: { event: 'subagentStop' },
  stop: { event: 'agentStop', fallback: UNSTOPPABLE },
  pre_compact: { event: 'preCompact', fallback: UNSTOPPABLE },
  post_compact: undefined,
  notification: undefined,
} satisfies HookEventTable;
