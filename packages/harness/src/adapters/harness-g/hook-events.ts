import type { HookEventTable } from '../../hook-event-table.ts';
import { NO_EVENTS } from '../../define-harness.ts';

/** Every agent's turn begins and ends with the same two events, the main one's too. */
const ANY_AGENT = 'harness-g has this event for every agent, so the hook runs for the main one too';

/** An event about one kind of tool is the generic one narrowed to it (HMATCH-08, HMATCH-09). */
export const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: { event: 'SessionStart' },
  session_end: { event: 'SessionEnd' },
  pre_tool_use: { event: 'BeforeTool' },
  post_tool_use: { event: 'AfterTool' },
  pre_shell_execution: { event: 'BeforeTool', matcher: '^Bash$' },
  post_shell_execution: { event: 'AfterTool', matcher: '^Bash$' },
  pre_mcp_execution: { event: 'BeforeTool', matcher: '^mcp_' },
  post_mcp_execution: { event: 'AfterTool', matcher: '^mcp_' },
  subagent_start: { event: 'BeforeAgent', fallback: ANY_AGENT },
  subagent_stop: { event: 'AfterAgent', fallback: ANY_AGENT },
  stop: { event: 'AfterAgent' },
  pre_compact: { event: 'PreCompress' },
  notification: { event: 'Notification' },
};
