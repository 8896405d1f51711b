import { COMMON_MATCHED_MEMBERS, exactlyAnyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/** Droid uses the exit codes of the contract and the input of Claude Code. */
export const droidHooks: ShimProduct = {
  id: 'droid',
  title: harnessName('droid'),
  locate: { variable: 'FACTORY_PROJECT_DIR' },
  tools: {
    Execute: 'Bash',
    Read: 'Read',
    Create: 'Write',
    Edit: 'Edit',
    ApplyPatch: ['Edit', 'Write'],
    Glob: 'Glob',
    Grep: 'Grep',
    LS: 'LS',
    FetchUrl: 'WebFetch',
    WebSearch: 'WebSearch',
    TodoWrite: 'TodoWrite',
    Task: 'Task',
    Skill: 'Skill',
  },
  situations: COMMON_MATCHED_MEMBERS,
  filter: exactlyAnyOf,
};
