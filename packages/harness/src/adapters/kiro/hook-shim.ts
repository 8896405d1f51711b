import type { ShimProduct } from '../../shim/shim-product.ts';
import { harnessName } from '../../product-names.ts';

/**
 * Kiro treats exit code 2 as a block before a tool or a prompt. Its documentation contradicts itself about other codes,
 * so a failure exits with 0 there.
 */
export const kiroHooks: ShimProduct = {
  id: 'kiro',
  title: harnessName('kiro'),
  locate: 'walk',
  // Tool names of the command line tool, then of the editor.
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
