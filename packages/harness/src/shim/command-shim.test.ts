import type { HookEvent } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandShim } from './command-shim.ts';
import { claudeCodeHooks } from '../adapters/claude-code/hook-shim.ts';
import { codexHooks } from '../adapters/codex/hook-shim.ts';
import { droidHooks } from '../adapters/droid/hook-shim.ts';
import { qwenHooks } from '../adapters/qwen/hook-shim.ts';
import { cursorHooks } from '../adapters/cursor/hook-shim.ts';
import { geminiCliHooks } from '../adapters/gemini-cli/hook-shim.ts';
import { hermesHooks } from '../adapters/hermes/hook-shim.ts';
import type { ShimProduct } from './shim-product.ts';

const hook = artifactOf('ops/guard', {
  'ARTIFACT.md': '---\ntype: hook\nversion: 1.0.0\nhook_event: stop\nhook_action: "true"\n---\n',
});

interface Ran {
  code: number | null;
  json: unknown;
  stderr: string;
  payload: Record<string, unknown>;
}

interface Run {
  event?: HookEvent;
  stdin: object | string;
  command: string;
  timeout?: number;
  /** Directory below the workspace in which the product runs the hook. */
  below?: string;
  unread?: true;
}

/** A blocked hook fails its test and not the whole run. */
const RUN_TIMEOUT_MS = 30_000;

function run(product: ShimProduct, { event = 'pre_tool_use', ...options }: Run): Ran {
  const root = temporaryFolder("catalog it's a test-");
  const { command, files } = commandShim(product)({
    artifact: hook,
    event,
    native: { event: 'any' },
    command: `${options.unread === true ? '' : 'cat > payload.json; '}${options.command}`,
    timeout: options.timeout,
  });
  for (const file of files) if (file.kind === 'write') writeTree(root, { [file.path]: file.bytes });
  const cwd = join(root, options.below ?? '');
  mkdirSync(cwd, { recursive: true });
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd,
    env: { ...process.env, CLAUDE_PROJECT_DIR: root, FACTORY_PROJECT_DIR: root },
    input: typeof options.stdin === 'string' ? options.stdin : JSON.stringify(options.stdin),
    encoding: 'utf8',
    timeout: RUN_TIMEOUT_MS,
  });
  const payload = join(root, 'payload.json');
  return {
    code: status,
    json: stdout === '' ? undefined : JSON.parse(stdout),
    stderr: stderr.trim(),
    payload: existsSync(payload) ? JSON.parse(readFileSync(payload, 'utf8')) : {},
  };
}

