import { exactlyAnyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Gemini CLI treats every exit code except 0 and 1 as a block, so results are JSON. It has one event for successful and
 * failed tools, and none only for permissions.
 */
export const geminiCliHooks: ShimProduct = {
  id: 'gemini-cli',
  title: harnessName('gemini-cli'),
  locate: 'cwd',
  expands: true,
  tools: {
    run_shell_command: 'Bash',
    read_file: 'Read',
    read_many_files: 'Read',
    write_file: 'Write',
    replace: 'Edit',
    glob: 'Glob',
    grep_search: 'Grep',
    list_directory: 'LS',
    web_fetch: 'WebFetch',
    google_web_search: 'WebSearch',
    write_todos: 'TodoWrite',
    activate_skill: 'Skill',
    invoke_agent: 'Task',
  },
  server_tools: { prefix: 'mcp_', separator: '_' },
  situations: {
    session_start: 'source',
    session_end: 'reason',
    pre_compact: 'trigger',
    notification: 'notification_type',
  },
  filter: exactlyAnyOf,
};
