import { anyOf, COMMON_SITUATIONS } from '../../shim/hook-matcher.ts';
import { VS_CODE_TOOLS } from '../copilot/hook-shim.ts';
import { DESCRIBE_COMMON, type ShimProduct } from '../../shim/shim-product.ts';

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
  tools: {
    Bash: 'Bash',
    PowerShell: 'PowerShell',
    Read: 'Read',
    Edit: 'Edit',
    Write: 'Write',
    NotebookEdit: 'NotebookEdit',
    Glob: 'Glob',
    Grep: 'Grep',
    LS: 'LS',
    WebFetch: 'WebFetch',
    WebSearch: 'WebSearch',
    TodoWrite: 'TodoWrite',
    Skill: 'Skill',
    Agent: 'Task',
  },
  other_tools: VS_CODE_TOOLS,
  canonical: true,
  server_tools: { prefix: 'mcp_', separator: '_' },
  situations: {
    ...COMMON_SITUATIONS,
    subagent_start: 'agent_type',
    subagent_stop: 'agent_type',
  },
  filter: anyOf,
  script: `import { existsSync } from 'node:fs';

const ONLY = {
  pre_shell_execution: /^(Bash|PowerShell)$/,
  post_shell_execution: /^(Bash|PowerShell)$/,
  pre_mcp_execution: /^mcp_/,
  post_mcp_execution: /^mcp_/,
  pre_read_file: /^Read$/,
  post_file_edit: /^(Edit|MultiEdit|Write|NotebookEdit)$/,
};
const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'];

${DESCRIBE_COMMON}
// VS Code ignores matchers: what Claude Code has decided already is decided again here.
function applies(native) {
  if (isCopilot(native) && hasCopilotHooks()) return false;
  if (native.tool_name === undefined || ONLY[event] === undefined) return true;
  return ONLY[event].test(describe(native).tool);
}

// Copilot CLI runs the hooks of Claude Code as well. It has no transcript to name.
function isCopilot(native) {
  return process.env.COPILOT_CLI !== undefined && native.transcript_path === undefined;
}

function hasCopilotHooks() {
  return existsSync(new URL('copilot.mjs', import.meta.url));
}

function answer({ block, warning, text }, native) {
  const { hook_event_name: hookEventName } = native;
  if (block) return { stderr: block, code: 2 };
  if (warning) return { stderr: warning, code: isCopilot(native) ? 0 : 1 };
  if (!text || !TAKES_CONTEXT.includes(hookEventName)) return {};
  return { json: { hookSpecificOutput: { hookEventName, additionalContext: text } } };
}
`,
};
