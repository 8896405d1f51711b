import type { HookEvent } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandShim } from './command-shim.ts';
import type { ShimProduct } from './shim-product.ts';
import { antigravityHooks } from '../adapters/antigravity/hook-shim.ts';
import { claudeCodeHooks } from '../adapters/claude-code/hook-shim.ts';
import { copilotHooks } from '../adapters/copilot/hook-shim.ts';
import { devinHooks } from '../adapters/devin/hook-shim.ts';
import { droidHooks } from '../adapters/droid/hook-shim.ts';
import { kiroHooks } from '../adapters/kiro/hook-shim.ts';
import { qwenHooks } from '../adapters/qwen/hook-shim.ts';

const hook = artifactOf('ops/guard', {
  'ARTIFACT.md': '---\ntype: hook\nversion: 1.0.0\nhook_event: stop\nhook_action: "true"\n---\n',
});

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  payload: unknown;
}

function run(
  product: ShimProduct,
  event: HookEvent,
  sent: object,
  script: string,
  {
    hook_matcher,
    timeout,
    env,
    beside: existingFiles = {},
  }: {
    hook_matcher?: string | undefined;
    timeout?: number | undefined;
    env?: Record<string, string>;
    beside?: Record<string, string>;
  } = {},
): Ran {
  const root = temporaryFolder();
  writeTree(root, existingFiles);
  const { command, files } = commandShim(product)({
    artifact: hook,
    ...(hook_matcher === undefined ? {} : { matcher: hook_matcher }),
    event,
    native: { event: 'any' },
    command: `cat > payload.json; ${script}`,
    timeout,
  });
  for (const file of files) if (file.kind === 'write') writeTree(root, { [file.path]: file.bytes });
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: root,
    env: {
      ...process.env,
      FACTORY_PROJECT_DIR: root,
      CLAUDE_PROJECT_DIR: root,
      DEVIN_PROJECT_DIR: root,
      ...env,
    },
    input: JSON.stringify(sent),
    encoding: 'utf8',
  });
  const payload = join(root, 'payload.json');
  return {
    code: status,
    stdout,
    stderr: stderr.trim(),
    payload: existsSync(payload) ? JSON.parse(readFileSync(payload, 'utf8')) : undefined,
  };
}

const REFUSES = 'echo "Not on a Friday." >&2; exit 2';

describe.each([
  [droidHooks, 'Execute'],
  [qwenHooks, 'run_shell_command'],
  [devinHooks, 'exec'],
])('hook script of $id', (product, tool) => {
  const sent = {
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: { command: 'git push' },
    cwd: '/repo',
    session_id: 's1',
  };

  test('passes the canonical object to the command and allows the tool', () => {
    const { code, stdout, payload } = run(product, 'pre_shell_execution', sent, 'true');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(payload).toMatchObject({
      event: 'pre_shell_execution',
      harness: product.id,
      tool: 'Bash',
      input: { command: 'git push' },
      cwd: '/repo',
      session_id: 's1',
    });
  });

  test('blocks with the reason on exit code 2, and warns on any other failure', () => {
    expect(run(product, 'pre_tool_use', sent, REFUSES)).toMatchObject({
      code: 2,
      stderr: 'Not on a Friday.',
    });
    expect(run(product, 'pre_tool_use', sent, 'exit 9')).toMatchObject({ code: 1 });
  });
});

test('devin shows the agent the reason of a decision', () => {
  const { stdout } = run(devinHooks, 'pre_tool_use', { tool_name: 'exec' }, REFUSES);
  expect(JSON.parse(stdout)).toEqual({ decision: 'block', reason: 'Not on a Friday.' });
});

describe('tool input', () => {
  const PATCH = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch';

  test.each([
    ['Read', { file_path: 'a.ts' }, { path: 'a.ts' }],
    ['read_file', { absolute_path: '/w/a.ts' }, { path: '/w/a.ts' }],
    ['Write', { file_path: 'a.ts', content: 'b' }, { path: 'a.ts', content: 'b' }],
    ['create', { path: 'a.ts', file_text: 'b' }, { path: 'a.ts', content: 'b' }],
    ['Edit', { file_path: 'a.ts', new_string: 'b' }, { path: 'a.ts', content: 'b' }],
    [
      'edit',
      { path: 'a.ts', edits: [{ newText: 'b' }, { newText: 'c' }] },
      { path: 'a.ts', content: 'b\nc' },
    ],
    ['shell', { command: ['git', 'push'] }, { command: 'git push' }],
    ['shell', { cmd: 'git push' }, { command: 'git push' }],
  ])('of %s has path, content and command: %j', (tool_name, tool_input, expected) => {
    const { payload } = run(qwenHooks, 'pre_tool_use', { tool_name, tool_input }, 'true');
    expect(payload).toMatchObject({
      input: { ...tool_input, ...expected },
      native: { tool_input },
    });
  });

  test('with a patch has the path and no command', () => {
    const sent = { tool_name: 'apply_patch', tool_input: { command: PATCH } };
    const { payload } = run(qwenHooks, 'pre_tool_use', sent, 'true');
    expect(payload).toMatchObject({ input: { path: 'src/a.ts', content: PATCH }, native: sent });
    expect(payload).not.toHaveProperty('input.command');
  });
});

