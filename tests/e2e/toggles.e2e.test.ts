import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const ONE = '.claude/skills/one/SKILL.md';
const TWO = '.claude/skills/two/SKILL.md';

async function openSynced(more = ''): Promise<Workspace> {
  const workspace = openWorkspace({ ...skill('a/one'), ...skill('b/two') });
  configure(workspace, more);
  await workspace.ok('sync');
  return workspace;
}

function configure({ root, registry }: Workspace, more: string): void {
  const text = `defaults:\n  registry: ${registry}\n  harness: claude-code\n${more}`;
  writeTree(root, { '.catalog/sync.yaml': text });
}

function delivered({ root }: Workspace): string[] {
  return Object.keys(readTree(root)).filter((path) => path.startsWith('.claude/'));
}

function syncFile({ root }: Workspace): string {
  return readFileSync(join(root, '.catalog/sync.yaml'), 'utf8');
}

function withoutState({ root }: Workspace): Record<string, string> {
  return readTree(root, ['.catalog/state']);
}

describe('the next plain sync', () => {
  test('prints which toggles it resets, and how to keep them', async () => {
    const workspace = await openSynced('  exclude: [b/two]\n');
    await workspace.ok('sync disable a/one');
    await workspace.ok('sync enable b/two');
    const { stdout } = await workspace.ok('sync');
    expect(stdout).toContain(
      '  Reset to the configuration: a/one (was disabled), b/two (was enabled)\n' +
        '  to disable permanently: `catalog sync disable --save a/one`\n' +
        '  to enable permanently: `catalog sync enable --save b/two`\n',
    );
    expect(delivered(workspace)).toEqual([ONE]);
    expect((await workspace.ok('sync')).stdout).not.toMatch(/reset/i);
  });

  test('lists the reset toggles in the JSON report', async () => {
    const workspace = await openSynced();
    await workspace.ok('sync disable a/one b/two');
    const { document } = await workspace.json('sync');
    expect(document['targets']).toMatchObject([
      { toggles_reset: { add: [], remove: ['a/one', 'b/two'] } },
    ]);
    const again = await workspace.json('sync');
    expect(JSON.stringify(again.document)).not.toContain('toggles_reset');
  });

  test('reports the reset toggles with --dry-run, --check and status, and changes nothing', async () => {
    const workspace = await openSynced();
    await workspace.ok('sync disable a/one');
    const before = withoutState(workspace);
    const notice = '  Would reset to the configuration: a/one (is disabled)\n';
    expect((await workspace.ok('sync --dry-run')).stdout).toContain(notice);
    const check = await workspace.run('sync --check');
    expect([check.code, check.stdout.includes(notice)]).toEqual([1, true]);
    expect((await workspace.ok('status')).stdout).toContain(
      '  disabled temporarily: a/one\n' +
        '  the next plain sync resets this\n' +
        '  to disable permanently: `catalog sync disable --save a/one`\n',
    );
    expect(withoutState(workspace)).toEqual(before);
    await workspace.ok('sync --quiet');
    expect((await workspace.ok('status')).stdout).not.toContain('resets');
  });

  test('prints how to keep the toggles in the home folder', async () => {
    const workspace = await openSynced();
    await workspace.ok('sync --scope user --yes --harness claude-code', {
      CATALOG_REGISTRY: workspace.registry,
    });
    const env = { CATALOG_REGISTRY: workspace.registry, CATALOG_HARNESS: 'claude-code' };
    await workspace.ok('sync disable a/one --scope user', env);
    const { stdout } = await workspace.ok('sync --scope user', env);
    expect(stdout).toContain('`catalog sync disable --scope user --save a/one`');
  });
});

