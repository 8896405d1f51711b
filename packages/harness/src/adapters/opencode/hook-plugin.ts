import type { HookMatching } from '../../shim/hook-matcher.ts';
import { wholeScript } from '../../shim/matching-script.ts';

export const OPENCODE_TOOLS = {
  tools: {
    bash: 'Bash',
    read: 'Read',
    edit: 'Edit',
    multiedit: 'Edit',
    patch: ['Edit', 'Write'],
    apply_patch: ['Edit', 'Write'],
    write: 'Write',
    glob: 'Glob',
    grep: 'Grep',
    list: 'LS',
    task: 'Task',
    webfetch: 'WebFetch',
    websearch: 'WebSearch',
    todowrite: 'TodoWrite',
    skill: 'Skill',
  },
  server_tools: { prefix: '', separator: '_' },
} satisfies Omit<HookMatching, 'title'>;

/**
 * A plugin is a function that receives the project and returns its hooks. If a hook throws before a tool, the tool is
 * blocked and the model gets the error.
 */
export const OPENCODE_PLUGIN = wholeScript('opencode', OPENCODE_TOOLS);