test.each(['session_start', 'user_prompt_submit', 'stop'] as const)(
  'a hook of the main session does not run %s for a subagent',
  (event) => {
    const { payload } = run(droidHooks, event, { agent_id: 'a1', session_id: 's1' }, 'true');
    expect(payload).toBeUndefined();
    expect(run(droidHooks, event, { session_id: 's1' }, 'true').payload).toBeDefined();
    const tool = { agent_id: 'a1', tool_name: 'Execute' };
    expect(run(droidHooks, 'pre_tool_use', tool, 'true').payload).toBeDefined();
  },
);

describe('script of Claude Code in VS Code, which ignores matchers', () => {
  function runs(event: HookEvent, tool_name: string, matcher?: string): boolean {
    const sent = { hook_event_name: 'PreToolUse', tool_name, tool_input: {} };
    return run(claudeCodeHooks, event, sent, REFUSES, { hook_matcher: matcher }).code === 2;
  }

  test.each([
    ['pre_shell_execution', 'run_in_terminal', true],
    ['pre_shell_execution', 'Bash', true],
    ['pre_shell_execution', 'read_file', false],
    ['pre_read_file', 'read_file', true],
    ['pre_read_file', 'create_file', false],
    ['post_file_edit', 'replace_string_in_file', true],
    ['post_file_edit', 'run_in_terminal', false],
    ['pre_mcp_execution', 'mcp_wh_query', true],
    ['pre_mcp_execution', 'create_file', false],
    ['pre_tool_use', 'create_file', true],
  ] as const)('at %s with the tool %s blocks: %s', (event, tool, expected) => {
    expect(runs(event, tool)).toBe(expected);
  });

  test.each([
    ['Edit|Write', 'create_file', true],
    ['Edit, Write', 'Edit', true],
    ['Edit|Write', 'run_in_terminal', false],
    ['^mcp__wh__.*', 'mcp__wh__query', true],
    ['^mcp__wh__.*', 'Bash', false],
    ['*', 'Bash', true],
  ])('with hook_matcher %s and the tool %s blocks: %s', (matcher, tool, expected) => {
    expect(runs('pre_tool_use', tool, matcher)).toBe(expected);
  });
});

describe('hook script of Copilot', () => {
  const sent = {
    sessionId: 's1',
    cwd: '/repo',
    toolName: 'bash',
    toolArgs: '{"command":"git push"}',
  };

  test('passes the canonical object with parsed arguments to the command', () => {
    const { code, payload } = run(copilotHooks, 'pre_shell_execution', sent, 'true');
    expect(code).toBe(0);
    expect(payload).toMatchObject({
      event: 'pre_shell_execution',
      harness: 'copilot',
      tool: 'Bash',
      input: { command: 'git push' },
      cwd: '/repo',
      session_id: 's1',
    });
  });

  test('denies a tool with the reason as JSON', () => {
    const { code, stdout } = run(copilotHooks, 'pre_tool_use', sent, REFUSES);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Not on a Friday.',
    });
  });

  test.each([
    ['exits with 3', 'echo Broken. >&2; exit 3', undefined, 'ops/guard failed (exit 3): Broken.'],
    ['is missing', 'no-such-command-here', undefined, 'ops/guard failed (exit 127)'],
    ['ends by a signal', 'kill -9 $$', undefined, 'ops/guard failed (SIGKILL)'],
    ['runs out of time', 'sleep 20', 1, 'ops/guard was ended after 1 s'],
  ])('warns and allows the tool if the command %s', (_, script, timeout, warning) => {
    for (const event of ['pre_tool_use', 'pre_shell_execution'] as const) {
      const { code, stdout, stderr } = run(copilotHooks, event, sent, script, { timeout });
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toContain(warning);
    }
  });

  test('runs a hook only for the tools of its event', () => {
    expect(run(copilotHooks, 'pre_read_file', sent, REFUSES)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
      payload: undefined,
    });
    const read = { ...sent, toolName: 'view' };
    expect(run(copilotHooks, 'pre_read_file', read, REFUSES).stdout).toContain('deny');
  });

  test('exits with 0 after a failure before a tool, because any other code would deny it', () => {
    for (const event of ['pre_tool_use', 'permission_request'] as const) {
      expect(run(copilotHooks, event, sent, 'exit 3')).toMatchObject({
        code: 0,
        stdout: '',
        stderr: 'ops/guard failed (exit 3)',
      });
    }
  });

  test.each([
    ['permission_request', { behavior: 'deny', message: 'Not on a Friday.' }],
    ['user_prompt_submit', { decision: 'block', reason: 'Not on a Friday.' }],
    ['stop', { decision: 'block', reason: 'Not on a Friday.' }],
  ] as const)('blocks %s in the format of the event', (event, expected) => {
    const { code, stdout } = run(copilotHooks, event, sent, REFUSES);
    expect({ code, said: JSON.parse(stdout) }).toEqual({ code: 0, said: expected });
  });

  test('passes on the output of the command', () => {
    for (const event of ['session_start', 'user_prompt_submit', 'post_tool_use'] as const) {
      const { stdout } = run(copilotHooks, event, sent, 'echo Freeze.');
      expect(JSON.parse(stdout)).toEqual({ additionalContext: 'Freeze.' });
    }
    expect(run(copilotHooks, 'stop', sent, 'echo Freeze.').stdout).toBe('');
  });

  test('only warns after events that cannot be stopped', () => {
    expect(run(copilotHooks, 'post_tool_use', sent, REFUSES)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Not on a Friday.',
    });
  });
});

