const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse'];
const TAKES_BLOCK = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
];

export { describe } from '../../shim/scripts/describe-common.mjs';

export { applies } from '../../shim/scripts/applies-always.mjs';

export function answer({ block, warning, text }, { hook_event_name: hookEventName }) {
  if (block && TAKES_BLOCK.includes(hookEventName)) return { stderr: block, code: 2 };
  if (block && hookEventName === 'PreCompact') {
    return { json: { continue: false, stopReason: block } };
  }
  if (block || warning) return { json: { systemMessage: block ?? warning } };
  if (!text || !TAKES_CONTEXT.includes(hookEventName)) return {};
  return { json: { hookSpecificOutput: { hookEventName, additionalContext: text } } };
}