/** False for a zombie. */
function isRunning(file: string): boolean {
  const pid = readFileSync(file, 'utf8').trim();
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

const COMMON = { session_id: 's1', transcript_path: '/t.jsonl', cwd: '/work/app' };
const CLAUDE = { ...COMMON, permission_mode: 'default', tool_name: 'Bash' };
const BASH = { command: 'rm -rf build' };
const CURSOR = {
  conversation_id: 'c1',
  generation_id: 'g1',
  model: 'fast',
  cursor_version: '2.0.77',
  workspace_roots: ['/work/app'],
};

const products = [
  {
    product: claudeCodeHooks,
    before: { ...CLAUDE, hook_event_name: 'PreToolUse', tool_input: BASH, tool_use_id: 't1' },
    blocked: { code: 2, json: undefined, stderr: 'Not on a Friday.' },
    warned: (text: string) => ({ code: 1, json: undefined, stderr: text }),
  },
  {
    product: codexHooks,
    before: { ...CLAUDE, hook_event_name: 'PreToolUse', tool_input: BASH, turn_id: 'u1' },
    blocked: { code: 2, json: undefined, stderr: 'Not on a Friday.' },
    warned: (text: string) => ({ code: 0, json: { systemMessage: text }, stderr: '' }),
  },
  {
    product: geminiCliHooks,
    before: {
      ...COMMON,
      hook_event_name: 'BeforeTool',
      timestamp: '2026-11-01T00:00:00Z',
      tool_name: 'run_shell_command',
      tool_input: BASH,
    },
    blocked: { code: 0, json: { decision: 'deny', reason: 'Not on a Friday.' }, stderr: '' },
    warned: (text: string) => ({ code: 0, json: { systemMessage: text }, stderr: '' }),
  },
  {
    product: cursorHooks,
    before: { ...CURSOR, hook_event_name: 'beforeShellExecution', cwd: '/work/app', ...BASH },
    blocked: {
      code: 0,
      json: {
        permission: 'deny',
        user_message: 'Not on a Friday.',
        agent_message: 'Not on a Friday.',
      },
      stderr: '',
    },
    warned: (text: string) => ({ code: 1, json: undefined, stderr: text }),
  },
  {
    product: hermesHooks,
    before: {
      hook_event_name: 'pre_tool_call',
      tool_name: 'terminal',
      tool_input: BASH,
      session_id: 's1',
      cwd: '/work/app',
      extra: { task_id: '', tool_call_id: 'k1' },
    },
    blocked: { code: 0, json: { action: 'block', message: 'Not on a Friday.' }, stderr: '' },
    warned: (text: string) => ({ code: 1, json: undefined, stderr: text }),
  },
];

describe.each(products)('$product.title', ({ product, before, blocked, warned }) => {
  function answer({ code, json, stderr }: Ran): Omit<Ran, 'payload'> {
    return { code, json, stderr };
  }

  test('passes one canonical object to the command, and allows without output', () => {
    const ran = run(product, { stdin: before, command: 'echo "{\\"decision\\":\\"block\\"}"' });
    expect(answer(ran)).toEqual({ code: 0, json: undefined, stderr: '' });
    expect(ran.payload).toMatchObject({
      event: 'pre_tool_use',
      harness: product.id,
      tool: 'Bash',
      input: BASH,
      cwd: '/work/app',
      native: before,
    });
    expect(ran.payload['session_id']).toBe(product === cursorHooks ? 'c1' : 's1');
  });

  test('blocks with the reason on exit code 2', () => {
    const command = "echo 'Not on a Friday.' >&2; exit 2";
    expect(answer(run(product, { stdin: before, command }))).toEqual(blocked);
  });

  test('blocks with a default reason on exit code 2 without output', () => {
    const text = JSON.stringify(answer(run(product, { stdin: before, command: 'exit 2' })));
    const expected = JSON.stringify(blocked).replaceAll('Not on a Friday.', 'blocked by ops/guard');
    expect(text).toBe(expected);
  });

  test('warns on any other exit code', () => {
    const ran = run(product, { stdin: before, command: 'echo oops >&2; exit 3' });
    expect(answer(ran)).toEqual(warned('ops/guard failed (exit 3): oops'));
  });

  test('warns if the command does not exist', () => {
    const ran = run(product, { stdin: before, command: 'no-such-program-zz 2>/dev/null' });
    expect(answer(ran)).toEqual(warned('ops/guard failed (exit 127)'));
  });

  test('kills a command and its child processes on timeout, and warns', () => {
    const pids = join(temporaryFolder(), 'pids');
    const command = `sleep 600 & echo $! > ${pids}; sleep 600`;
    const ran = run(product, { stdin: before, command, timeout: 1 });
    expect(answer(ran)).toEqual(warned('ops/guard was ended after 1 s'));
    expect(isRunning(pids)).toBe(false);
  });

  test('warns without running the command if the input is not JSON', () => {
    const ran = run(product, { stdin: '{"a":', command: 'true' });
    expect(JSON.stringify(answer(ran))).toContain('ops/guard was not run');
    expect(ran.code).not.toBe(2);
    expect(ran.payload).toEqual({});
  });

  test('warns that the input is JSON but not an object', () => {
    const ran = run(product, { stdin: '5', command: 'true' });
    const why = 'was not run because its input could not be read: it is not a JSON object';
    expect(answer(ran)).toEqual(warned(`ops/guard ${why}`));
  });

  test('passes megabytes of input, which the command need not read', () => {
    const big = { ...before, more: 'x'.repeat(3_000_000) };
    expect(run(product, { stdin: big, command: 'true' }).payload).toMatchObject({ native: big });
    const ran = run(product, { stdin: big, command: 'exec <&-', unread: true });
    expect(answer(ran)).toEqual({ code: 0, json: undefined, stderr: '' });
  });

  test.each(['constructor', '__proto__'])('accepts the tool name %s', (tool_name) => {
    const { payload } = run(product, { stdin: { ...before, tool_name }, command: 'true' });
    expect(payload['tool']).toBe(tool_name);
  });

  test('supports quotes in the command and spaces in the path', () => {
    const command = `echo "it's \\$HOME \\\`x\\\`" >&2; exit 3`;
    const ran = run(product, { stdin: before, command });
    expect(answer(ran)).toEqual(warned("ops/guard failed (exit 3): it's $HOME `x`"));
  });
});

describe('hook results by product', () => {
  const echoCommand = 'echo Mind the gap.';
  const refuses = 'echo Stay. >&2; exit 2';

  test('Claude Code and Codex use output as context at the start and with a prompt', () => {
    for (const product of [claudeCodeHooks, codexHooks]) {
      for (const hookEventName of ['SessionStart', 'UserPromptSubmit']) {
        const stdin = { ...COMMON, hook_event_name: hookEventName, prompt: 'Ship it.' };
        const { json } = run(product, { stdin, command: echoCommand });
        const hookSpecificOutput = { hookEventName, additionalContext: 'Mind the gap.' };
        expect(json).toEqual({ hookSpecificOutput });
      }
    }
  });

  test.each([
    [claudeCodeHooks, 'PostToolUse'],
    [claudeCodeHooks, 'PostToolUseFailure'],
    [codexHooks, 'PostToolUse'],
    [geminiCliHooks, 'AfterTool'],
    [qwenHooks, 'SessionStart'],
    [qwenHooks, 'UserPromptSubmit'],
    [qwenHooks, 'PostToolUse'],
    [qwenHooks, 'PostToolUseFailure'],
    [droidHooks, 'SessionStart'],
    [droidHooks, 'UserPromptSubmit'],
    [droidHooks, 'PostToolUse'],
  ])('$title passes on output at %s as context', (product, hookEventName) => {
    const stdin = { ...COMMON, hook_event_name: hookEventName };
    const { code, json } = run(product, { event: 'post_tool_use', stdin, command: echoCommand });
    const hookSpecificOutput = { hookEventName, additionalContext: 'Mind the gap.' };
    expect({ code, json }).toEqual({ code: 0, json: { hookSpecificOutput } });
  });

  test('Codex stops a compaction with JSON, and only warns afterwards', () => {
    const stdin = { ...COMMON, hook_event_name: 'PreCompact', trigger: 'auto' };
    expect(run(codexHooks, { stdin, command: refuses })).toMatchObject({
      code: 0,
      json: { continue: false, stopReason: 'Stay.' },
    });
    const start = { ...stdin, hook_event_name: 'SessionStart' };
    expect(run(codexHooks, { stdin: start, command: refuses })).toMatchObject({
      code: 0,
      json: { systemMessage: 'Stay.' },
    });
  });

  test('Codex finds the script from a subdirectory', () => {
    const stdin = { ...COMMON, hook_event_name: 'Stop' };
    const ran = run(codexHooks, { stdin, command: refuses, below: 'packages/a b' });
    expect(ran).toMatchObject({ code: 2, stderr: 'Stay.' });
  });

  test('Gemini CLI adds context to a prompt and distinguishes failures from successes', () => {
    const prompt = { ...COMMON, hook_event_name: 'BeforeAgent', prompt: 'Ship it.' };
    const ran = run(geminiCliHooks, { stdin: prompt, command: echoCommand });
    expect(ran.payload).toMatchObject({ prompt: 'Ship it.' });
    expect(ran.json).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'Mind the gap.' },
    });
    const after = {
      ...COMMON,
      hook_event_name: 'AfterTool',
      tool_name: 'replace',
      tool_response: { llmContent: 'done' },
    };
    const event = 'post_tool_use_failure';
    expect(run(geminiCliHooks, { event, stdin: after, command: refuses }).json).toBeUndefined();
    const failed = { ...after, tool_response: { error: 'no' } };
    expect(run(geminiCliHooks, { event, stdin: failed, command: refuses }).json).toEqual({
      decision: 'deny',
      reason: 'Stay.',
    });
    const end = { ...COMMON, hook_event_name: 'SessionEnd' };
    expect(run(geminiCliHooks, { stdin: end, command: refuses }).json).toEqual({
      systemMessage: 'Stay.',
    });
  });

  test.each([
    ['beforeSubmitPrompt', { prompt: 'Ship it.' }, { continue: false, user_message: 'Stay.' }],
    ['stop', { status: 'completed', loop_count: 0 }, { followup_message: 'Stay.' }],
    ['postToolUse', { tool_name: 'Shell' }, { additional_context: 'Stay.' }],
  ])('Cursor receives a block at %s in the format of the event', (name, members, json) => {
    const stdin = { ...CURSOR, hook_event_name: name, ...members };
    expect(run(cursorHooks, { stdin, command: refuses })).toMatchObject({ code: 0, json });
  });

  test('Cursor input has the same canonical form for all events', () => {
    const edit = { file_path: '/work/app/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] };
    const stdin = { ...CURSOR, hook_event_name: 'afterFileEdit', ...edit };
    const { payload, stderr } = run(cursorHooks, { stdin, command: refuses });
    expect(payload).toMatchObject({ tool: 'Edit', input: edit, cwd: '/work/app' });
    expect(stderr).toBe('Stay.');
    const mcp = { hook_event_name: 'afterMCPExecution', tool_name: 'query' };
    const texts = { tool_input: '{"sql":"select 1"}', result_json: '{"rows":[1]}' };
    expect(
      run(cursorHooks, { stdin: { ...CURSOR, ...mcp, ...texts }, command: 'true' }).payload,
    ).toMatchObject({ tool: 'query', input: { sql: 'select 1' }, output: { rows: [1] } });
  });

  test('Hermes adds context to a prompt and distinguishes failures and denials', () => {
    const stdin = { hook_event_name: 'pre_llm_call', extra: { user_message: 'Ship it.' } };
    const ran = run(hermesHooks, { event: 'user_prompt_submit', stdin, command: echoCommand });
    expect(ran).toMatchObject({ json: { context: 'Mind the gap.' } });
    expect(ran.payload).toMatchObject({ prompt: 'Ship it.' });
    const post = (status: string) => ({ hook_event_name: 'post_tool_call', extra: { status } });
    const event = 'post_tool_use_failure';
    expect(run(hermesHooks, { event, stdin: post('ok'), command: refuses }).stderr).toBe('');
    expect(run(hermesHooks, { event, stdin: post('error'), command: refuses }).stderr).toBe(
      'Stay.',
    );
    const response = { hook_event_name: 'post_approval_response', extra: { choice: 'once' } };
    const denied = { ...response, extra: { choice: 'deny' } };
    expect(
      [response, denied].map(
        (sent) =>
          run(hermesHooks, { event: 'permission_denied', stdin: sent, command: refuses }).stderr,
      ),
    ).toEqual(['', 'Stay.']);
  });

  test('does not wait for a background process', () => {
    const stdin = { ...CLAUDE, hook_event_name: 'PostToolUse' };
    const pids = join(temporaryFolder(), 'pids');
    const ran = run(claudeCodeHooks, { stdin, command: `sleep 600 & echo $! > ${pids}` });
    expect(ran.code).toBe(0);
    expect(isRunning(pids)).toBe(true);
    process.kill(Number(readFileSync(pids, 'utf8')), 'SIGKILL');
  });
});

