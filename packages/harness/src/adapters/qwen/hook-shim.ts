import { APPLIES_ALWAYS, DESCRIBE_COMMON, type ShimProduct } from '../../shim/shim-product.ts';

/** Qwen Code reads exit codes as the contract does, and sends what Claude Code sends. */
export const qwenHooks: ShimProduct = {
  id: 'qwen',
  title: 'Qwen Code',
  locate: 'walk',
  expands: true,
  script: `const TOOLS = {
  __proto__: null,
  run_shell_command: 'Bash',
  read_file: 'Read',
  read_many_files: 'Read',
  write_file: 'Write',
  edit: 'Edit',
  glob: 'Glob',
  grep_search: 'Grep',
  list_directory: 'LS',
  web_fetch: 'WebFetch',
  task: 'Task',
};

${DESCRIBE_COMMON}
${APPLIES_ALWAYS}
function answer({ block, warning }) {
  if (block) return { stderr: block, code: 2 };
  return warning ? { stderr: warning, code: 1 } : {};
}
`,
};
