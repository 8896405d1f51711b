import { APPLIES_ALWAYS, DESCRIBE_COMMON, type ShimProduct } from '../shim-product.ts';

/**
 * Claude Code reads exit codes as the contract does. What a command prints is handed on as context
 * only, so that a text that happens to be JSON is no decision.
 */
export const claudeCodeHooks: ShimProduct = {
  id: 'claude-code',
  title: 'Claude Code',
  locate: { variable: 'CLAUDE_PROJECT_DIR' },
  script: `// The canonical tool names are Claude Code's own, but for one it has renamed.
const TOOLS = { __proto__: null, Agent: 'Task' };
const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit'];

${DESCRIBE_COMMON}
${APPLIES_ALWAYS}
function answer({ block, warning, text }, { hook_event_name: hookEventName }) {
  if (block) return { stderr: block, code: 2 };
  if (warning) return { stderr: warning, code: 1 };
  if (!text || !TAKES_CONTEXT.includes(hookEventName)) return {};
  return { json: { hookSpecificOutput: { hookEventName, additionalContext: text } } };
}
`,
};
