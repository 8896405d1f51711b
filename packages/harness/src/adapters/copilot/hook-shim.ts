import { anyOf, type ToolNames } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/** The tools of VS Code, which also runs hooks of Claude Code. */
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
 * Copilot reads decisions as JSON, in another form for each event. VS Code runs the same files and
 * ignores matchers, so the script decides by the tool as well. Before a tool runs, every exit code but
 * 0 denies it, so a warning must not be one.
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
