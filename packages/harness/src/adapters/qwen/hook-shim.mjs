const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'];

export { describe } from '../../shim/scripts/describe-common.mjs';

export { applies } from '../../shim/scripts/applies-always.mjs';

export function answer({ block, warning, text }, { hook_event_name: hookEventName }) {
  if (block) return { stderr: block, code: 2 };
  if (warning) return { stderr: warning, code: 1 };
  if (!text || !TAKES_CONTEXT.includes(hookEventName)) return {};
  return { json: { hookSpecificOutput: { hookEventName, additionalContext: text } } };
}
