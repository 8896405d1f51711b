import { exactlyAnyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Devin uses exit codes as the contract does, and shows the reason of a JSON decision to the agent. It documents no
 * member for context, so output of a command is dropped.
 */
export const devinHooks: ShimProduct = {
  id: 'devin',
  title: harnessName('devin'),
  locate: { variable: 'DEVIN_PROJECT_DIR' },
  tools: {
    exec: 'Bash',
    read: 'Read',
    edit: ['Edit', 'Write'],
    write: 'Write',
    grep: 'Grep',
    glob: 'Glob',
  },
  filter: exactlyAnyOf,
};
