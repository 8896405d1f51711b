import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Cursor has its own members for each event, and each event its own way of saying no: a permission,
 * whether to go on, or what the agent shall do instead of stopping.
 */
export const cursorHooks: ShimProduct = {
  id: 'cursor',
  title: harnessName('cursor'),
  locate: 'walk',
  tools: {
    Shell: 'Bash',
    Read: 'Read',
    Write: ['Write', 'Edit'],
    Edit: 'Edit',
    StrReplace: 'Edit',
    TabWrite: 'Edit',
    ApplyPatch: ['Edit', 'Write'],
    Grep: 'Grep',
    Glob: 'Glob',
    LS: 'LS',
    WebFetch: 'WebFetch',
    WebSearch: 'WebSearch',
    TodoWrite: 'TodoWrite',
    Task: 'Task',
  },
  server_tools: 'unknown',
};
