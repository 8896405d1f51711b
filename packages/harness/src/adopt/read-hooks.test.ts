import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { loadAdapter } from '../registry.ts';
import { findEvent, listCommands, readHook, type HookReading } from './read-hooks.ts';

const SCRIPT = {
  path: '.claude/hooks/guard.sh',
  bytes: new TextEncoder().encode('#!/bin/sh\ncat > "$SEEN"\necho no >&2\nexit 2\n'),
  executable: true,
};

function read(harness: string, element: object, event = 'PreToolUse'): HookReading {
  const source = loadAdapter(harness).adopt?.find(({ kind }) => kind === 'hooks');
  const [native] = listCommands({ [event]: [JSON.parse(JSON.stringify(element))] });
  if (source?.kind !== 'hooks' || native === undefined || 'left' in native) throw new RangeError();
  const reading = readHook(native, source, harness, (path) =>
    path === SCRIPT.path ? SCRIPT : undefined,
  );
  if ('left' in reading) throw new RangeError(reading.left);
  return reading;
}

const GUARD = {
  matcher: 'Edit|Write',
  hooks: [
    { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh -x', timeout: 10 },
  ],
};

describe('readHook for a product with its own hook contract', () => {
  test('limits the hook to the product and bundles its scripts', () => {
    const { name, values, resources, changes } = read('claude-code', GUARD);
    expect(name).toBe('pre-tool-use-guard');
    expect(values).toEqual({
      hook_event: 'pre_tool_use',
      hook_action: `node run-native.mjs '"$HOOK_FOLDER"/scripts/guard.sh -x'`,
      hook_matcher: 'Edit|Write',
      hook_timeout: 10,
      target_harnesses: ['claude-code'],
    });
    expect(resources.map(({ path }) => path)).toEqual(['run-native.mjs', 'scripts/guard.sh']);
    expect(changes).toContain('.claude/hooks/guard.sh is bundled as scripts/guard.sh');
  });

  test('limits a timeout to one day and reports the change', () => {
    const [hook] = GUARD.hooks;
    const { values, changes } = read('claude-code', {
      ...GUARD,
      hooks: [{ ...hook, timeout: 90_000 }],
    });
    expect(values['hook_timeout']).toBe(86_400);
    expect(changes).toContain('its time-out is a day instead of 90000 seconds');
  });

  function run(native: object): { status: number | null; stderr: string; seen: boolean } {
    const { values, resources } = read('claude-code', GUARD);
    const folder = temporaryFolder();
    for (const { path, bytes } of resources) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
      chmodSync(join(folder, path), 0o755);
    }
    const { hook_action: action } = values;
    if (typeof action !== 'string') throw new RangeError('a hook has an action');
    const command = action.replace('node run', `"${process.execPath}" run`);
    const { status, stderr } = spawnSync('sh', ['-c', command], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', SEEN: join(folder, 'seen') },
      input: JSON.stringify({ event: 'pre_tool_use', tool: 'Edit', native }),
      encoding: 'utf8',
    });
    const seen = spawnSync('cat', [join(folder, 'seen')], { encoding: 'utf8' }).stdout;
    return { status, stderr, seen: seen.trim() === JSON.stringify(native) };
  }

  test('passes the native input to the command and blocks if the command blocks', () => {
    expect(run({ tool_name: 'Edit', tool_input: {} })).toEqual({
      status: 2,
      stderr: 'no\n',
      seen: true,
    });
  });
});

test('keeps a command of a neutral harness unchanged', () => {
  const { values, resources } = read('harness-a', { hooks: [{ command: 'npm test' }] });
  expect(values).toEqual({ hook_event: 'pre_tool_use', hook_action: 'npm test' });
  expect(resources).toEqual([]);
});

test('rounds a timeout in milliseconds up to seconds', () => {
  const hook = { hooks: [{ type: 'command', command: 'a', timeout: 1500 }] };
  expect(read('gemini-cli', hook, 'BeforeTool').values['hook_timeout']).toBe(2);
});

test.each([
  ['qwen', 30, 30],
  ['qwen', 30_000, 30],
])('converts a timeout of %s of %d to %d seconds', (harness, timeout, seconds) => {
  const hook = { hooks: [{ type: 'command', command: 'a', timeout }] };
  expect(read(harness, hook).values['hook_timeout']).toBe(seconds);
});

test.each([
  ['claude-code', 'PreToolUse', 'Edit|Agent', 'Edit|Task'],
  ['claude-code', 'PreToolUse', '^mcp__wh__.*', '^mcp__wh__.*'],
  ['codex', 'PreToolUse', 'Bash|apply_patch', 'Bash|Edit'],
  ['gemini-cli', 'BeforeTool', 'run_shell_command|replace', 'Bash|Edit'],
  ['gemini-cli', 'BeforeTool', 'read_file', 'read_file'],
  ['gemini-cli', 'BeforeTool', 'write_', '(?:write_)'],
  ['gemini-cli', 'BeforeTool', 'write_.*', 'write_.*'],
  ['copilot', 'preToolUse', 'bash|powershell|view', 'Bash|Read'],
  ['copilot', 'preToolUse', 'wh-.*', '^(?:wh-.*)$'],
])('converts a matcher of %s at %s from %s to %s', (harness, event, matcher, hook_matcher) => {
  const hook = { matcher, hooks: [{ type: 'command', command: 'a' }] };
  expect(read(harness, hook, event).values).toMatchObject({ hook_matcher });
});

test('adopt reports an event that is wider than the canonical one', () => {
  const source = loadAdapter('hermes', 'user').adopt?.find(({ kind }) => kind === 'hooks');
  if (source?.kind !== 'hooks') throw new RangeError();
  const native = {
    event: 'post_approval_response',
    matcher: '',
    command: 'a',
    timeout: undefined,
    element: {},
    commands: 1,
  };
  const reading = readHook(native, source, 'hermes', () => undefined);
  expect('changes' in reading && reading.changes[0]).toBe(
    'post_approval_response is permission_denied: it no longer runs where permission was given',
  );
});

describe('findEvent', () => {
  const { hook_events } = loadAdapter('codex');
  test.each([
    ['PreToolUse', '', 'pre_tool_use', ''],
    ['PreToolUse', '*', 'pre_tool_use', ''],
    ['PreToolUse', '^Bash$', 'pre_shell_execution', ''],
    ['PreToolUse', 'Bash', 'pre_shell_execution', ''],
    ['PreToolUse', '^mcp__', 'pre_mcp_execution', ''],
    ['PreToolUse', 'Bash|Edit', 'pre_tool_use', 'Bash|Edit'],
  ])('maps %s with %j to %s and leaves %j', (event, matcher, canonical, left_matcher) => {
    expect(findEvent(hook_events, event, matcher)).toEqual({ event: canonical, left_matcher });
  });

  test('returns undefined for an unknown event', () => {
    expect(findEvent(hook_events, 'Elsewhere', '')).toBeUndefined();
  });
});
