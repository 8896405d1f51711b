import { event } from '../../shim/scripts/arguments.mjs';

import { existsSync } from 'node:fs';

const ONLY = {
  pre_shell_execution: /^(Bash|PowerShell)$/,
  post_shell_execution: /^(Bash|PowerShell)$/,
  pre_mcp_execution: /^mcp_/,
  post_mcp_execution: /^mcp_/,
  pre_read_file: /^Read$/,
  post_file_edit: /^(Edit|MultiEdit|Write|NotebookEdit)$/,
};
const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'];

import { describe } from '../../shim/scripts/describe-common.mjs';
export { describe };

// VS Code ignores matchers, so the script checks the tool again.
export function applies(native) {
  if (isCopilot(native) && hasCopilotHooks()) return false;
  if (native.tool_name === undefined || ONLY[event] === undefined) return true;
  return ONLY[event].test(describe(native).tool);
}

// Copilot CLI also runs the hooks of Claude Code, but sends no transcript path.
function isCopilot(native) {
  return process.env.COPILOT_CLI !== undefined && native.transcript_path === undefined;
}

function hasCopilotHooks() {
  return existsSync(new URL('copilot.mjs', import.meta.url));
}

/**
 * @param {{ block?: string, warning?: string, text?: string }} outcome
 * @param {{ hook_event_name?: string, transcript_path?: string }} native
 */
export function answer({ block, warning, text }, native) {
  const { hook_event_name: hookEventName } = native;
  if (block) return { stderr: block, code: 2 };
  if (warning) return { stderr: warning, code: isCopilot(native) ? 0 : 1 };
  if (!text || !TAKES_CONTEXT.includes(hookEventName)) return {};
  return { json: { hookSpecificOutput: { hookEventName, additionalContext: text } } };
}
