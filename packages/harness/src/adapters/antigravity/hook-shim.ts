import { anyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Antigravity treats a missing decision before a tool as a denial, and `allow` can skip a prompt for the user. A hook
 * that allows therefore returns `ask`, which respects the permissions of the user.
 */
export const antigravityHooks: ShimProduct = {
  id: 'antigravity',
  title: harnessName('antigravity'),
  locate: 'walk',
  tools: {
    run_command: 'Bash',
    view_file: 'Read',
    write_to_file: 'Write',
    replace_file_content: 'Edit',
    multi_replace_file_content: 'Edit',
    grep_search: 'Grep',
    find_by_name: 'Glob',
    list_dir: 'LS',
    read_url_content: 'WebFetch',
    search_web: 'WebSearch',
    invoke_subagent: 'Task',
  },
  server_tools: 'unknown',
  filter: anyOf,
  tool_name: 'native.toolCall?.name',
};
