import { anyOf, type ToolNames } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

export const VS_CODE_TOOLS: ToolNames = {
  run_in_terminal: 'Bash',
  read_file: 'Read',
  create_file: 'Write',
  insert_edit_into_file: 'Edit',
  replace_string_in_file: 'Edit',
  multi_replace_string_in_file: 'Edit',
  apply_patch: ['Edit', 'Write'],
};

/**
 * Each event has its own JSON format for decisions. VS Code runs the same files but ignores matchers, so the script
 * checks the tool too. Before a tool, Copilot treats every exit code except 0 as a denial, so warnings exit with 0.
 */
export const copilotHooks: ShimProduct = {
  id: 'copilot',
  title: harnessName('copilot'),
  locate: 'walk',
  tools: {
    bash: 'Bash',
    powershell: 'Bash',
    view: 'Read',
    create: 'Write',
    edit: 'Edit',
    str_replace: 'Edit',
    apply_patch: ['Edit', 'Write'],
    grep: 'Grep',
    glob: 'Glob',
    web_fetch: 'WebFetch',
    task: 'Task',
  },
  other_tools: VS_CODE_TOOLS,
  server_tools: 'unknown',
  filter: anyOf,
  tool_name: 'native.toolName ?? native.tool_name',
};
