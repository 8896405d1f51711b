import {
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunningCatalog } from '@catalog/testkit/packed-program';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { until } from './until.ts';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

interface Run {
  targets: { artifacts: { id: string }[]; changes: { path: string; change: string }[] }[];
}

/** A watcher with counted syncs: with `--json`, each sync prints one line. */
interface Watcher {
  running: RunningCatalog;
  runs(): Run[];
  runAfter(known: number): Promise<Run>;
}

async function watch(
  workspace: Workspace,
  flags = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Watcher> {
  const running = workspace.start(
    `sync --watch --json --registry ${workspace.registry} --harness harness-a ${flags}`.trim(),
    env,
  );
  const runs = (): Run[] =>
    running
      .output()
      .stdout.split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  await running.waitFor('stderr', /Watching /);
  return {
    running,
    runs,
    runAfter: (known) => until(`run ${known + 1}`, () => runs()[known]),
  };
}

function placed({ root }: Workspace, name: string): string {
  return join(root, `.harness-a/skills/${name}/SKILL.md`);
}

/**
 * Counts pauses that can cause an additional sync: at least half the debounce time, or two seconds
 * without one. Both happen on a busy machine.
 */
function countPauses(times: readonly number[]): number {
  let pauses = 0;
  let start = times[0] ?? 0;
  for (const [index, time] of times.entries()) {
    if (time - (times[index - 1] ?? time) < 100 && time - start < 2000) continue;
    pauses += 1;
    start = time;
  }
  return pauses;
}

function bodyOf(workspace: Workspace, name: string): string {
  const path = placed(workspace, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function edit(workspace: Workspace, id: string, body: string): void {
  writeTree(workspace.registry, skill(id, `Do what ${id} is for.`, body));
}

describe('catalog sync --watch', () => {
  verifies(
    ['CLI-04', 'WATCH-01'],
    'syncs at the start, and after each change until interrupted',
    async () => {
      const workspace = openWorkspace(skill('a/one'));
      const watcher = await watch(workspace);
      expect(watcher.runs()).toHaveLength(1);
      expect(bodyOf(workspace, 'one')).toContain('Do it.');
      edit(workspace, 'a/one', 'Do it again.');
      await watcher.runAfter(1);
      expect(bodyOf(workspace, 'one')).toContain('Do it again.');
      watcher.running.signal('SIGINT');
      expect((await watcher.running.ended).code).toBe(130);
    },
  );

  verifies('WATCH-02', 'syncs once or twice for a burst of a thousand changes', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const watcher = await watch(workspace);
    const times: number[] = [];
    for (let change = 1; change <= 1000; change += 1) {
      edit(workspace, 'a/one', `Change ${change}.`);
      times.push(performance.now());
    }
    await until('the last change', () => bodyOf(workspace, 'one').includes('Change 1000.'));
    // Waits for one more change and its sync, so that every sync of the burst is counted.
    edit(workspace, 'a/one', 'The end.');
    await until('the end', () => bodyOf(workspace, 'one').includes('The end.'));
    const [first, ...burst] = watcher.runs();
    expect(first?.targets[0]?.changes).toHaveLength(1);
    expect(burst.length).toBeLessThanOrEqual(3 + countPauses(times));
  });

  verifies(
    'WATCH-03',
    'reads the registry for each sync, including additions and edits',
    async () => {
      const workspace = openWorkspace(skill('a/one'));
      const watcher = await watch(workspace);
      writeTree(workspace.registry, skill('a/two'));
      const seen = await until('a run with both', () => {
        const ids = watcher
          .runs()
          .at(-1)
          ?.targets[0]?.artifacts.map(({ id }) => id);
        return ids?.length === 2 ? ids : undefined;
      });
      expect(seen).toEqual(['a/one', 'a/two']);
      expect(bodyOf(workspace, 'two')).toContain('Do it.');
    },
  );

  verifies('WATCH-04', 'applies the scope of the profile to each sync', async () => {
    const workspace = openWorkspace({ ...skill('in/one'), ...skill('out/two') });
    writeTree(workspace.root, {
      '.catalog/sync.yaml': 'profiles:\n  team: {include: ["in/**"]}\n',
    });
    const watcher = await watch(workspace, '--profile team');
    expect(existsSync(placed(workspace, 'two'))).toBe(false);
    writeTree(workspace.registry, { ...skill('out/three'), ...skill('in/four') });
    const seen = await until('a run with the new one inside', () => {
      const ids = watcher
        .runs()
        .at(-1)
        ?.targets[0]?.artifacts.map(({ id }) => id);
      return ids?.includes('in/four') === true ? ids : undefined;
    });
    expect(seen).toEqual(['in/four', 'in/one']);
    expect(existsSync(placed(workspace, 'three'))).toBe(false);
  });

  verifies('WATCH-05', 'applies the toggles of the lock to each sync', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('a/two') });
    await workspace.ok(`sync disable a/one --registry ${workspace.registry} --harness harness-a`);
    const watcher = await watch(workspace);
    expect(existsSync(placed(workspace, 'one'))).toBe(false);
    edit(workspace, 'a/two', 'Changed.');
    await watcher.runAfter(1);
    expect(bodyOf(workspace, 'two')).toContain('Changed.');
    expect(existsSync(placed(workspace, 'one'))).toBe(false);
  });

  verifies('WATCH-06', 'writes every selected artifact, not only the changed one', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('a/two') });
    const watcher = await watch(workspace);
    rmSync(placed(workspace, 'two'));
    edit(workspace, 'a/one', 'Changed.');
    await watcher.runAfter(1);
    expect(bodyOf(workspace, 'one')).toContain('Changed.');
    expect(bodyOf(workspace, 'two')).toContain('Do it.');
  });

  verifies(
    'WATCH-07',
    'deletes files of the previous sync that are no longer selected',
    async () => {
      const workspace = openWorkspace({ ...skill('a/one'), ...skill('a/two') });
      await watch(workspace);
      rmSync(join(workspace.registry, 'a/two'), { recursive: true });
      await until('the removal', () => !existsSync(join(workspace.root, '.harness-a/skills/two')));
      expect(existsSync(placed(workspace, 'one'))).toBe(true);
    },
  );

  verifies('WATCH-08', 'rewrites the lock, even if its content is the same', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const watcher = await watch(workspace);
    const lock = join(workspace.root, '.catalog/sync.lock');
    const before = { text: readFileSync(lock, 'utf8'), inode: statSync(lock).ino };
    utimesSync(join(workspace.registry, 'a/one/SKILL.md'), 1, 1);
    await watcher.runAfter(1);
    expect(readFileSync(lock, 'utf8')).toBe(before.text);
    expect(statSync(lock).ino).not.toBe(before.inode);
  });

  test('reports a failed sync, and continues', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const running = workspace.start(
      `sync --watch --registry ${workspace.registry} --harness harness-a`,
    );
    await running.waitFor('stderr', /Watching /);
    writeTree(workspace.root, { '.harness-a/skills/two/SKILL.md': 'Mine.\n' });
    writeTree(workspace.registry, skill('a/two'));
    await running.waitFor('stderr', /code: materialize\.clash/);
    rmSync(join(workspace.root, '.harness-a/skills/two'), { recursive: true });
    edit(workspace, 'a/one', 'Changed.');
    await running.waitFor('stdout', /^harness-a {2}1 added, 1 changed$/m);
    expect(bodyOf(workspace, 'two')).toContain('Do it.');
  });

  test('rejects flags that write nothing', async () => {
    const { error } = openWorkspace();
    for (const other of ['--check', '--dry-run', '--remove', '--locked']) {
      const { error: envelope } = await error(`sync --watch ${other}`);
      expect(envelope.code).toBe('config.usage');
    }
    expect((await error('sync --poll')).error.message).toContain('--watch');
  });
});

