import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { NATIVE_HOOK_FILE, NATIVE_HOOK_SCRIPT } from './native-hook-script.ts';

const DEADLINE_MS = 30_000;

function run(stdout: string, code = 0): [code: number | null, stdout: string, stderr: string] {
  const folder = temporaryFolder();
  writeTree(folder, { [NATIVE_HOOK_FILE]: NATIVE_HOOK_SCRIPT, 'out.txt': stdout });
  const script = join(folder, NATIVE_HOOK_FILE);
  const command = `cat "$HOOK_FOLDER/out.txt"; echo problem >&2; exit ${code}`;
  const ran = spawnSync(process.execPath, [script, command], {
    input: JSON.stringify({ cwd: folder, native: { tool_name: 'Bash' } }),
    encoding: 'utf8',
    timeout: DEADLINE_MS,
  });
  return [ran.status, ran.stdout, ran.stderr];
}

describe('output of a native hook', () => {
  test.each([
    [{ decision: 'block', reason: 'Not today.' }, 'Not today.'],
    [{ decision: 'deny' }, 'blocked'],
    [{ permission: 'deny', user_message: 'Ask first.' }, 'Ask first.'],
    [{ continue: false, stopReason: 'Done.' }, 'Done.'],
    [
      { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'No.' } },
      'No.',
    ],
    [{ hookSpecificOutput: { decision: { behavior: 'deny', message: 'Never.' } } }, 'Never.'],
  ])('blocks with exit code 2 and the reason: %j', (output, reason) => {
    expect(run(JSON.stringify(output))).toEqual([2, '', reason]);
  });

  test.each([
    [{ decision: 'approve' }, ''],
    [{ hookSpecificOutput: { additionalContext: 'Use spaces.' } }, 'Use spaces.'],
  ])('continues: %j', (output, context) => {
    expect(run(JSON.stringify(output))).toEqual([0, context, 'problem\n']);
  });

  test('is passed on as text if it is not JSON', () => {
    expect(run('plain')).toEqual([0, 'plain', 'problem\n']);
  });

  test('is ignored if the command failed, so the exit code decides', () => {
    const output = JSON.stringify({ decision: 'block', reason: 'Not today.' });
    expect(run(output, 1)).toEqual([1, output, 'problem\n']);
  });
});
