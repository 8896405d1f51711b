import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { runCatalog } from '@catalog/testkit/packed-program';
import { openWorkspace, OPS, skill, type Workspace } from './workspace.ts';

const ASIDE = {
  'ops/tone/ARTIFACT.md':
    '---\ntype: rule\nversion: 1.0.0\ndescription: Keep incident reports calm.\nrule_mode: explicit\n---\nBe calm.\n',
};
const THIN = {
  'ops/thin/ARTIFACT.md': '---\ntype: context\nversion: 1.0.0\ndescription: Thin.\n---\nText.\n',
};

async function configure({ ok, registry }: Workspace): Promise<void> {
  await ok(`init --registry ${registry} --harness harness-a`);
}

describe('warnings of sync', () => {
  test('sync reports a conversion, and counts it if nothing changed', async () => {
    const workspace = openWorkspace(ASIDE);
    await configure(workspace);
    const notice =
      'warning ops/tone: harness-a has no rules of this mode, so the rule is loaded always\n' +
      'To hide this warning, run `catalog warnings --acknowledge`.\n';
    for (const [flags, line] of [
      ['', 'harness-a  1 added, 1 warning\n'],
      [' --quiet', ''],
    ]) {
      rmSync(join(workspace.root, '.harness-a'), { recursive: true, force: true });
      expect((await workspace.ok(`sync${flags}`)).stdout).toBe(`${line}${notice}`);
    }
    expect((await workspace.ok('sync')).stdout).toBe('harness-a  up to date, 1 warning\n');
    expect((await workspace.ok('sync --verbose')).stdout).toContain(notice);
    const { document } = await workspace.json('sync');
    expect(document).toMatchObject({
      targets: [{ fallbacks: [{ artifact_id: 'ops/tone' }], warnings: [] }],
    });
    expect((await workspace.ok('lint')).stdout).toContain('lint.harness_capability');
  });

  test('--strict fails on a conversion, and nothing is written', async () => {
    const workspace = openWorkspace({ ...OPS, ...ASIDE });
    await configure(workspace);
    const { code, stderr } = await workspace.run('sync --strict');
    expect(code).toBe(1);
    expect(stderr).toContain('materialize.degraded');
    expect(stderr).toContain('  ops/tone (harness-a): harness-a has no rules of this mode');
    expect(existsSync(join(workspace.root, '.harness-a'))).toBe(false);
    await workspace.ok('sync');
    expect((await workspace.run('sync --strict')).code).toBe(1);
    expect((await workspace.run('sync --check --strict')).code).toBe(1);
    rmSync(join(workspace.registry, 'ops/tone'), { recursive: true });
    await workspace.ok('sync --strict');
  });

  test('sync for fewer harnesses lists the harnesses whose files are removed, before and after', async () => {
    const { registry, ok } = openWorkspace(ASIDE);
    const sync = `sync --registry ${registry} --harness`;
    await ok(`${sync} codex,claude-code,cursor`);
    const notice = (word: string): string =>
      `  ${word} the files installed for claude-code, cursor; to install for all, use \`--harness claude-code,cursor,codex\`\n`;
    expect((await ok(`${sync} codex --dry-run --allow-removal`)).stdout).toContain(
      notice('Would remove'),
    );
    expect((await ok(`${sync} codex --allow-removal`)).stdout).toContain(notice('Removed'));
    expect((await ok(`${sync} codex`)).stdout).not.toContain('the files installed for');
  });

  test('the advice about unsupported artifacts matches the command that prints it', async () => {
    const { root, registry, ok, run } = openWorkspace(OPS);
    await ok(`init --registry ${registry} --harness harness-h`);
    await ok('sync --skip-unsupported');
    for (const command of ['outdated', 'status']) {
      const { stdout, stderr } = await run(command);
      expect(stdout + stderr).toContain('`defaults.unsupported: skip` in sync.yaml');
    }
    writeTree(root, {
      '.catalog/sync.yaml': `defaults: {registry: ${registry}, harness: harness-h, unsupported: skip}\n`,
    });
    expect((await ok('outdated')).stdout).toContain('All artifacts are up to date');
    expect((await ok('status')).stdout).toContain('Up to date');
  });

  test('identical advice for many artifacts is printed once', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, number) => [
        `ops/tone-${number}/ARTIFACT.md`,
        ASIDE['ops/tone/ARTIFACT.md'].replace('reports', `reports of kind ${number}`),
      ]),
    );
    const workspace = openWorkspace(many);
    await configure(workspace);
    const { stdout } = await workspace.ok('sync --quiet');
    expect(stdout.match(/^warning .*/gm)).toEqual([
      'warning ops/tone-0, ops/tone-1 and 10 more: harness-a has no rules of this mode, so the rule is loaded always',
    ]);
  });

  test('the suggested lint command checks the same registry as the sync', async () => {
    const workspace = openWorkspace(THIN, {
      'my skills/ops/thin/ARTIFACT.md': THIN['ops/thin/ARTIFACT.md'],
    });
    const { registry, ok, run } = workspace;
    const proposed = async (words: string[], env = {}): Promise<string | undefined> =>
      /`(catalog lint.*)`/.exec((await ok(['sync', '--verbose', ...words], env)).stdout)?.[1];
    expect(await proposed(['--registry', registry])).toBe(`catalog lint ${registry}`);
    expect(await proposed([], { CATALOG_REGISTRY: registry })).toBe(`catalog lint ${registry}`);
    expect(await proposed(['--registry', 'my skills'])).toBe("catalog lint 'my skills'");
    expect(await proposed(['--registry', registry, '--overlay', 'my skills'])).toBe(
      `catalog lint --registry ${registry} --overlay 'my skills'`,
    );
    const both = await run(['lint', '--registry', registry, '--overlay', 'my skills']);
    expect(both.stdout).toContain('my skills/ops/thin/ARTIFACT.md:4:1  warning');
    expect(both.stdout).toMatch(/in 2 artifacts$/m);
    await configure(workspace);
    expect(await proposed([])).toBe('catalog lint');
  });

  test('the next step after a sync with only flags writes the flags to a file', async () => {
    const { root, home, ok, run, error } = openWorkspace({}, { 'deep/x.txt': '' });
    writeTree(home, {
      'my-skills/review/SKILL.md':
        '---\nname: review\ndescription: Review a change well.\n---\nRead.\n',
    });
    await ok(`sync --registry ${home}/my-skills --harness harness-a`);
    const line = 'catalog init --registry ~/my-skills --harness harness-a';
    for (const words of ['sync', 'outdated', 'lint', 'artifact new skill a/b']) {
      const { code, stderr } = await run(words);
      expect(code).toBe(2);
      expect(stderr).toContain(`next: Run \`${line}\` in ${root}, which the last sync`);
    }
    expect((await ok('status')).stdout).toContain(line);
    const below = await runCatalog(['sync'], { cwd: join(root, 'deep'), home });
    expect(below.stderr).toContain(`\`${line}\` in ${root}`);
    const { suggested_action } = (await error('sync')).error;
    await ok(/catalog (init [^`]*)/.exec(suggested_action)?.[1] ?? '');
    expect((await ok('sync')).stdout).toBe('harness-a  up to date\n');
  });

  test('a registry in the workspace is suggested as a relative path', async () => {
    const { ok, run } = openWorkspace({}, skillsIn('skills'));
    await ok('sync --registry skills');
    expect((await run('sync')).stderr).toContain(
      'Run `catalog init --registry ./skills --harness none` in ',
    );
  });

  function skillsIn(folder: string): Record<string, string> {
    return {
      [`${folder}/review/SKILL.md`]:
        '---\nname: review\ndescription: Review a change well.\n---\nRead.\n',
    };
  }
});

describe('counts of sync and status', () => {
  test('status counts entries of shared files', async () => {
    const workspace = openWorkspace(OPS);
    await configure(workspace);
    const extent = async (): Promise<string | undefined> =>
      /artifacts? \((.*)\)$/m.exec((await workspace.ok('status')).stdout)?.[1];
    await workspace.ok('sync --include ops/tools/*');
    expect(await extent()).toBe('1 entry');
    await workspace.ok('sync --include ops/guard/*');
    expect(await extent()).toBe('2 files and 1 entry');
    const { document } = await workspace.json('status');
    expect(document['targets']).toMatchObject([{ artifacts: 2, files: 2, entries: 1 }]);
  });

  test('update reports the versions, and counts artifacts that it did not update as unchanged', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('a/two'), ...skill('a/three') });
    await configure(workspace);
    await workspace.ok('sync');
    const raise = { 'a/one/ARTIFACT.md': '---\ntype: skill\nversion: 1.1.0\n---\n' };
    writeTree(workspace.registry, {
      ...skill('a/one', 'Do what a/one is for.', 'New.'),
      ...raise,
      ...skill('a/two', 'Do what a/two is for.', 'New.'),
      ...skill('a/four'),
    });
    rmSync(join(workspace.registry, 'a/three'), { recursive: true });
    const one = await workspace.ok('update a/one');
    expect(one.stdout).toBe('harness-a  1 changed\n  a/one 1.0.0 -> 1.1.0\n');
    const verbose = await workspace.ok('update a/one --verbose');
    expect(verbose.stdout).toMatch(/^harness-a {2}3 unchanged \(\d+ ms\)\n$/);
    const rest = await workspace.ok('update');
    expect(rest.stdout).toContain(
      '\n  a/four 1.0.0 (new)\n  a/two 1.0.0 (content changed)\n  a/three 1.0.0 (removed)\n',
    );
    expect((await workspace.ok('sync')).stdout).not.toContain('(removed)');
  });

  test('a removal reports the artifacts of the removed files', async () => {
    const workspace = openWorkspace(OPS);
    await configure(workspace);
    const removed = async (words: string): Promise<unknown> => {
      const { document } = await workspace.json(words);
      const [target] = Object(document)['targets'];
      return Object.fromEntries(
        target.changes.map((change: { path: string; artifact_ids: string[] }) => [
          change.path,
          change.artifact_ids,
        ]),
      );
    };
    await workspace.ok('sync');
    expect(await removed('sync --include ops/bots/* --include ops/deploy/*')).toEqual({
      '.catalog/context/ops/ref/terms/ARTIFACT.md': ['ops/ref/terms'],
      '.catalog/resources/ops/guard/log-stop/scripts/log.sh': ['ops/guard/log-stop'],
      '.harness-a/rules/no-friday.md': ['ops/guard/no-friday'],
      '.harness-a/settings.json': ['ops/guard/log-stop'],
      '.mcp.json': ['ops/tools/warehouse'],
    });
    await workspace.ok('sync --include ops/tools/*');
    expect(await removed('sync --remove')).toEqual({ '.mcp.json': ['ops/tools/warehouse'] });
  });
});

describe('printed paths', () => {
  test('are short in errors and settings, and absolute in JSON', async () => {
    const { root, home, run, error, json, ok } = openWorkspace(
      {},
      { '.catalog/sync.yaml': 'defaults: {harnes: none}\n', 'work.txt': '' },
    );
    const broken = await run('status');
    expect(broken.stderr).toContain('error: .catalog/sync.yaml:1:12: Unknown key `harnes`.');
    expect((await error('status')).error.message).toContain(join(root, '.catalog/sync.yaml'));
    writeTree(root, { '.catalog/sync.yaml': 'defaults: {registry: ~/reg, target: out}\n' });
    const { stdout } = await ok('config show');
    expect(stdout).toMatch(/^defaults\.registry +~\/reg +\.catalog\/sync\.yaml$/m);
    expect(stdout).toMatch(/^defaults\.target +out +\.catalog\/sync\.yaml$/m);
    expect((await run('sync')).stderr).toContain('The registry folder `~/reg` does not exist.');
    const { document } = await json('config show --explain defaults.registry');
    expect(document['value']).toBe(join(home, 'reg'));
  });

  test('are shown by why as typed, with the path for edits', async () => {
    const workspace = openWorkspace(skill('a/one'));
    const { root, registry, ok } = workspace;
    await ok(`sync --registry ${registry} --harness harness-a --target out`);
    const typed = `${root}/out/.harness-a/../.harness-a/skills/one/SKILL.md`;
    const asWritten = await ok(`why ${typed} --target out`);
    expect(asWritten.stdout).toContain(`${typed}: managed by catalog, unchanged\n`);
    expect(asWritten.stdout).toMatch(new RegExp(`registry +${registry}$`, 'm'));
    writeTree(root, { 'out/.harness-a/skills/one/SKILL.md': 'Mine.\n' });
    expect((await ok('why out/.harness-a/skills/one --target out')).stdout).toContain(
      'out/.harness-a/skills/one: managed by catalog, edited by you; the next sync restores it and keeps your version in out/.catalog/kept/\n',
    );
  });

  test('are grouped by artifact in why', async () => {
    const workspace = openWorkspace(OPS);
    await configure(workspace);
    await workspace.ok('sync');
    const { document } = await workspace.json('why .harness-a/skills/check');
    expect(document['reasons']).toMatchObject([{ artifact_id: 'ops/deploy/check' }]);
  });
});
