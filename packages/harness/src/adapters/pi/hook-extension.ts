import type { HookMatching } from '../../shim/hook-matcher.ts';
import { wholeScript } from '../../shim/matching-script.ts';
import { harnessName } from '../../product-names.ts';

/** The tools of Pi, and the situations it names. */
export const PI_TOOLS: HookMatching = {
  title: harnessName('pi'),
  tools: {
    bash: 'Bash',
    powershell: 'PowerShell',
    read: 'Read',
    edit: 'Edit',
    write: 'Write',
    grep: 'Grep',
    find: 'Glob',
    ls: 'LS',
  },
  server_tools: 'unknown',
};

/**
 * What the generated extensions of Pi share: an extension is a function that is given the program's
 * interface and registers handlers; what a handler returns can stop a tool, a prompt or a compaction.
 */
export const PI_EXTENSION = wholeScript('pi', PI_TOOLS);
