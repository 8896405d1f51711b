import { describe, expect, test } from 'vitest';
import { artifactOf } from '@catalog/testkit/authored-package';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import type { SandboxProfile } from '@catalog/core/artifact/types';
import { verifies } from '@catalog/testkit/verifies';
import type { MaterializeHook } from '../config/types.ts';
import { approve, type Approved } from '../trust/approved.ts';
import { runHook } from './run-hook.ts';
import { requireSandbox } from './sandbox.ts';

const SKILL = artifactOf('ops/check', {
  'ARTIFACT.md': '---\ntype: skill\nversion: 1.2.0\n---\n',
  'SKILL.md': '---\nname: check\ndescription: Checks.\n---\nCheck it.\n',
  'scripts/run.sh': '#!/bin/sh\n',
});

function hook(body: string, given: Partial<MaterializeHook> = {}): Approved<MaterializeHook> {
  const base = temporaryFolder();
  const text = `const line = require('node:fs').readFileSync(0, 'utf8'); const message = JSON.parse(line);
    const answer = () => process.stdout.write(JSON.stringify(message) + '\\n');\n${body}`;
  writeTree(base, { 'hook.cjs': text });
  return approve({
    name: 'trial',
    run: [process.execPath, `${base}/hook.cjs`],
    sandbox: 'unrestricted',
    types: undefined,
    harnesses: undefined,
    timeout_ms: 20_000,
    reads: [],
    file: { origin: { kind: 'user', name: '' }, path: '', base, hash: '', content: {} },
    ...given,
  });
}

const CONFIG = { home: '/nobody', env: { PATH: '/usr/bin:/bin' } };

describe('materialization hook', () => {
  test('receives the artifact on one line and returns its replacement', async () => {
    const shown = await runHook(
      hook(`
        if (line.split('\\n').length !== 2) process.exit(9);
        if (message.id !== 'ops/check' || message.version !== '1.2.0' || message.type !== 'skill') process.exit(8);
        const names = message.files.map(({ path, mode }) => path + ' ' + mode).join();
        if (names !== 'ARTIFACT.md 0644,SKILL.md 0644,scripts/run.sh 0755') process.exit(7);
        const skill = message.files[1];
        const text = Buffer.from(skill.content_base64, 'base64') + 'And again.\\n';
        skill.content_base64 = Buffer.from(text).toString('base64');
        message.files = [message.files[0], skill, { path: 'bin/x', mode: '0755', content_base64: 'aGk=' }];
        answer();`),
      SKILL,
      CONFIG,
    );
    expect(shown.body).toBe('Check it.\nAnd again.\n');
    expect(shown.resources).toEqual([
      { path: 'bin/x', executable: true, bytes: Buffer.from('hi') },
    ]);
    expect(shown).toMatchObject({
      id: 'ops/check',
      version: '1.2.0',
      content_hash: SKILL.content_hash,
    });
  });

  describe.each([
    [
      'a non-zero exit',
      `console.error('no such rule'); answer(); process.exitCode = 4;`,
      'exited with 4',
    ],
    ['no answer', ``, 'returned nothing'],
    ['an answer that is no JSON', `console.log('done')`, 'not one line of JSON'],
    ['two answers', `answer(); answer();`, 'not one line of JSON'],
    ['an answer for another artifact', `message.id = 'ops/other'; answer();`, 'a different id'],
    ['a different version', `message.version = '9.0.0'; answer();`, 'a different version'],
    ['no files', `delete message.files; answer();`, 'no list of files'],
    ['a path out of the package', `message.files[2].path = '../../x'; answer();`, '../../x'],
    ['a path twice', `message.files.push(message.files[2]); answer();`, 'twice'],
    ['a mode that is none', `message.files[2].mode = 493; answer();`, 'no mode'],
    ['what is not base64', `message.files[2].content_base64 = '*'; answer();`, 'base64'],
    ['no manifest', `message.files = message.files.slice(2); answer();`, 'ops/check'],
    [
      'another type in the manifest',
      `message.files[0].content_base64 = Buffer.from('---\\ntype: context\\nversion: 1.2.0\\ndescription: x\\n---\\n').toString('base64'); answer();`,
      'type',
    ],
  ])('materialization hook with %s', (_name, body, problem) => {
    verifies('ERR-58', 'fails and writes nothing', async () => {
      const failing = runHook(hook(body), SKILL, CONFIG);
      await expect(failing).rejects.toMatchObject({
        code: 'materialize.hook_failed',
        details: { artifact_id: 'ops/check', version: '1.2.0', hook: 'trial' },
      });
      await expect(failing).rejects.toThrow(problem);
    });
  });

  test('may return files of many megabytes', async () => {
    const shown = await runHook(
      hook(
        `message.files[2].content_base64 = Buffer.alloc(8_000_000).toString('base64'); answer();`,
      ),
      SKILL,
      CONFIG,
    );
    expect(shown.resources[0]?.bytes).toHaveLength(8_000_000);
  });

  test("includes the hook's stderr in the error", async () => {
    const failing = runHook(hook(`console.error('no such rule'); process.exit(1)`), SKILL, CONFIG);
    await expect(failing).rejects.toThrow('no such rule');
  });

  test('is killed on timeout', async () => {
    const slow = hook(`setTimeout(answer, 60_000)`, { timeout_ms: 300 });
    await expect(runHook(slow, SKILL, CONFIG)).rejects.toThrow('timed out');
  });

  test('fails if its program cannot be started', async () => {
    const missing = hook('', { run: ['/no/such/program'] });
    await expect(runHook(missing, SKILL, CONFIG)).rejects.toMatchObject({
      code: 'materialize.hook_failed',
    });
  });

  const SANDBOXED: SandboxProfile[] = ['read-only-fs', 'network-isolated', 'seccomp-strict'];
  test.each(SANDBOXED)('fails if %s cannot be enforced', async (sandbox) => {
    const config = { ...CONFIG, env: { PATH: temporaryFolder() } };
    await expect(requireSandbox(hook('', { sandbox }), config)).rejects.toMatchObject({
      code: 'materialize.sandbox_unsupported',
      details: { profile: sandbox },
    });
  });

  test('fails if bubblewrap does not work', async () => {
    const folder = temporaryFolder();
    writeTree(folder, {
      bwrap: { x: '#!/bin/sh\necho "No permissions to create a new namespace" >&2\nexit 1\n' },
    });
    const config = { ...CONFIG, env: { PATH: `${folder}:/usr/bin:/bin` } };
    await expect(requireSandbox(hook('', { sandbox: 'read-only-fs' }), config)).rejects.toThrow(
      'No permissions to create a new namespace',
    );
  });
});
