import { anyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Antigravity reads decisions as JSON. Before a tool it takes a missing answer for a denial, and an
 * `allow` may grant what the user would be asked for, so a hook that allows answers `ask`, which
 * respects what the user always allows.
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
