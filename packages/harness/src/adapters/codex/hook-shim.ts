import { anyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Codex blocks on exit code 2 for some events; compaction needs JSON. Of other exit codes, Codex shows only the number,
 * so a warning is a separate message.
 */
export const codexHooks: ShimProduct = {
  id: 'codex',
  title: harnessName('codex'),
  locate: 'walk',
  tools: { Bash: 'Bash', apply_patch: ['Edit', 'Write'], spawn_agent: 'Task' },
  situations: {
    session_start: 'source',
    pre_compact: 'trigger',
    post_compact: 'trigger',
    subagent_start: 'agent_type',
    subagent_stop: 'agent_type',
  },
  filter: anyOf,
};
