import { NO_EVENTS } from '../../define-harness.ts';
import type { HookEventTable } from '../../hook-event-table.ts';

const ASKS =
  'if the hook allows the tool, Antigravity asks the user unless the tool is always allowed, because it has no answer that leaves the decision as it was';
const UNSTOPPABLE = 'the hook is notified and cannot stop it';

/** Its events around tools, narrowed by its own tool names, and the end of a turn. */
export const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  pre_tool_use: { event: 'PreToolUse', fallback: ASKS },
  post_tool_use: { event: 'PostToolUse', fallback: UNSTOPPABLE },
  post_tool_use_failure: { event: 'PostToolUse', fallback: UNSTOPPABLE },
  pre_shell_execution: { event: 'PreToolUse', matcher: '^run_command$', fallback: ASKS },
  post_shell_execution: {
    event: 'PostToolUse',
    matcher: '^run_command$',
    fallback: UNSTOPPABLE,
  },
  pre_read_file: { event: 'PreToolUse', matcher: '^view_file$', fallback: ASKS },
  post_file_edit: {
    event: 'PostToolUse',
    matcher: '^(write_to_file|replace_file_content|multi_replace_file_content)$',
    fallback: UNSTOPPABLE,
  },
  stop: { event: 'Stop' },
};