describe('hook script of Kiro', () => {
  const sent = {
    hook_event_name: 'preToolUse',
    cwd: '/repo',
    session_id: 's1',
    tool_name: 'execute_bash',
    tool_input: { command: 'git push' },
  };

  test('passes the canonical object to the command', () => {
    const { code, payload } = run(kiroHooks, 'pre_shell_execution', sent, 'true');
    expect(code).toBe(0);
    expect(payload).toMatchObject({
      harness: 'kiro',
      tool: 'Bash',
      input: { command: 'git push' },
      cwd: '/repo',
      session_id: 's1',
    });
  });

  test.each([
    ['fs_read', { operations: [{ mode: 'Line', path: 'a.ts' }] }, 'Read', { path: 'a.ts' }],
    ['fsWrite', { path: 'a.ts', text: 'b' }, 'Write', { path: 'a.ts', content: 'b' }],
    ['strReplace', { path: 'a', newStr: 'b' }, 'Edit', { path: 'a', content: 'b' }],
    ['@wh/query', { sql: 'select 1' }, 'mcp__wh__query', { sql: 'select 1' }],
  ])(
    'parses the tool %s of the editor or the command line tool',
    (tool_name, tool_input, tool, input) => {
      const native = { ...sent, tool_name, tool_input };
      const { payload } = run(kiroHooks, 'pre_tool_use', native, 'true');
      expect(payload).toMatchObject({ tool, input, native });
    },
  );

  test('does not treat the command of fs_write as a shell command', () => {
    const native = { ...sent, tool_name: 'fs_write', tool_input: { command: 'create', path: 'a' } };
    const { payload } = run(kiroHooks, 'pre_tool_use', native, 'true');
    expect(payload).not.toHaveProperty('input.command');
  });

  test('blocks with exit code 2 before a tool, and only warns after it', () => {
    expect(run(kiroHooks, 'pre_tool_use', sent, REFUSES)).toMatchObject({
      code: 2,
      stderr: 'Not on a Friday.',
    });
    expect(run(kiroHooks, 'post_tool_use', sent, REFUSES)).toMatchObject({ code: 1 });
  });

  test('exits with 0 after a failure before a tool, because any other code could block it', () => {
    expect(run(kiroHooks, 'pre_tool_use', sent, 'exit 3')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'ops/guard failed (exit 3)',
    });
    expect(run(kiroHooks, 'post_tool_use', sent, 'exit 3')).toMatchObject({ code: 1 });
  });

  test('prints the output of the command unchanged as context', () => {
    expect(run(kiroHooks, 'session_start', sent, 'echo Freeze.').stdout).toBe('Freeze.\n');
    expect(run(kiroHooks, 'stop', sent, 'echo Freeze.').stdout).toBe('');
  });

  test.each([
    ['pre_shell_execution', 'execute_bash', undefined, true],
    ['pre_shell_execution', 'fs_read', undefined, false],
    ['pre_mcp_execution', '@wh/query', undefined, true],
    ['pre_read_file', 'readFile', undefined, true],
    ['pre_tool_use', 'fs_read', 'Read', true],
    ['pre_tool_use', 'fs_read', 'fs_read|fs_write', true],
    ['pre_tool_use', 'fs_read', 'Bash', false],
  ] as const)('%s at %s with the matcher %s runs: %s', (event, tool_name, hook_matcher, runs) => {
    const native = { ...sent, tool_name, tool_input: {} };
    const { code } = run(kiroHooks, event, native, REFUSES, { hook_matcher });
    expect(code).toBe(runs ? 2 : 0);
  });
});

