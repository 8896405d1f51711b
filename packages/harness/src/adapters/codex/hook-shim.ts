import { anyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Codex takes exit 2 with a reason for a block on some events, and JSON for the compaction; of any
 * other exit code it shows the number alone, so a warning is a message of its own.
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
