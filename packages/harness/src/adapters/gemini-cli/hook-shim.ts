import { exactlyAnyOf } from '../../shim/hook-matcher.ts';
import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Gemini CLI reads JSON alone on stdout, and takes every exit code but 0 and 1 for a block: all it is
 * told is JSON. It has one event for a tool call that succeeded and one that failed, and none that is
 * about permissions alone.
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
