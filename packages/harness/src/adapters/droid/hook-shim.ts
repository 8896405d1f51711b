import { COMMON_SITUATIONS, exactlyAnyOf } from '../../shim/hook-matcher.ts';
import { APPLIES_ALWAYS, DESCRIBE_COMMON, type ShimProduct } from '../../shim/shim-product.ts';

/** Droid reads exit codes as the contract does, and sends what Claude Code sends. */
export const droidHooks: ShimProduct = {
  id: 'droid',
  title: 'Factory Droid',
  locate: { variable: 'FACTORY_PROJECT_DIR' },
  tools: {
    Execute: 'Bash',
    Read: 'Read',
    Create: 'Write',
    Edit: 'Edit',
    ApplyPatch: ['Edit', 'Write'],
    Glob: 'Glob',
    Grep: 'Grep',
    LS: 'LS',
    FetchUrl: 'WebFetch',
    WebSearch: 'WebSearch',
    TodoWrite: 'TodoWrite',
    Task: 'Task',
    Skill: 'Skill',
  },
  situations: COMMON_SITUATIONS,
  filter: exactlyAnyOf,
  script: `const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse'];

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
