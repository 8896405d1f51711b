import { COMMON_SITUATIONS, exactlyAnyOf } from '../../shim/hook-matcher.ts';
import { APPLIES_ALWAYS, DESCRIBE_COMMON, type ShimProduct } from '../../shim/shim-product.ts';

/** Qwen Code reads exit codes as the contract does, and sends what Claude Code sends. */
export const qwenHooks: ShimProduct = {
  id: 'qwen',
  title: 'Qwen Code',
  locate: 'walk',
  expands: true,
  tools: {
    run_shell_command: 'Bash',
    read_file: 'Read',
    read_many_files: 'Read',
    write_file: 'Write',
    edit: 'Edit',
    glob: 'Glob',
    grep_search: 'Grep',
    list_directory: 'LS',
    web_fetch: 'WebFetch',
    todo_write: 'TodoWrite',
    skill: 'Skill',
    task: 'Task',
    agent: 'Task',
  },
  situations: {
    ...COMMON_SITUATIONS,
    subagent_start: 'agent_type',
    subagent_stop: 'agent_type',
  },
  filter: exactlyAnyOf,
  script: `const TAKES_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'];

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