test('uses the script in the home directory for user hooks', () => {
  const shim = { artifact: hook, event: 'stop', native: { event: 'Stop' }, timeout: 30 } as const;
  expect(commandShim(claudeCodeHooks, 'home')({ ...shim, command: 'true' }).command).toBe(
    'node "$HOME"/.catalog/hooks/claude-code.mjs stop ops/guard true 30',
  );
  expect(commandShim(hermesHooks, 'home')({ ...shim, command: 'true' }).command).toBe(
    `sh -c 'exec node "$''HOME/.catalog/hooks/hermes.mjs" "$''@"' catalog stop ops/guard true 30`,
  );
});

test.each([geminiCliHooks, hermesHooks])(
  '$title command has no environment variable to expand',
  (product) => {
    const command = 'echo "$HOME ${USER} $GEMINI_PROJECT_DIR"';
    const shim = { artifact: hook, event: 'stop', native: { event: 'any' }, timeout: 1 } as const;
    expect(commandShim(product)({ ...shim, command }).command).not.toMatch(/\$[\w{]/);
  },
);

describe.each([
  ['workspace', 'packages/app'],
  ['home', 'elsewhere'],
] as const)('Windows form, run from the %s', (at, below) => {
  test('runs the same command with the same arguments', () => {
    const root = temporaryFolder("catalog it's a test-");
    const shim = commandShim(
      codexHooks,
      at,
    )({
      artifact: hook,
      event: 'pre_tool_use',
      native: { event: 'any' },
      command: `cat > payload.json; echo "it's \\"no\\" 100%" >&2; exit 2`,
      timeout: 5,
    });
    for (const file of shim.files) {
      if (file.kind === 'write') writeTree(root, { [file.path]: file.bytes });
    }
    const cwd = join(root, below);
    mkdirSync(cwd, { recursive: true });
    const input = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash' });
    // The command has nothing for a shell to expand, so this system's shell can replace those of
    // Windows.
    expect(shim.windows).toMatch(/^node -e "[^"$`%\\]+" catalog:[\w-]+$/);
    const ran = spawnSync('sh', ['-c', shim.windows ?? ''], {
      cwd,
      env: { ...process.env, HOME: root },
      input,
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 2, stderr: `it's "no" 100%\n` });
    const payload = JSON.parse(readFileSync(join(root, 'payload.json'), 'utf8'));
    expect(payload).toMatchObject({ event: 'pre_tool_use', tool: 'Bash' });
  });
});

test('a hook command has no Windows form in a plugin, whose directory is unknown', () => {
  const shim = commandShim(codexHooks)({
    artifact: hook,
    event: 'stop',
    native: { event: 'any' },
    command: 'true',
    timeout: undefined,
    plugin_root: '${PLUGIN_ROOT}',
  });
  expect(shim.windows).toBeUndefined();
});
