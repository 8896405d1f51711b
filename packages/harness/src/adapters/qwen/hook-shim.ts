import { COMMON_MATCHED_MEMBERS, exactlyAnyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/** Qwen Code uses the exit codes of the contract and the input of Claude Code. */
export const qwenHooks: ShimProduct = {
  id: 'qwen',
  title: harnessName('qwen'),
  locate: 'walk',
  expands: true,
  tools: {
    run_shell_command: 'Bash',
    read_file: 'Read',
    read_many_files: 'Read',
    write_file: 'Write',
    edit: 'Edit',
    glob: 'Glob',
    grep_search: 'Grep',
    list_directory: 'LS',
    web_fetch: 'WebFetch',
    todo_write: 'TodoWrite',
    skill: 'Skill',
    task: 'Task',
    agent: 'Task',
  },
  situations: {
    ...COMMON_MATCHED_MEMBERS,
    subagent_start: 'agent_type',
    subagent_stop: 'agent_type',
  },
  filter: exactlyAnyOf,
};
