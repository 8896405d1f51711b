import { event } from '../../shim/scripts/arguments.mjs';

const TAKES_CONTEXT = ['SessionStart', 'BeforeAgent', 'AfterTool'];
const TAKES_BLOCK = ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent'];

export { describe } from '../../shim/scripts/describe-common.mjs';

export function applies({ tool_response: response, notification_type: type }) {
  if (event === 'permission_request') return type === 'ToolPermission';
  return event !== 'post_tool_use_failure' || Boolean(response?.error);
}

export function answer({ block, warning, text }, { hook_event_name: hookEventName }) {
  if (block && TAKES_BLOCK.includes(hookEventName)) {
    return { json: { decision: 'deny', reason: block } };
  }
  if (block || warning) return { json: { systemMessage: block ?? warning } };
  if (!text || !TAKES_CONTEXT.includes(hookEventName)) return {};
  return { json: { hookSpecificOutput: { hookEventName, additionalContext: text } } };
}
