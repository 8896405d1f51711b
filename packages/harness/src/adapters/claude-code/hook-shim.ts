import { DESCRIBE_COMMON, MATCHES, type ShimProduct } from '../../shim/shim-product.ts';

/**
 * Claude Code reads exit codes as the contract does. What a command prints is handed on as context
 * only, so that a text that happens to be JSON is no decision. VS Code runs the same settings with its
 * own tools and ignores matchers, so the script decides by the tool as well. Copilot CLI also runs them:
 * the script leaves hooks to the script of Copilot if the workspace has it, and never ends with 1, by
 * which Copilot denies the tool.
 */
export const claudeCodeHooks: ShimProduct = {
  id: 'claude-code',
  title: 'Claude Code',
  locate: { variable: 'CLAUDE_PROJECT_DIR' },
  passes_matcher: true,
  script: `import { existsSync } from 'node:fs';

// The canonical tool names are Claude Code's own, but for one it has renamed; the others are VS Code's.
const TOOLS = {
  __proto__: null,
  Agent: 'Task',
  run_in_terminal: 'Bash',
  read_file: 'Read',
  create_file: 'Write',
  insert_edit_into_file: 'Edit',
  replace_string_in_file: 'Edit',
  multi_replace_string_in_file: 'Edit',
  apply_patch: 'Edit',
};
const ONLY = {
  pre_shell_execution: /^(Bash|PowerShell)$/,
  post_shell_execution: /^(Bash|PowerShell)$/,
  pre_mcp_execution: /^mcp_/,
  post_mcp_execution: /^mcp_/,
  pre_read_file: /^Read$/,
  post_file_edit: /^(Edit|MultiEdit|Write|NotebookEdit)$/,
};
const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit'];

${DESCRIBE_COMMON}
// VS Code ignores matchers: what Claude Code has decided already is decided again here.
function applies(native) {
  if (isCopilot(native) && hasCopilotHooks()) return false;
  if (native.tool_name === undefined) return true;
  const { tool } = describe(native);
  if (ONLY[event] !== undefined) return ONLY[event].test(tool);
  return matches(tool) || matches(native.tool_name);
}

// Copilot CLI runs the hooks of Claude Code as well. It has no transcript to name.
function isCopilot(native) {
  return process.env.COPILOT_CLI !== undefined && native.transcript_path === undefined;
}

function hasCopilotHooks() {
  return existsSync(new URL('copilot.mjs', import.meta.url));
}

${MATCHES}
function answer({ block, warning, text }, native) {
  const { hook_event_name: hookEventName } = native;
  if (block) return { stderr: block, code: 2 };
  if (warning) return { stderr: warning, code: isCopilot(native) ? 0 : 1 };
  if (!text || !TAKES_CONTEXT.includes(hookEventName)) return {};
  return { json: { hookSpecificOutput: { hookEventName, additionalContext: text } } };
}
`,
};