describe('the triggers of --watch', () => {
  verifies(
    ['WATCH-16', 'WATCH-19'],
    'include any change in the registry: edited, added, renamed and removed files',
    async () => {
      const workspace = openWorkspace({
        ...skill('a/deep/er/one'),
        'a/deep/er/one/references/x.md': 'One.\n',
      });
      const watcher = await watch(workspace);
      const steps: [string, () => void][] = [
        [
          'edited',
          () => writeTree(workspace.registry, { 'a/deep/er/one/references/x.md': 'Two.\n' }),
        ],
        [
          'added',
          () => writeTree(workspace.registry, { 'a/deep/er/one/references/y.md': 'New.\n' }),
        ],
        ['removed', () => rmSync(join(workspace.registry, 'a/deep/er/one/references/x.md'))],
        ['at the top', () => writeTree(workspace.registry, { 'README.md': 'Not an artifact.\n' })],
      ];
      for (const [what, change] of steps) {
        const known = watcher.runs().length;
        change();
        expect(await watcher.runAfter(known), what).toBeDefined();
      }
      const references = join(workspace.root, '.harness-a/skills/one/references');
      expect(existsSync(join(references, 'x.md'))).toBe(false);
      expect(readFileSync(join(references, 'y.md'), 'utf8')).toBe('New.\n');
    },
  );

  verifies('WATCH-17', 'include any change in the overlay', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const overlay = join(workspace.home, 'mine');
    writeTree(overlay, skill('b/deep/two'));
    const watcher = await watch(workspace, `--overlay ${overlay}`);
    writeTree(overlay, skill('b/deep/two', 'Do what b/deep/two is for.', 'My way.'));
    await watcher.runAfter(1);
    expect(bodyOf(workspace, 'two')).toContain('My way.');
  });

  verifies('WATCH-18', 'include changes in new folders', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const watcher = await watch(workspace);
    writeTree(workspace.registry, skill('new/folder/two'));
    await until('the new folder', () => bodyOf(workspace, 'two') !== '');
    edit(workspace, 'new/folder/two', 'Edited inside.');
    await until('an edit inside it', () => bodyOf(workspace, 'two').includes('Edited inside.'));
    expect(watcher.runs()[0]?.targets[0]?.artifacts).toHaveLength(1);
  });
});