describe('sync disable --save', () => {
  test('excludes artifacts permanently and changes nothing else in the file', async () => {
    const workspace = await openSynced('# end');
    const text = `# ours\r\n${syncFile(workspace).replaceAll('\n', '\r\n')}`;
    writeTree(workspace.root, { '.catalog/sync.yaml': text });
    await workspace.ok('sync disable a/one');
    const { stderr } = await workspace.ok('sync disable --save a/one');
    expect(stderr).toContain('.catalog/sync.yaml now excludes a/one');
    expect(syncFile(workspace)).toBe(text.replace(/# end$/, '  exclude:\r\n    - a/one\r\n# end'));
    expect(delivered(workspace)).toEqual([TWO]);
    const { stdout } = await workspace.ok('sync');
    expect(stdout).toContain('up to date');
    expect(stdout).not.toMatch(/reset/i);
    expect((await workspace.ok('status')).stdout).not.toContain('temporarily');

    const again = await workspace.json('sync disable --save a/one');
    const file = join(workspace.root, '.catalog/sync.yaml');
    expect(again.document['saved']).toEqual({ file, state: 'disable', changed: [] });

    await workspace.ok('sync enable --save a/one');
    expect(syncFile(workspace)).toBe(text);
    expect(delivered(workspace)).toEqual([ONE, TWO]);
  });

  test('creates the file if there is none', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('b/two') });
    const env = { CATALOG_REGISTRY: workspace.registry, CATALOG_HARNESS: 'claude-code' };
    await workspace.ok('sync disable --save a/one', env);
    expect(syncFile(workspace)).toBe('defaults:\n  exclude:\n    - a/one\n');
    expect(delivered(workspace)).toEqual([TWO]);
    await workspace.ok('sync enable --save a/one', env);
    expect(delivered(workspace)).toEqual([ONE, TWO]);
  });

  test('rejects a file that cannot be edited safely, and prints the line to add', async () => {
    const workspace = await openSynced();
    const file = join(workspace.root, '.catalog/sync.yaml');
    renameSync(file, join(workspace.home, 'shared.yaml'));
    symlinkSync(join(workspace.home, 'shared.yaml'), file);
    const before = withoutState(workspace);
    const { code, error } = await workspace.error('sync disable --save a/one');
    expect([code, error.code]).toEqual([1, 'materialize.target_invalid']);
    expect(error.suggested_action).toContain('Add `exclude: [a/one]` under `defaults`');
    expect(withoutState(workspace)).toEqual(before);
  });

  test('keeps the trust in a trusted file', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('b/two') });
    writeTree(workspace.root, {
      'hook.cjs': 'process.stdin.pipe(process.stdout);\n',
    });
    configure(
      workspace,
      `materialize_hooks:\n  - {name: echo, run: [${JSON.stringify(process.execPath)}, ./hook.cjs], sandbox: unrestricted}\n`,
    );
    await workspace.ok('sync --trust');
    await workspace.ok('sync disable --save a/one');
    await workspace.ok('sync');
    expect(delivered(workspace)).toEqual([TWO]);
  });
});

describe('sync enable --save', () => {
  test('names the pattern that excludes the artifact, and changes nothing', async () => {
    const workspace = await openSynced("  exclude: ['a/*']\n");
    const before = withoutState(workspace);
    const { code, error } = await workspace.error('sync enable --save a/one');
    expect([code, error.code]).toEqual([2, 'config.invalid']);
    expect(error.message).toMatch(/`a\/\*` under `defaults\.exclude` in .*sync\.yaml excludes it/);
    expect(withoutState(workspace)).toEqual(before);
  });
});

describe('defaults.exclude', () => {
  test('of every file applies, and config show names each', async () => {
    const workspace = await openSynced('  exclude: [b/two]\n');
    const { root, home } = workspace;
    expect(delivered(workspace)).toEqual([ONE]);
    writeTree(home, { '.catalog/sync.yaml': 'defaults: {exclude: ["a/*"]}\n' });
    const none = await workspace.ok('sync');
    expect(none.stdout).toContain('No artifacts from');
    expect(delivered(workspace)).toEqual([]);
    const shown = (await workspace.ok('config show')).stdout;
    expect(shown).toMatch(/^defaults\.exclude +\["a\/\*"\] +~\/\.catalog\/sync\.yaml$/m);
    expect(shown).toMatch(/^defaults\.exclude +\["b\/two"\] +\.catalog\/sync\.yaml$/m);
    const explained = await workspace.json('config show --explain defaults.exclude');
    expect(explained.document).toMatchObject({
      value: ['b/two', 'a/*'],
      places: [
        { value: ['b/two'], origin: { name: join(root, '.catalog/sync.yaml') }, in_force: true },
        { value: ['a/*'], origin: { name: join(home, '.catalog/sync.yaml') }, in_force: true },
      ],
    });
    const text = (await workspace.ok('config show --explain defaults.exclude')).stdout;
    expect(text.match(/effective/g)).toHaveLength(2);
    expect(text).not.toContain('overridden');
  });
});
