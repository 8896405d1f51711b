import type { HookMatching } from '../../shim/hook-matcher.ts';
import { wholeScript } from '../../shim/matching-script.ts';

/** The tools of OpenCode and Kilo. */
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
 * What the generated plugins of OpenCode share: a plugin is a function that is given the project and
 * returns its hooks; one that throws before a tool runs keeps it from running, and what it throws is
 * what the model is told.
 */
export const OPENCODE_PLUGIN = wholeScript('opencode', OPENCODE_TOOLS);
