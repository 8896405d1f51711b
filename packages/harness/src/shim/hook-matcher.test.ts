import { artifactOf } from '@catalog/testkit/authored-package';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import type { Artifact } from '@catalog/core/artifact/types';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planArtifacts } from '../plan.ts';
import type { Plan } from '../planned.ts';
import { adapters, loadAdapter } from '../registry.ts';

function hook(event: string, matcher: string): Artifact {
  const keys = `hook_event: ${event}\nhook_action: "echo Stop. >&2; exit 2"\nhook_matcher: "${matcher}"`;
  return artifactOf('ops/guard', {
    'ARTIFACT.md': `---\ntype: hook\nversion: 1.0.0\n${keys}\n---\n`,
  });
}

/** Plans a hook. Hermes supports hooks only in the home folder. */
function plan(harness: string, event: string, matcher: string): Plan {
  const adapter = loadAdapter(harness, harness === 'hermes' ? 'user' : 'workspace');
  return planArtifacts([hook(event, matcher)], adapter, { on_clash: 'fail' });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

interface HookRun {
  script: string;
  words: string[];
  native: object;
}

const PRINT_ARGUMENTS = '#!/bin/sh\nprintf "%s\\0" "$@"\n';

function startedBy({ files, entries }: Plan): string[] {
  const root = temporaryFolder();
  for (const { path, bytes } of files) writeTree(root, { [path]: bytes });
  writeTree(root, { 'bin/node': { x: PRINT_ARGUMENTS } });
  const texts = files
    .filter(({ path }) => path.endsWith('.json'))
    .map(({ bytes }) => Buffer.from(bytes).toString());
  const values = [
    ...entries.map(({ entry }) => entry.value),
    ...texts.map((text) => JSON.parse(text)),
  ];
  const command = stringsIn(values).find(
    (text) => text.includes('pre_tool_use') && !text.startsWith('node -e'),
  );
  if (command === undefined) throw new RangeError('the plan has no command');
  const { stdout } = spawnSync('sh', ['-c', command], {
    cwd: root,
    env: {
      PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
      HOME: root,
      CLAUDE_PROJECT_DIR: root,
      FACTORY_PROJECT_DIR: root,
      DEVIN_PROJECT_DIR: root,
    },
    encoding: 'utf8',
  });
  const [script = '', ...words] = stdout.split('\0').slice(0, -1);
  return [resolve(root, script), ...words];
}

/** Runs all scripts in one process. The exit of a script ends only its own run. */
const RUN_HOOKS = `
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
process.setMaxListeners(0);
const outcomes = [];
const write = process.stdout.write.bind(process.stdout);
for (const [at, { script, words, native }] of JSON.parse(await text(process.stdin)).entries()) {
  process.argv = [process.execPath, script, ...words];
  const stdin = Readable.from([Buffer.from(JSON.stringify(native))]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  let stdout = '';
  process.stdout.write = (said, done) => ((stdout += said), done?.(), true);
  const status = await new Promise((end, fail) => {
    process.exit = end;
    import(pathToFileURL(script) + '?' + at).catch(fail);
  });
  outcomes.push({ status, stdout });
}
write(JSON.stringify(outcomes));
`;

interface HookOutcome {
  status: number;
  stdout: string;
}

/** Returns whether the product starts each hook and the hook stops the tool. */
function stopped(runs: readonly HookRun[]): boolean[] {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', RUN_HOOKS], {
    input: JSON.stringify(runs),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  const outcomes: HookOutcome[] = JSON.parse(stdout);
  return outcomes.map(
    ({ status, stdout: output }) => status === 2 || /"(?:deny|block)"/.test(output),
  );
}

const COMMON = (tool_name: string): object => ({
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input: {},
});
const CURSOR = (tool_name: string): object => ({ hook_event_name: 'preToolUse', tool_name });
const HERMES = (tool_name: string): object => ({ hook_event_name: 'pre_tool_call', tool_name });
const GEMINI = (tool_name: string): object => ({ hook_event_name: 'BeforeTool', tool_name });
const COPILOT = (toolName: string): object => ({ toolName, toolArgs: '{}' });
const ANTIGRAVITY = (name: string): object => ({ toolCall: { name, args: {} } });

const products = [
  ['claude-code', COMMON, 'Bash', 'Edit', 'Read', 'mcp__wh__query'],
  ['codex', COMMON, 'Bash', 'apply_patch', 'view_image', 'mcp__wh__query'],
  ['gemini-cli', GEMINI, 'run_shell_command', 'replace', 'read_file', 'mcp_wh_query'],
  ['qwen', COMMON, 'run_shell_command', 'edit', 'read_file', 'mcp__wh__query'],
  ['droid', COMMON, 'Execute', 'ApplyPatch', 'Read', 'mcp__wh__query'],
  ['devin', COMMON, 'exec', 'edit', 'read', 'mcp__wh__query'],
  ['kiro', COMMON, 'execute_bash', 'fs_write', 'fs_read', '@wh/query'],
  ['cursor', CURSOR, 'Shell', 'StrReplace', 'Read', 'MCP:query'],
  ['copilot', COPILOT, 'bash', 'str_replace', 'view', 'wh-query'],
  ['antigravity', ANTIGRAVITY, 'run_command', 'replace_file_content', 'view_file', 'query'],
  ['hermes', HERMES, 'terminal', 'patch', 'read_file', 'mcp__wh__query'],
] as const;

describe.each(products)('hook_matcher in %s', (harness, native, shell, edit, read, server) => {
  const tools = [shell, edit, read, server];
  const matchers: [string, string[]][] = [
    ['Bash|Edit', [shell, edit]],
    ['Bash, Edit', [shell, edit]],
    ['^(Bash|Edit)$', [shell, edit]],
    [`^(${shell}|${edit})$`, [shell, edit]],
    ['mcp__wh__query', [server]],
    ['mcp__wh__.*', [server]],
    ['Bash|mcp__wh__query', [shell, server]],
  ];
  function stoppedByAll(): boolean[] {
    const runs = matchers.flatMap(([matcher]) => {
      const [script = '', ...words] = startedBy(plan(harness, 'pre_tool_use', matcher));
      return tools.map((tool): HookRun => ({ script, words, native: native(tool) }));
    });
    return stopped(runs);
  }
  let stops: boolean[] | undefined;

  test.each(matchers)('stops only the tools that %s selects', (matcher, selected) => {
    stops ??= stoppedByAll();
    const first = tools.length * matchers.findIndex(([other]) => other === matcher);
    expect(tools.filter((_, at) => stops?.[first + at])).toEqual(
      tools.filter((tool) => selected.includes(tool)),
    );
  });
});

function nativeMatcher(harness: string, event: string, matcher: string): unknown {
  const [entry] = plan(harness, event, matcher).entries.map(({ entry: { value } }) =>
    Object(value),
  );
  return entry.matcher;
}

test.each([
  ['claude-code', 'pre_tool_use', 'Edit, Write', 'Edit|Write'],
  ['claude-code', 'pre_tool_use', 'Task', 'Task|Agent'],
  ['claude-code', 'pre_tool_use', 'mcp__wh__.*', 'mcp__wh__.*'],
  // Claude Code names this tool Agent.
  ['claude-code', 'pre_tool_use', '^Task$', undefined],
  ['claude-code', 'session_start', 'startup|resume', 'startup|resume'],
  ['claude-code', 'pre_tool_use', '*', undefined],
  ['codex', 'pre_tool_use', 'Bash|Write', 'Bash|Write|apply_patch'],
  ['codex', 'pre_tool_use', 'Bash|Unknown', undefined],
  ['gemini-cli', 'pre_tool_use', 'Bash|Edit', '^(Bash|run_shell_command|Edit|replace)$'],
  ['gemini-cli', 'pre_tool_use', 'run_shell_command', '^(run_shell_command)$'],
  ['gemini-cli', 'pre_tool_use', '^Bash$', undefined],
  ['gemini-cli', 'pre_tool_use', 'Bash|mcp__wh__query', undefined],
  ['gemini-cli', 'session_start', 'startup|resume', undefined],
  ['qwen', 'pre_tool_use', 'Bash|mcp__wh__query', '^(Bash|run_shell_command|mcp__wh__query)$'],
  ['cursor', 'pre_tool_use', 'Bash', undefined],
  ['harness-a', 'pre_tool_use', 'Bash, ^x', 'Bash, ^x'],
])('%s at %s with %s has the native matcher %s', (harness, event, matcher, expected) => {
  expect(nativeMatcher(harness, event, matcher)).toBe(expected);
});

function warnings(harness: string, event: string, matcher: string): string[] {
  const sure = plan(harness, event, '*').fallbacks.map(({ reason }) => reason);
  return plan(harness, event, matcher)
    .fallbacks.map(({ reason }) => reason)
    .filter((reason) => !sure.includes(reason));
}

test.each([
  ['codex', 'pre_tool_use', 'Read', /selects no tool of Codex .* never runs there$/],
  ['cursor', 'pre_tool_use', '^exec$', /never runs there$/],
  [
    'gemini-cli',
    'pre_tool_use',
    'Bash|write',
    /^write in hook_matcher is only a part .* never runs for that tool$/,
  ],
  ['cursor', 'pre_tool_use', 'mcp__wh__query', /also runs for tools of other MCP servers$/],
  ['gemini-cli', 'permission_request', 'Bash', /does not name the tool .* runs each time$/],
  [
    'gemini-cli',
    'subagent_start',
    'explore',
    /no effect on subagent_start.* more often than written$/,
  ],
  ['gemini-cli', 'pre_mcp_execution', 'mcp__wh__.*', /more often than written$/],
  [
    'claude-code',
    'stop',
    'Bash',
    /nothing to test hook_matcher against for stop, so the hook runs each time$/,
  ],
  ['cursor', 'session_start', 'startup', /runs each time$/],
  ['opencode', 'session_start', 'startup', /runs each time$/],
])('%s at %s with %s warns that %s', (harness, event, matcher, reason) => {
  expect(warnings(harness, event, matcher)).toEqual([expect.stringMatching(reason)]);
});

test.each([
  ['claude-code', 'pre_tool_use', 'MyTool'],
  ['claude-code', 'session_start', 'startup'],
  ['codex', 'pre_tool_use', 'Bash|Read'],
  ['codex', 'pre_tool_use', 'Bash|run_shell_command'],
  ['cursor', 'pre_tool_use', 'mcp__.*'],
  ['gemini-cli', 'pre_shell_execution', 'Bash'],
  ['gemini-cli', 'pre_tool_use', 'mcp__wh__query'],
])('%s at %s with %s has no warning', (harness, event, matcher) => {
  expect(warnings(harness, event, matcher)).toEqual([]);
});

test('rejects a matcher that is not a valid regular expression', () => {
  for (const harness of adapters.keys()) {
    const { unsupported } = plan(harness, 'pre_tool_use', '(Bash');
    const tests = loadAdapter(harness).label !== harness || ['qwen', 'droid'].includes(harness);
    if (!tests || unsupported.some(({ capabilities }) => capabilities.length > 0)) continue;
    expect(unsupported[0]?.reason ?? harness).toBe(
      'its hook_matcher (Bash is not a list of names or a valid regular expression',
    );
  }
  expect(plan('harness-a', 'pre_tool_use', '(Bash').unsupported).toEqual([]);
});
