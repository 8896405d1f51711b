import { anyOf } from '../../shim/hook-matcher.ts';
import { APPLIES_ALWAYS, DESCRIBE_COMMON, type ShimProduct } from '../../shim/shim-product.ts';

/**
 * Codex takes exit 2 with a reason for a block on some events, and JSON for the compaction; of any
 * other exit code it shows the number alone, so a warning is a message of its own.
 */
export const codexHooks: ShimProduct = {
  id: 'codex',
  title: 'Codex',
  locate: 'walk',
  tools: { Bash: 'Bash', apply_patch: ['Edit', 'Write'], spawn_agent: 'Task' },
  situations: {
    session_start: 'source',
    pre_compact: 'trigger',
    post_compact: 'trigger',
    subagent_start: 'agent_type',
    subagent_stop: 'agent_type',
  },
  filter: anyOf,
  script: `const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse'];
const TAKES_BLOCK = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
];

${DESCRIBE_COMMON}
${APPLIES_ALWAYS}
function answer({ block, warning, text }, { hook_event_name: hookEventName }) {
  if (block && TAKES_BLOCK.includes(hookEventName)) return { stderr: block, code: 2 };
  if (block && hookEventName === 'PreCompact') {
    return { json: { continue: false, stopReason: block } };
  }
  if (block || warning) return { json: { systemMessage: block ?? warning } };
  if (!text || !TAKES_CONTEXT.includes(hookEventName)) return {};
  return { json: { hookSpecificOutput: { hookEventName, additionalContext: text } } };
}
`,
};
