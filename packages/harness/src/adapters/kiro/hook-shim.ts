import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Kiro reads exit code 2 as a block before a tool or a prompt. Its pages disagree about any other code
 * there, so a failure must not be one. The editor and the command line have their own names for tools.
 */
export const kiroHooks: ShimProduct = {
  id: 'kiro',
  title: harnessName('kiro'),
  locate: 'walk',
  // Names of the command line, then those of the editor.
  tools: {
    fs_read: 'Read',
    read: 'Read',
    fs_write: ['Write', 'Edit'],
    write: ['Write', 'Edit'],
    str_replace: 'Edit',
    execute_bash: 'Bash',
    execute_cmd: 'Bash',
    shell: 'Bash',
    glob: 'Glob',
    grep: 'Grep',
    web_fetch: 'WebFetch',
    web_search: 'WebSearch',
    use_subagent: 'Task',
    subagent: 'Task',
    readFile: 'Read',
    readMultipleFiles: 'Read',
    readCode: 'Read',
    fsWrite: 'Write',
    fsAppend: 'Edit',
    strReplace: 'Edit',
    editCode: 'Edit',
    deleteFile: 'Edit',
    executeBash: 'Bash',
    executePwsh: 'Bash',
    listDirectory: 'LS',
    fileSearch: 'Glob',
    grepSearch: 'Grep',
    invokeSubAgent: 'Task',
  },
};
