import { NO_EVENTS } from '../../define-harness.ts';
import type { HookEventTable, NativeHook } from '../../hook-event-table.ts';

const ENDS_TASK = 'a hook that blocks ends the task in Cline, not only the tool call';

/** Cline ends a hook after 30 seconds, whatever its author wrote. */
function on(event: string, fallback?: string): NativeHook {
  return { event, max_timeout: 30, ...(fallback === undefined ? {} : { fallback }) };
}

/** Cline has no matchers: the program of an event decides by the tool. */
export const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: on(
    'TaskStart',
    'Cline has tasks instead of sessions, so the hook runs whenever a task starts',
  ),
  user_prompt_submit: on('UserPromptSubmit'),
  pre_tool_use: on('PreToolUse', ENDS_TASK),
  post_tool_use: on('PostToolUse'),
  post_tool_use_failure: on('PostToolUse'),
  pre_shell_execution: on('PreToolUse', ENDS_TASK),
  post_shell_execution: on('PostToolUse'),
  pre_read_file: on('PreToolUse', ENDS_TASK),
  post_file_edit: on('PostToolUse'),
  stop: on('TaskComplete', 'the hook receives the event but cannot block it'),
  pre_compact: on('PreCompact', 'Cline 4.1 has the event but does not run its hooks'),
};
