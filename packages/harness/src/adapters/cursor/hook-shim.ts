import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/** Cursor blocks with a permission, a continue flag, or a message, depending on the event. */
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
