import { NO_EVENTS } from '../../define-harness.ts';
import type { HookEventTable } from '../../hook-event-table.ts';

const UNSTOPPABLE = 'the hook is notified and cannot stop it';

/**
 * The editor and the command line match tools by different names, so no event has a matcher: the
 * script before the command decides by the tool.
 */
export const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: {
    event: 'SessionEnd',
    fallback: 'Kiro reports the end of a session only on the command line, from 2.25 on',
  },
  user_prompt_submit: { event: 'UserPromptSubmit' },
  pre_tool_use: { event: 'PreToolUse' },
  post_tool_use: { event: 'PostToolUse' },
  pre_shell_execution: { event: 'PreToolUse' },
  post_shell_execution: { event: 'PostToolUse' },
  pre_mcp_execution: { event: 'PreToolUse' },
  post_mcp_execution: { event: 'PostToolUse' },
  pre_read_file: { event: 'PreToolUse' },
  post_file_edit: { event: 'PostToolUse' },
  stop: { event: 'Stop', fallback: UNSTOPPABLE },
};
