import type { Artifact } from '@catalog/core/artifact/types';
import { artifactOf } from '@catalog/testkit/authored-package';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planArtifacts } from '../../plan.ts';
import { cline } from './index.ts';

function hook(name: string, event: string, action: string, keys = ''): Artifact {
  const head = `---\ntype: hook\nversion: 1.0.0\nhook_event: ${event}\nhook_action: ${JSON.stringify(action)}\n${keys}---\n`;
  return artifactOf(`ops/${name}`, { 'ARTIFACT.md': head });
}

function run(
  event: string,
  sent: object,
  hooks: readonly Artifact[],
  own: Record<string, string> = {},
): { root: string; output: Record<string, unknown>; stderr: string } {
  const root = temporaryFolder();
  writeTree(root, own);
  for (const { path, bytes, executable } of planArtifacts(hooks, cline, { on_clash: 'fail' })
    .files) {
    writeTree(root, { [path]: bytes });
    if (executable) chmodSync(join(root, path), 0o755);
  }
  const { stdout, stderr, status } = spawnSync(join(root, '.clinerules/hooks', event), {
    cwd: root,
    input: JSON.stringify(sent),
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return { root, output: JSON.parse(stdout), stderr: stderr.trim() };
}

const SHELL = {
  hookName: 'PreToolUse',
  taskId: 't1',
  workspaceRoots: ['/repo'],
  preToolUse: { toolName: 'run_commands', parameters: { commands: '["git push"]' } },
};
const REFUSES = 'echo "Not on a Friday." >&2; exit 2';
const ALLOWED = { cancel: false, errorMessage: '', contextModification: '' };

test('cline has one program per event and one file per hook', () => {
  const hooks = [hook('one', 'pre_tool_use', 'true'), hook('two', 'pre_tool_use', 'true')];
  const { files } = planArtifacts(hooks, cline, { on_clash: 'fail' });
  expect(files.map(({ path, executable }) => [path, executable])).toEqual([
    ['.catalog/hooks/cline/ops/one.json', false],
    ['.clinerules/hooks/PreToolUse', true],
    ['.catalog/hooks/cline.mjs', false],
    ['.catalog/hooks/cline/ops/two.json', false],
  ]);
});

test('the cline program runs all hooks of an event and blocks if one of them blocks', () => {
  const hooks = [
    hook('log', 'pre_tool_use', 'cat > payload.json'),
    hook('guard', 'pre_shell_execution', REFUSES),
    hook('broken', 'pre_tool_use', 'exit 3'),
    hook('later', 'post_tool_use', 'touch later'),
  ];
  const { root, output, stderr } = run('PreToolUse', SHELL, hooks);
  expect(output).toEqual({ ...ALLOWED, cancel: true, errorMessage: 'Not on a Friday.' });
  expect(stderr).toBe('ops/broken failed (exit 3)');
  expect(existsSync(join(root, 'later'))).toBe(false);
  expect(JSON.parse(readFileSync(join(root, 'payload.json'), 'utf8'))).toMatchObject({
    event: 'pre_tool_use',
    harness: 'cline',
    tool: 'Bash',
    input: { command: 'git push' },
    cwd: '/repo',
    session_id: 't1',
    native: SHELL,
  });
});

describe('program of an event', () => {
  test.each(['commonjs', 'module'])('runs in a workspace of the type %s', (type) => {
    const own = { 'package.json': JSON.stringify({ type }) };
    expect(run('PreToolUse', SHELL, [hook('a', 'pre_tool_use', 'true')], own).output).toEqual(
      ALLOWED,
    );
  });

  test.each([
    ['pre_read_file', '', 'run_commands', false],
    ['pre_shell_execution', '', 'execute_command', true],
    ['pre_tool_use', 'hook_matcher: Bash\n', 'run_commands', true],
    ['pre_tool_use', 'hook_matcher: Read\n', 'run_commands', false],
  ])('hook on %s with %j for the tool %s sets cancel to %s', (event, keys, toolName, runs) => {
    const sent = { ...SHELL, preToolUse: { toolName, parameters: {} } };
    const { output } = run('PreToolUse', sent, [hook('a', event, REFUSES, keys)]);
    expect(output['cancel']).toBe(runs);
  });

  test('passes the reason of a hook after a tool to the model without ending the task', () => {
    const sent = {
      taskId: 't1',
      postToolUse: { toolName: 'editor', parameters: { path: 'a' }, result: 'ok', success: true },
    };
    const hooks = [
      hook('lint', 'post_file_edit', REFUSES),
      hook('failed', 'post_tool_use_failure', 'echo no'),
    ];
    expect(run('PostToolUse', sent, hooks).output).toEqual({
      ...ALLOWED,
      contextModification: 'Not on a Friday.',
    });
  });
});

test('limits the timeout to less than the 30 seconds of Cline', () => {
  const [file] = planArtifacts([hook('a', 'stop', 'true', 'hook_timeout: 90\n')], cline, {
    on_clash: 'fail',
  }).files;
  expect(JSON.parse(new TextDecoder().decode(file?.bytes))).toMatchObject({ timeout: 29 });
});
