import type { FileOperation } from '../../adapter.ts';
import type { HookFileLanding, ReadyHook } from '../../landing.ts';
import { writeText } from '../../place/write-files.ts';
import { NO_EVENTS } from '../../define-harness.ts';
import type { HookEventTable, NativeHook } from '../../hook-event-table.ts';
import type { HookMatching } from '../../shim/hook-matcher.ts';
import { wholeScript } from '../../shim/matching-script.ts';
import { harnessName } from '../../product-names.ts';

/** Tool names of Cline 4, then of Cline 3. */
const CLINE_TOOLS: HookMatching = {
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
 * Cline has one program per event. The script runs all hooks of the event by the contract for hooks (SPEC-66) and
 * returns a combined decision.
 */
const clineScript = wholeScript('cline', CLINE_TOOLS);

const ENDS_TASK = 'a hook that blocks ends the task in Cline, not only the tool call';

/** Declares an event. Cline stops a hook after 30 seconds, whatever its timeout. */
function on(event: string, fallback?: string): NativeHook {
  return { event, max_timeout: 30, ...(fallback === undefined ? {} : { fallback }) };
}

/** Cline has no matchers, so the program of an event checks the tool. */
const hookEvents: HookEventTable = {
  ...NO_EVENTS,
  session_start: on(
    'TaskStart',
    'Cline has tasks instead of sessions, so the hook runs whenever a task starts',
  ),
  user_prompt_submit: on('UserPromptSubmit'),
  pre_tool_use: on('PreToolUse', ENDS_TASK),
  post_tool_use: on('PostToolUse'),
  post_tool_use_failure: on('PostToolUse'),
  pre_shell_execution: on('PreToolUse', ENDS_TASK),
  post_shell_execution: on('PostToolUse'),
  pre_read_file: on('PreToolUse', ENDS_TASK),
  post_file_edit: on('PostToolUse'),
  stop: on('TaskComplete', 'the hook receives the event but cannot block it'),
  pre_compact: on('PreCompact', 'Cline 4.1 has the event but does not run its hooks'),
};

const SCRIPT = '.catalog/hooks/cline.mjs';

/** Program that works as CommonJS and as an ES module, because the package.json of the workspace decides the type. */
const PROGRAM = `#!/usr/bin/env node
// Written by catalog for Cline; a change here is lost with the next sync.
// It runs every hook of catalog for the event that this file is named after.
import('node:url').then(({ pathToFileURL }) =>
  import(new URL('../../${SCRIPT}', pathToFileURL(process.argv[1]))),
);
`;

/** A file per hook, and a program per event that all its hooks share. */
export const HOOK: HookFileLanding = {
  into: 'file',
  path: '.catalog/hooks/cline/{id}.json',
  events: hookEvents,
  without_event: 'refused',
  render: hookText,
  shim: Object.assign(
    ({ native, command }: ReadyHook) => ({ command, files: programsOf(native.event) }),
    { matching: CLINE_TOOLS },
  ),
};

function programsOf(event: string): FileOperation[] {
  const program = writeText(`.clinerules/hooks/${event}`, PROGRAM);
  return [
    { ...program, executable: true, shared: true },
    { ...writeText(SCRIPT, clineScript), shared: true },
  ];
}

function hookText({ artifact, event, native, command, timeout, matcher }: ReadyHook): string {
  const hook = { id: artifact.id, on: native.event, event, command, timeout, matcher };
  return `${JSON.stringify(hook, null, 2)}\n`;
}
