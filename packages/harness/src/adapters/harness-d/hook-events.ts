import type { HookEventTable } from '../../hook-event-table.ts';
import { NO_EVENTS } from '../../define-harness.ts';

/** Six events have an equivalent; a hook for any other writes nothing (HD-10, HD-11). */
export const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  user_prompt_submit: { event: 'beforeSubmitPrompt' },
  pre_shell_execution: { event: 'beforeShellExecution' },
  pre_mcp_execution: { event: 'beforeMCPExecution' },
  pre_read_file: { event: 'beforeReadFile' },
  post_file_edit: { event: 'afterFileEdit' },
  stop: { event: 'stop' },
};
