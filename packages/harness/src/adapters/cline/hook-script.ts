import type { HookMatching } from '../../shim/hook-matcher.ts';
import { wholeScript } from '../../shim/matching-script.ts';
import { harnessName } from '../../product-names.ts';

/** The tools of Cline 4, then those of Cline 3. */
export const CLINE_TOOLS: HookMatching = {
  title: harnessName('cline'),
  tools: {
    run_commands: 'Bash',
    read_files: 'Read',
    editor: ['Edit', 'Write'],
    apply_patch: ['Edit', 'Write'],
    search_codebase: 'Grep',
    fetch_web_content: 'WebFetch',
    execute_command: 'Bash',
    read_file: 'Read',
    write_to_file: ['Write', 'Edit'],
    replace_in_file: 'Edit',
    search_files: 'Grep',
    list_files: 'LS',
    web_fetch: 'WebFetch',
    web_search: 'WebSearch',
    use_subagents: 'Task',
  },
  server_tools: 'unknown',
};

/**
 * The script behind the programs of Cline, which has one program for an event: it runs every hook of
 * that event by the contract for hooks (SPEC-66) and gives one answer for all of them.
 */
export const clineScript = wholeScript('cline', CLINE_TOOLS);
