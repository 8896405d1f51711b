import type { PurgeResult } from '@catalog/contract/records/purge';
import { sendJson, startFakeServer } from '@catalog/testkit/fake-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { runProgram } from '../../program.ts';

const HASH = 'sha256:x';
const RESULT: PurgeResult = {
  dry_run: false,
  purged: [{ layer: 'team', id: 'ops/deploy', version: '1.2.0', content_hash: HASH }],
  children: [
    {
      layer: 'team',
      id: 'ops/child',
      version: '3.0.0',
      content_hash: HASH,
      parent: 'ops/deploy@1.2.0',
    },
  ],
  now_served: [{ layer: 'team', id: 'ops/deploy', version: '1.1.0' }],
  shared_files: [{ layer: 'base', id: 'ops/copy', version: '2.0.0', content_hash: HASH }],
  objects_removed: 2,
};

async function run(argv: string[], result: PurgeResult = RESULT) {
  const registry = await startFakeServer((_, response) => sendJson(response, result));
  const folder = temporaryFolder('catalog-purge-');
  const output = { stdout: '', stderr: '' };
  const code = await runProgram({
    argv: ['admin', 'purge', ...argv, '--registry', registry.url],
    cwd: () => folder,
    home: folder,
    env: {},
    stdin: {},
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    signal: new AbortController().signal,
    now: () => 0,
  });
  const { body = '{}' } = registry.requests.at(-1) ?? {};
  const sent: unknown = JSON.parse(body === '' ? '{}' : body);
  return { code, ...output, body: sent };
}

const LEAK = ['ops/deploy@1.2.0', '--reason', 'Contains a key.'];

test('without --yes, shows what would be removed', async () => {
  const { stdout, body } = await run(LEAK, { ...RESULT, dry_run: true });
  expect(body).toEqual({
    id: 'ops/deploy',
    version: '1.2.0',
    reason: 'Contains a key.',
    dry_run: true,
  });
  expect(stdout).toContain('Would purge 1 version\n  ops/deploy@1.2.0 in team\n');
  expect(stdout).toContain('run the command with --yes');
});

test('with --yes, shows children, what is served instead, and other copies', async () => {
  const { code, stdout, body } = await run([...LEAK, '--yes', '--layer', 'team']);
  expect(code).toBe(0);
  expect(body).toMatchObject({ layer: 'team' });
  expect(body).not.toHaveProperty('dry_run');
  expect(stdout).toContain('  ops/child@3.0.0 in team, extends ops/deploy@1.2.0');
  expect(stdout).toContain('Now served instead\n  ops/deploy@1.1.0 in team');
  expect(stdout).toContain('  ops/copy@2.0.0 in base  sha256:x');
  expect(stdout).toContain('Removed 2 files from the object store');
});

test('an id without a version purges every version, and a reason is required', async () => {
  expect((await run(['ops/deploy', '--reason', 'Takedown.'])).body).not.toHaveProperty('version');
  expect((await run(['ops/deploy', '--yes'])).code).toBe(2);
});
