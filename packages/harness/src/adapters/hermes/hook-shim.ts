import { exactlyAnyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Hermes splits a command into words and runs it without a shell. Successful and failed tool calls have the same event.
 */
export const hermesHooks: ShimProduct = {
  id: 'hermes',
  title: harnessName('hermes'),
  locate: 'walk',
  without_shell: true,
  expands: true,
  tools: {
    terminal: 'Bash',
    read_file: 'Read',
    write_file: 'Write',
    patch: ['Edit', 'Write'],
    search_files: 'Grep',
    web_extract: 'WebFetch',
    web_search: 'WebSearch',
    delegate_task: 'Task',
  },
  filter: exactlyAnyOf,
};