describe('script of Claude Code in Copilot CLI', () => {
  const sent = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } };
  const env = { COPILOT_CLI: '1' };
  const existingFiles = { '.catalog/hooks/copilot.mjs': '' };

  test('leaves the hook to the script of Copilot if it exists', () => {
    const { code, payload } = run(claudeCodeHooks, 'pre_tool_use', sent, REFUSES, {
      env,
      beside: existingFiles,
    });
    expect({ code, payload }).toEqual({ code: 0, payload: undefined });
    expect(run(claudeCodeHooks, 'pre_tool_use', sent, REFUSES, { env }).code).toBe(2);
    expect(
      run(claudeCodeHooks, 'pre_tool_use', sent, REFUSES, { beside: existingFiles }).code,
    ).toBe(2);
  });

  test('warns without denying the tool', () => {
    const { code, stderr } = run(claudeCodeHooks, 'pre_tool_use', sent, 'exit 3', { env });
    expect(code).toBe(0);
    expect(stderr).toContain('ops/guard');
    expect(run(claudeCodeHooks, 'pre_tool_use', sent, 'exit 3').code).toBe(1);
  });

  test('runs normally if Claude Code was started from a shell of Copilot', () => {
    const own = { ...sent, transcript_path: '/tmp/session.jsonl' };
    const { code } = run(claudeCodeHooks, 'pre_tool_use', own, REFUSES, {
      env,
      beside: existingFiles,
    });
    expect(code).toBe(2);
  });
});

describe('hook script of Antigravity', () => {
  const sent = {
    conversationId: 'c1',
    workspacePaths: ['/repo'],
    stepIdx: 3,
    toolCall: { name: 'run_command', args: { CommandLine: 'git push', Cwd: '/repo/a' } },
  };

  function parseOutput(event: HookEvent, script: string, native: object = sent): unknown {
    const { code, stdout } = run(antigravityHooks, event, native, script);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  }

  test('passes the canonical object to the command', () => {
    expect(run(antigravityHooks, 'pre_shell_execution', sent, 'true').payload).toMatchObject({
      harness: 'antigravity',
      tool: 'Bash',
      input: { command: 'git push', CommandLine: 'git push' },
      cwd: '/repo/a',
      session_id: 'c1',
    });
    const args = { TargetFile: 'a.ts', CodeContent: 'b' };
    const write = { ...sent, toolCall: { name: 'write_to_file', args } };
    expect(run(antigravityHooks, 'pre_tool_use', write, 'true').payload).toMatchObject({
      tool: 'Write',
      input: { path: 'a.ts', content: 'b' },
      cwd: '/repo',
    });
  });

  test('always returns a decision before a tool, because Antigravity denies it otherwise', () => {
    expect(parseOutput('pre_tool_use', 'true')).toEqual({ decision: 'ask' });
    expect(parseOutput('pre_tool_use', 'echo Freeze.')).toEqual({ decision: 'ask' });
    expect(parseOutput('pre_tool_use', 'exit 3')).toEqual({ decision: 'ask' });
    expect(parseOutput('pre_tool_use', REFUSES)).toEqual({
      decision: 'deny',
      reason: 'Not on a Friday.',
    });
  });

  test('never grants a permission, even if the command prints one', () => {
    expect(parseOutput('pre_tool_use', `echo '{"decision":"allow"}'`)).toEqual({ decision: 'ask' });
  });

  test('returns a decision at the end of a turn, and none after a tool', () => {
    expect(parseOutput('stop', 'true')).toEqual({ decision: 'stop' });
    expect(parseOutput('stop', REFUSES)).toEqual({
      decision: 'continue',
      reason: 'Not on a Friday.',
    });
    expect(parseOutput('post_tool_use', REFUSES)).toEqual({});
  });

  test('distinguishes a failed tool by its error', () => {
    const failed = { ...sent, error: 'exit 1' };
    expect(run(antigravityHooks, 'post_tool_use_failure', failed, 'true').payload).toMatchObject({
      error: 'exit 1',
    });
    expect(run(antigravityHooks, 'post_tool_use_failure', sent, 'true').payload).toBeUndefined();
    expect(parseOutput('post_tool_use_failure', 'true')).toEqual({});
  });
});
