import { artifactOf } from '@catalog/testkit/authored-package';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { opencode } from '../adapters/opencode/index.ts';
import { pi } from '../adapters/pi/index.ts';
import type { HarnessAdapter } from '../adapter.ts';
import { plainNames } from '../naming.ts';

const folder = mkdtempSync(join(tmpdir(), 'catalog-hook-module-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;

// oxlint-disable-next-line typescript/no-explicit-any -- what a generated module returns is untyped
type Load = (host: unknown) => any;

interface Options {
  timeout?: number;
  matcher?: string;
}

interface Delivered {
  load: Load;
  seen: () => unknown;
}

async function deliver(
  adapter: HarnessAdapter,
  event: string,
  script: string,
  { timeout = 20, matcher }: Options = {},
): Promise<Delivered> {
  made += 1;
  const root = join(folder, `work space ${made}`);
  const artifact = artifactOf('ops/guard', {
    'ARTIFACT.md': `---\ntype: hook\nversion: 1.0.0\nhook_event: ${event}\nhook_action: sh scripts/guard.sh\nhook_timeout: ${timeout}\n${matcher === undefined ? '' : `hook_matcher: ${matcher}\n`}---\n`,
    'scripts/guard.sh': `cat > seen.json\n${script}\n`,
  });
  const operations = adapter.place.hook(artifact, plainNames(artifact.id));
  if ('untranslatable' in operations) throw new Error(operations.untranslatable);
  let module = '';
  for (const operation of operations) {
    if (operation.kind !== 'write') throw new Error('a hook of a module host is files only');
    const path = join(root, operation.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, operation.bytes);
    if (operation.path.includes('catalog-guard')) module = path;
  }
  const { default: load } = await import(/* @vite-ignore */ pathToFileURL(module).href);
  return { load, seen: () => JSON.parse(readFileSync(join(root, 'seen.json'), 'utf8')) };
}

const REFUSES = 'echo "not on a Friday" >&2; exit 2';
const FAILS = 'echo "no calendar" >&2; exit 7';

describe('OpenCode hook', () => {
  async function plugin(event: string, script: string, options?: Options) {
    const { load, seen } = await deliver(opencode, event, script, options);
    const logged: unknown[] = [];
    const log = async (entry: unknown): Promise<void> => void logged.push(entry);
    // The session of a subagent has a parent.
    const get = async ({ path: { id } }: { path: { id: string } }): Promise<object> => ({
      data: id === 'child' ? { id, parentID: 's1' } : { id },
    });
    const client = { app: { log }, session: { get } };
    const hooks = await load({ client, directory: '/repo' });
    return { hooks, seen, logged };
  }

  const CALL = { tool: 'bash', sessionID: 's1', callID: 'c1' };
  const ARGS = { args: { command: 'git push' } };

  test('receives the input of the tool and allows the call', async () => {
    const { hooks, seen, logged } = await plugin('pre_tool_use', 'exit 0');
    await hooks['tool.execute.before'](CALL, ARGS);
    expect(seen()).toEqual({
      event: 'pre_tool_use',
      harness: 'opencode',
      cwd: '/repo',
      tool: 'Bash',
      input: { command: 'git push' },
      session_id: 's1',
    });
    expect(logged).toEqual([]);
  });

  test('blocks the tool with its reason on exit code 2', async () => {
    const { hooks } = await plugin('pre_shell_execution', REFUSES);
    await expect(hooks['tool.execute.before'](CALL, ARGS)).rejects.toThrow(/^not on a Friday$/);
  });

  test('does not run for tools of other events', async () => {
    const { hooks, seen } = await plugin('pre_read_file', REFUSES);
    await hooks['tool.execute.before'](CALL, ARGS);
    expect(seen).toThrow('ENOENT');
  });

  test.each([
    ['Bash|Edit', 'bash', true],
    ['Bash, Edit', 'apply_patch', true],
    ['Write', 'apply_patch', true],
    ['Bash|Edit', 'read', false],
    ['^(Bash|Edit)$', 'multiedit', true],
    ['^(Bash|Edit)$', 'read', false],
    ['mcp__wh__query', 'wh_query', true],
    ['mcp__my_wh__.*', 'my_wh_query', true],
    ['mcp__wh__.*', 'docs_search', false],
    ['mcp__wh__.*', 'apply_patch', false],
  ])('with the matcher %s runs at %s: %s', async (matcher, tool, runs) => {
    const { hooks } = await plugin('pre_tool_use', REFUSES, { matcher });
    const call = hooks['tool.execute.before']({ ...CALL, tool }, ARGS);
    if (runs) await expect(call).rejects.toThrow('not on a Friday');
    else await call;
  });

  test('adds its output to the result of a tool', async () => {
    const { hooks } = await plugin('post_tool_use', 'echo Freeze.');
    const output = { output: 'pushed' };
    await hooks['tool.execute.after']({ ...CALL, ...ARGS }, output);
    expect(output).toEqual({ output: 'pushed\n\nFreeze.' });
  });

  test('warns on any other exit code and allows the tool', async () => {
    const { hooks, logged } = await plugin('pre_tool_use', FAILS);
    await hooks['tool.execute.before'](CALL, ARGS);
    expect(logged).toEqual([
      {
        body: {
          service: 'catalog',
          level: 'warn',
          message: 'ops/guard failed (exit 7): no calendar',
        },
      },
    ]);
  });

  test('is killed on timeout with its child processes, and warns', async () => {
    const { hooks, logged } = await plugin('pre_tool_use', 'sleep 600 & sleep 600', { timeout: 1 });
    await hooks['tool.execute.before'](CALL, ARGS);
    expect(JSON.stringify(logged)).toContain('ops/guard was ended after 1 s');
  });

  test('warns if the input cannot be serialized, and allows the tool', async () => {
    const { hooks, logged } = await plugin('pre_tool_use', REFUSES);
    await hooks['tool.execute.before'](CALL, { args: { count: 1n } });
    expect(JSON.stringify(logged)).toContain('ops/guard could not be run');
  });

  test('runs for many tools in parallel without warnings', async () => {
    const { hooks, logged } = await plugin('pre_tool_use', 'sleep 0.2');
    const before = process.listenerCount('exit');
    const calls = Array.from({ length: 12 }, () => hooks['tool.execute.before'](CALL, ARGS));
    expect(process.listenerCount('exit')).toBe(before);
    await Promise.all(calls);
    expect(logged).toEqual([]);
  });

  test('does not wait for background processes of its command', async () => {
    const { hooks, logged } = await plugin('pre_tool_use', 'sleep 2 & exit 0', { timeout: 1 });
    await hooks['tool.execute.before'](CALL, ARGS);
    expect(logged).toEqual([]);
  });

  test('receives the output of a tool and only warns on exit code 2', async () => {
    const { hooks, seen, logged } = await plugin('post_tool_use', REFUSES);
    await hooks['tool.execute.after']({ ...CALL, ...ARGS }, { output: 'pushed' });
    expect(seen()).toMatchObject({ input: { command: 'git push' }, output: 'pushed' });
    expect(JSON.stringify(logged)).toContain('not on a Friday');
  });

  test('receives a prompt and can block the prompt', async () => {
    const { hooks, seen } = await plugin('user_prompt_submit', REFUSES);
    const parts = [{ type: 'file' }, { type: 'text', text: 'ship it' }];
    await expect(hooks['chat.message']({ sessionID: 's1' }, { parts })).rejects.toThrow('Friday');
    expect(seen()).toMatchObject({ event: 'user_prompt_submit', prompt: 'ship it' });
  });

  test.each([
    ['session_start', 'session.created', { info: { id: 's1' } }],
    ['stop', 'session.idle', { sessionID: 's1' }],
    ['permission_denied', 'permission.replied', { sessionID: 's1', reply: 'reject' }],
  ])('%s runs at the event %s', async (event, type, properties) => {
    const { hooks, seen } = await plugin(event, 'exit 0');
    await hooks['event']({ event: { type: 'other', properties } });
    expect(seen).toThrow('ENOENT');
    await hooks['event']({ event: { type, properties } });
    expect(seen()).toEqual({ event, harness: 'opencode', cwd: '/repo', session_id: 's1' });
  });

  test('adds its output as context to the prompt', async () => {
    const { hooks } = await plugin('user_prompt_submit', 'echo "Freeze until Monday."');
    const output = { message: { id: 'm1' }, parts: [{ id: 'prt_1', type: 'text', text: 'ship' }] };
    await hooks['chat.message']({ sessionID: 's1' }, output);
    expect(output.parts).toEqual([
      { id: 'prt_1', type: 'text', text: 'ship' },
      {
        id: 'prt_10',
        sessionID: 's1',
        messageID: 'm1',
        type: 'text',
        text: 'Freeze until Monday.',
        synthetic: true,
      },
    ]);
  });

  test('adds its output at the start of a session to the first prompt', async () => {
    const { hooks } = await plugin('session_start', 'sleep 0.2; echo "Freeze until Monday."');
    // OpenCode does not wait for event handlers.
    const started = hooks['event']({
      event: { type: 'session.created', properties: { info: { id: 's1' } } },
    });
    const first = { message: { id: 'm1' }, parts: [] };
    await hooks['chat.message']({ sessionID: 's1' }, first);
    expect(first.parts).toMatchObject([{ text: 'Freeze until Monday.', synthetic: true }]);
    const second = { message: { id: 'm2' }, parts: [] };
    await hooks['chat.message']({ sessionID: 's1' }, second);
    expect(second.parts).toEqual([]);
    await started;
  });

  test('does not run session events for subagents', async () => {
    const prompt = await plugin('user_prompt_submit', REFUSES);
    await prompt.hooks['chat.message']({ sessionID: 'child' }, { parts: [] });
    expect(prompt.seen).toThrow('ENOENT');
    const stop = await plugin('stop', 'exit 0');
    await stop.hooks['event']({
      event: { type: 'session.idle', properties: { sessionID: 'child' } },
    });
    expect(stop.seen).toThrow('ENOENT');
    const start = await plugin('session_start', 'exit 0');
    await start.hooks['event']({
      event: { type: 'session.created', properties: { info: { id: 'child', parentID: 's1' } } },
    });
    expect(start.seen).toThrow('ENOENT');
  });

  test('adds path and content to the native input', async () => {
    const { hooks, seen } = await plugin('pre_tool_use', 'exit 0');
    const args = { filePath: 'a.ts', oldString: 'a', newString: 'b' };
    await hooks['tool.execute.before']({ tool: 'edit', sessionID: 's1' }, { args });
    expect(seen()).toMatchObject({ input: { ...args, path: 'a.ts', content: 'b' } });
  });

  test('does not run permission_denied for a granted permission', async () => {
    const { hooks, seen } = await plugin('permission_denied', 'exit 0');
    await hooks['event']({
      event: { type: 'permission.replied', properties: { reply: 'once' } },
    });
    expect(seen).toThrow('ENOENT');
  });
});

interface PiEvent {
  type: string;
  [member: string]: unknown;
}

describe('Pi hook', () => {
  type Handler = (event: unknown, context: unknown) => Promise<unknown>;

  async function extension(event: string, script: string, options?: Options) {
    const { load, seen } = await deliver(pi, event, script, options);
    const notified: string[] = [];
    const handlers = new Map<string, Handler>();
    const sent: unknown[] = [];
    load({
      on: (name: string, handler: Handler) => void handlers.set(name, handler),
      sendMessage: (...message: unknown[]) => void sent.push(message),
    });
    const context = {
      cwd: '/repo',
      hasUI: true,
      ui: { notify: (message: string) => void notified.push(message) },
      sessionManager: { getSessionId: () => 's1' },
    };
    const emit = (payload: PiEvent): Promise<unknown> | undefined =>
      handlers.get(payload.type)?.(payload, context);
    return { emit, seen, notified, sent };
  }

  const CALL = { type: 'tool_call', toolName: 'bash', input: { command: 'git push' } };
  const RESULT = {
    ...CALL,
    type: 'tool_result',
    content: [{ type: 'text', text: 'pushed' }],
    isError: false,
  };

  test('receives the input of the tool and allows the call', async () => {
    const { emit, seen, notified } = await extension('pre_tool_use', 'exit 0');
    expect(await emit(CALL)).toBeUndefined();
    expect(seen()).toEqual({
      event: 'pre_tool_use',
      harness: 'pi',
      tool: 'Bash',
      input: { command: 'git push' },
      cwd: '/repo',
      session_id: 's1',
    });
    expect(notified).toEqual([]);
  });

  test('blocks the tool with its reason on exit code 2', async () => {
    const { emit, notified } = await extension('pre_shell_execution', REFUSES);
    expect(await emit(CALL)).toEqual({ block: true, reason: 'not on a Friday' });
    expect(notified).toEqual([]);
  });

  test('does not run for tools of other events', async () => {
    const { emit, seen } = await extension('pre_read_file', REFUSES);
    expect(await emit(CALL)).toBeUndefined();
    expect(seen).toThrow('ENOENT');
  });

  test('warns on any other exit code or a timeout, and allows the tool', async () => {
    const failing = await extension('pre_tool_use', FAILS);
    expect(await failing.emit(CALL)).toBeUndefined();
    expect(failing.notified).toEqual(['ops/guard failed (exit 7): no calendar']);
    const slow = await extension('pre_tool_use', 'sleep 600', { timeout: 1 });
    expect(await slow.emit(CALL)).toBeUndefined();
    expect(slow.notified).toEqual(['ops/guard was ended after 1 s']);
  });

  test.each([
    ['Bash|Edit', 'bash', true],
    ['Bash|Edit', 'read', false],
    ['^(Bash|Edit)$', 'edit', true],
    ['^(Bash|Edit)$', 'read', false],
    ['bash', 'bash', true],
    ['mcp__wh__.*', 'wh_query', true],
    ['mcp__wh__.*', 'read', false],
  ])('with the matcher %s runs at %s: %s', async (matcher, toolName, runs) => {
    const { emit } = await extension('pre_tool_use', REFUSES, { matcher });
    const stopped = await emit({ ...CALL, toolName });
    expect(stopped).toEqual(runs ? { block: true, reason: 'not on a Friday' } : undefined);
  });

  test('adds its output to the next prompt, or to the result of a tool', async () => {
    const start = await extension('session_start', 'echo Freeze.');
    await start.emit({ type: 'session_start', reason: 'startup' });
    const message = { customType: 'catalog', content: 'Freeze.', display: false };
    expect(start.sent).toEqual([[message, { deliverAs: 'nextTurn' }]]);
    const prompt = await extension('user_prompt_submit', 'echo Freeze.');
    await prompt.emit({ type: 'input', text: 'ship it' });
    await prompt.emit({ type: 'input', text: 'ship it', streamingBehavior: 'steer' });
    expect(prompt.sent).toEqual([
      [message, { deliverAs: 'nextTurn' }],
      [message, { deliverAs: 'steer' }],
    ]);
    const after = await extension('post_tool_use', 'echo Freeze.');
    expect(await after.emit(RESULT)).toEqual({
      content: [...RESULT.content, { type: 'text', text: 'Freeze.' }],
    });
  });

  test('runs post_tool_use_failure only for failed tools', async () => {
    const failure = await extension('post_tool_use_failure', 'exit 0');
    await failure.emit(RESULT);
    expect(failure.seen).toThrow('ENOENT');
    await failure.emit({ ...RESULT, isError: true });
    expect(failure.seen()).toMatchObject({ tool: 'Bash', output: 'pushed' });
    const success = await extension('post_tool_use', 'exit 0');
    await success.emit({ ...RESULT, isError: true });
    expect(success.seen).toThrow('ENOENT');
  });

  test('blocks a prompt and a compaction in the format of Pi, and reports the reason', async () => {
    const prompt = await extension('user_prompt_submit', REFUSES);
    expect(await prompt.emit({ type: 'input', text: 'ship it' })).toEqual({
      action: 'handled',
    });
    expect(prompt.seen()).toMatchObject({ prompt: 'ship it' });
    expect(prompt.notified).toEqual(['not on a Friday']);
    const compaction = await extension('pre_compact', REFUSES);
    expect(await compaction.emit({ type: 'session_before_compact' })).toEqual({ cancel: true });
  });
});
