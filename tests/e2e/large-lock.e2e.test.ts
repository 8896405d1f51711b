import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyLock } from '@catalog/consumer/lock/types';
import { formatLock } from '@catalog/consumer/lock/format-lock';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const HASH = `sha256:${'0'.repeat(64)}`;

function openWithLock(lock: string | readonly string[]): Workspace {
  const workspace = openWorkspace(skill('a/b'));
  const { root, registry } = workspace;
  writeTree(root, { '.catalog/sync.yaml': `defaults: {registry: ${registry}, harness: cursor}\n` });
  const path = join(root, '.catalog/sync.lock');
  for (const part of [lock].flat()) writeFileSync(path, part, { flag: 'a' });
  return workspace;
}

/** Returns rows for files, about 190 bytes each. */
function rows(count: number): string {
  return Array.from(
    { length: count },
    (_, index) =>
      `  - {path: .cursor/skills/some-skill-${index}/references/page-${index}.md, hash: ${HASH}, target: default, id: some-domain/some-skill-${index}}\n`,
  ).join('');
}

const [HEAD = '', TAIL = ''] = formatLock({
  ...emptyLock(),
  targets: [{ id: 'default', registry: '/r', harness: 'cursor' }],
  directories: ['.cursor'],
}).split('files: []\n');

describe('a lock of 200 MB', () => {
  const part = rows(100_000);

  test.each([
    ['valid rows', [`${HEAD}files:\n`, ...Array<string>(11).fill(part), TAIL]],
    [
      'one endless line',
      [`${HEAD}files:\n  - {path: "`, ...Array<string>(20).fill('a'.repeat(1e7))],
    ],
  ])('with %s is rejected because of its size', async (_name, lock) => {
    const workspace = openWithLock(lock);
    for (const command of ['sync', 'status', 'why .cursor/skills/b/SKILL.md']) {
      const { error } = await workspace.error(command);
      expect([command, error.code]).toEqual([command, 'materialize.target_invalid']);
      expect(error.message).toContain('is larger than 64 MiB');
    }
  });
});

describe('a lock of 100,000 files', () => {
  const LOCK = `${HEAD}files:\n${rows(100_000)}${TAIL}`;

  test('is accepted by every command', async () => {
    const workspace = openWithLock(LOCK);
    expect((await workspace.ok('status')).stdout).toContain('(100000 files)');
    expect((await workspace.ok('sync --allow-removal')).stdout).toContain('1 added');
  }, 180_000);

  test('does not prevent SIGTERM from stopping a sync', async () => {
    const workspace = openWithLock(LOCK);
    const { root } = workspace;
    const running = workspace.start('sync');
    await expect
      .poll(() => existsSync(join(root, '.catalog/state/holder')), { timeout: 30_000 })
      .toBe(true);
    running.signal('SIGTERM');
    // SIGTERM itself kills a sync that has not written anything, so the exit code is null.
    expect([143, null]).toContain((await running.ended).code);
    expect(existsSync(join(root, '.cursor'))).toBe(false);
  });
});