describe('--watch without file events', () => {
  async function poll(workspace: Workspace): Promise<Watcher & { looks(): number[] }> {
    const log = join(workspace.home, 'polls.log');
    const watcher = await watch(workspace, '', {
      NODE_OPTIONS: `--require=${join(import.meta.dirname, 'preload/no-file-events.cjs')}`,
      POLLED: workspace.registry,
      POLL_LOG: log,
    });
    const polls = () => readFileSync(log, 'utf8').split('\n').slice(0, -1).map(Number);
    return { ...watcher, looks: polls };
  }

  verifies('WATCH-20', 'polls every half second and syncs changes', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const watcher = await poll(workspace);
    expect(watcher.running.output().stderr).toContain('does not support file events');
    // Nothing changes here, so every recorded poll is one of the watcher.
    const before = watcher.looks().length;
    await until('six looks', () => watcher.looks().length > before + 6);
    const times = watcher.looks().slice(before);
    const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    pauses.sort((a, b) => a - b);
    expect(pauses[0]).toBeGreaterThanOrEqual(490);
    expect(pauses[3], `pauses of ${pauses.join(', ')} ms`).toBeLessThan(900);
    edit(workspace, 'a/one', 'Longer than it was before.');
    await watcher.runAfter(1);
    expect(bodyOf(workspace, 'one')).toContain('Longer than it was before.');
    utimesSync(join(workspace.registry, 'a/one/SKILL.md'), 1, 1);
    await watcher.runAfter(2);
    const file = join(workspace.registry, 'a/one/SKILL.md');
    writeFileSync(file, `${readFileSync(file, 'utf8')}More.\n`);
    utimesSync(file, 1, 1);
    await until('another size', () => bodyOf(workspace, 'one').includes('More.'));
    writeTree(workspace.registry, skill('a/two'));
    await until('a new path', () => bodyOf(workspace, 'two') !== '');
  });

  verifies('WATCH-21', 'syncs only if the fingerprint changes', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const watcher = await poll(workspace);
    // A change that keeps path, modification time and size.
    chmodSync(join(workspace.registry, 'a/one/SKILL.md'), 0o600);
    const looked = watcher.looks().length;
    await until('four more looks', () => watcher.looks().length >= looked + 4);
    expect(watcher.runs()).toHaveLength(1);
    edit(workspace, 'a/one', 'Now it changed.');
    await watcher.runAfter(1);
    expect(bodyOf(workspace, 'one')).toContain('Now it changed.');
  });
});
