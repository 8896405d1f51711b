import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, OPS, skill, type Workspace } from './workspace.ts';

function deliver({ ok, registry }: Workspace, flags = ''): ReturnType<Workspace['ok']> {
  return ok(`sync --registry ${registry} --harness harness-a ${flags}`.trim());
}

function delivered({ root }: Workspace): string[] {
  return Object.keys(
    readTree(root, ['.catalog/sync.lock', '.catalog/state', '.catalog/sync.yaml']),
  );
}

describe('catalog sync', () => {
  verifies(['CLI-03', 'HA-01'], 'installs once and exits', async () => {
    const workspace = openWorkspace(OPS);
    const { code, stdout, stderr } = await deliver(workspace);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^harness-a {2}\d+ added$/m);
    expect(delivered(workspace)).toEqual([
      '.catalog/context/ops/ref/terms/ARTIFACT.md',
      '.catalog/resources/ops/guard/log-stop/scripts/log.sh',
      '.harness-a/agents/triager.md',
      '.harness-a/commands/ship.md',
      '.harness-a/rules/no-friday.md',
      '.harness-a/settings.json',
      '.harness-a/skills/check/SKILL.md',
      '.harness-a/skills/check/assets/form.txt',
      '.harness-a/skills/check/references/policy.md',
      '.harness-a/skills/check/scripts/check.sh',
      '.mcp.json',
    ]);
  });

  verifies('DELIV-01', 'writes the same catalog in the layout of each harness', async () => {
    const workspace = openWorkspace(OPS);
    const before = readTree(workspace.registry);
    await deliver(workspace, '--target a');
    await workspace.ok(`sync --registry ${workspace.registry} --harness none --target n`);
    const native = readTree(join(workspace.root, 'a'));
    const canonical = readTree(join(workspace.root, 'n'), ['.catalog']);
    expect(native['.harness-a/skills/check/SKILL.md']).toBe(before['ops/deploy/check/SKILL.md']);
    const artifacts = Object.entries(before).filter(([path]) => path !== 'ops/DOMAIN.md');
    expect(canonical).toEqual(Object.fromEntries(artifacts));
    expect(readTree(workspace.registry)).toEqual(before);
  });

  verifies('DELIV-02', 'installs bundled scripts, references and assets', async () => {
    const workspace = openWorkspace(OPS);
    await deliver(workspace);
    const folder = join(workspace.root, '.harness-a/skills/check');
    expect(readFileSync(join(folder, 'references/policy.md'), 'utf8')).toBe('Never on Fridays.\n');
    expect(readFileSync(join(folder, 'assets/form.txt'), 'utf8')).toBe('Form.\n');
    expect(spawnSync(join(folder, 'scripts/check.sh'), { encoding: 'utf8' }).stdout).toBe(
      'checked\n',
    );
  });

  verifies('DELIV-03', 'works offline: it opens no socket and resolves no host name', async () => {
    const workspace = openWorkspace(OPS);
    const log = join(workspace.home, 'network.log');
    const env = {
      NODE_OPTIONS: `--require=${join(import.meta.dirname, 'preload/no-network.cjs')}`,
      NETWORK_LOG: log,
    };
    await workspace.ok(`sync --registry ${workspace.registry} --harness harness-a`, env);
    expect(delivered(workspace)).toContain('.harness-a/skills/check/SKILL.md');
    expect(existsSync(log)).toBe(false);
    // The same preload detects a request, so an empty record proves something.
    spawnSync(process.execPath, ['-e', "fetch('http://127.0.0.1:49151/').catch(() => {})"], {
      env,
    });
    expect(readFileSync(log, 'utf8')).toContain('connect');
  });

  verifies(
    ['DELIV-09', 'FM-10'],
    'skips artifacts for other harnesses without an error',
    async () => {
      const only = (harnesses: string): string =>
        `---\ntype: command\nversion: 1.0.0\ndescription: Do this one thing only.\ntarget_harnesses: [${harnesses}]\n---\nGo.\n`;
      const workspace = openWorkspace({
        'a/listed/ARTIFACT.md': only('none, harness-a'),
        'a/omitted/ARTIFACT.md': only('none'),
      });
      const { code } = await deliver(workspace);
      expect(code).toBe(0);
      expect(delivered(workspace)).toEqual(['.harness-a/commands/listed.md']);
      await workspace.ok(`sync --registry ${workspace.registry} --harness none --target n`);
      expect(existsSync(join(workspace.root, 'n/a/omitted/ARTIFACT.md'))).toBe(true);
    },
  );

  verifies('CLI-08', 'uses the layout of the harness in --harness or --agent', async () => {
    const workspace = openWorkspace(skill('a/b'));
    const { registry } = workspace;
    await workspace.ok(`sync --registry ${registry} --harness none --target one`);
    await workspace.ok(`sync --registry ${registry} --agent=harness-a --target two`);
    expect(delivered(workspace).filter((path) => path.endsWith('SKILL.md'))).toEqual([
      'one/a/b/SKILL.md',
      'two/.harness-a/skills/b/SKILL.md',
    ]);
  });

  test('applies and reports changes and removals', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('a/two') });
    await deliver(workspace);
    writeTree(workspace.registry, skill('a/one', 'Do what a/one is for.', 'Do it better.'));
    rmSync(join(workspace.registry, 'a/two'), { recursive: true });
    const { stdout } = await deliver(workspace);
    expect(stdout).toBe('harness-a  1 changed, 1 removed\n');
    expect(delivered(workspace)).toEqual(['.harness-a/skills/one/SKILL.md']);
  });

  test("does not overwrite a user's file, reports both sides, and writes nothing", async () => {
    const workspace = openWorkspace(OPS, { '.harness-a/commands/ship.md': 'Mine.\n' });
    const before = readTree(workspace.root);
    const { code, error } = await workspace.error(
      `sync --registry ${workspace.registry} --harness harness-a`,
    );
    expect([error.code, code]).toEqual(['materialize.clash', 1]);
    expect(error.message).toContain('.harness-a/commands/ship.md');
    expect(error.message).toContain('ops/deploy/ship');
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual(before);
  });

  test('reports a broken artifact by its id, and installs the others', async () => {
    const workspace = openWorkspace({
      ...skill('a/good'),
      'a/bad/ARTIFACT.md': '---\ntype: command\n---\nGo.\n',
    });
    const line = `sync --registry ${workspace.registry} --harness harness-a`;
    const { code, stderr } = await workspace.run(line);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: a\/bad was not delivered\.\n {2}a\/bad\/ARTIFACT\.md:1:1 .*version/m,
    );
    expect(delivered(workspace)).toEqual(['.harness-a/skills/good/SKILL.md']);
  });

  test('suggests the next step for an empty registry', async () => {
    const workspace = openWorkspace();
    const { stdout } = await deliver(workspace);
    expect(stdout).toContain(
      'has no artifacts yet. To create one, run `catalog artifact new skill',
    );
  });

  test('prints nothing on success with --quiet', async () => {
    const { stdout, stderr } = await deliver(openWorkspace(OPS), '--quiet');
    expect(stdout + stderr).toBe('');
  });

  test('selects artifacts with --include, --exclude and --type', async () => {
    const workspace = openWorkspace(OPS);
    await deliver(workspace, '--include ops/deploy/** --include=ops/guard/* --exclude **/log-*');
    expect(delivered(workspace).filter((path) => path.startsWith('.harness-a'))).toEqual([
      '.harness-a/commands/ship.md',
      '.harness-a/rules/no-friday.md',
      '.harness-a/skills/check/SKILL.md',
      '.harness-a/skills/check/assets/form.txt',
      '.harness-a/skills/check/references/policy.md',
      '.harness-a/skills/check/scripts/check.sh',
    ]);
    await deliver(workspace, '--type agent');
    expect(delivered(workspace)).toEqual(['.harness-a/agents/triager.md']);
  });
});

describe('a sync that writes nothing', () => {
  verifies('CLI-06', 'reports changes and exits with 1 for --check, then with 0', async () => {
    const workspace = openWorkspace(OPS);
    const check = `sync --check --registry ${workspace.registry} --harness harness-a`;
    const { code, stdout, stderr } = await workspace.run(check);
    expect(code).toBe(1);
    expect(stdout).toContain('  + .harness-a/skills/check/SKILL.md\n');
    expect(stderr).toContain(' code: materialize.would_change\n');
    expect(readTree(workspace.root)).toEqual({});
    expect(readTree(workspace.home)).toEqual({});
    const { error } = await workspace.error(check);
    expect(error.code).toBe('materialize.would_change');
    await deliver(workspace);
    const home = readTree(workspace.home);
    const before = readTree(workspace.root);
    expect((await workspace.run(check)).code).toBe(0);
    expect(readTree(workspace.root)).toEqual(before);
    expect(readTree(workspace.home)).toEqual(home);
  });

  verifies('CLI-07', 'reports changes and exits with 0 for --dry-run', async () => {
    const workspace = openWorkspace(OPS);
    const { code, stdout } = await deliver(workspace, '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('to add');
    expect(stdout).toContain('  + .harness-a/skills/check/SKILL.md\n');
    expect(readTree(workspace.root)).toEqual({});
    expect(readTree(workspace.home)).toEqual({});
    await deliver(workspace);
    const home = readTree(workspace.home);
    const before = readTree(workspace.root);
    await deliver(workspace, '--remove --dry-run');
    expect(readTree(workspace.root)).toEqual(before);
    expect(readTree(workspace.home)).toEqual(home);
  });

  verifies(
    'CLI-17',
    'catalog status prints the registry, the harness, and if all files are current',
    async () => {
      const workspace = openWorkspace(OPS);
      const none = await workspace.ok('status');
      expect(none.stdout).toContain('config.no_registry');
      await workspace.ok(`init --registry ${workspace.registry} --harness harness-a`);
      const before = readTree(workspace.root);
      const behind = await workspace.ok('status');
      expect(behind.stdout).toMatch(/^registry +.*registry$/m);
      expect(behind.stdout).toContain('harness-a  0 artifacts (0 files)');
      expect(behind.stdout).toContain('Out of date');
      expect(readTree(workspace.root)).toEqual(before);
      await workspace.ok('sync');
      const current = await workspace.ok('status');
      expect(current.stdout).toContain('harness-a  7 artifacts (');
      expect(current.stdout).toContain('Up to date');
      expect(current.stdout).not.toContain(' rejected');
      writeTree(workspace.registry, { 'ops/broken/ARTIFACT.md': '---\ntype: [\n---\n' });
      const rejecting = await workspace.ok('status');
      expect(rejecting.stdout).toContain('1 artifact rejected; for details, run');
    },
  );
});

describe('catalog status', () => {
  test('reports an edited file as edited, not as outdated', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('a/two') });
    await workspace.ok(`init --registry ${workspace.registry} --harness harness-a`);
    await workspace.ok('sync');
    const one = '.harness-a/skills/one/SKILL.md';
    appendFileSync(join(workspace.root, one), 'Mine.\n');
    const edited = await workspace.ok('status');
    expect(edited.stdout).toContain(
      `Edited: 1 file edited since the last sync.\n  ${one}\nNext: \`catalog sync\` restores`,
    );
    expect(edited.stdout).not.toMatch(/Out of date|Up to date/);
    expect((await workspace.json('status')).document).toMatchObject({
      outlook: { kind: 'would-change', targets: [{ changes: [{ path: one, edited: true }] }] },
    });
    writeTree(workspace.registry, skill('a/two', 'Do what a/two is for.', 'New.'));
    const both = await workspace.ok('status');
    expect(both.stdout).toContain('Out of date: a sync would change 1 file.');
    expect(both.stdout).toContain('Edited: 1 file edited since the last sync');
    writeTree(workspace.registry, skill('a/one', 'Do what a/one is for.', 'New.'));
    const newer = await workspace.ok('status');
    expect(newer.stdout).toContain('Out of date: a sync would change 2 files.');
    expect(newer.stdout).toContain(`  ${one}\n`);
    await workspace.ok('sync');
    expect((await workspace.ok('status')).stdout).toContain('Up to date');
  });

  test('lists the saved copies of versions that an editor overwrote', async () => {
    const workspace = openWorkspace(skill('a/one'));
    await workspace.ok(`init --registry ${workspace.registry} --harness harness-a`);
    await workspace.ok('sync');
    const one = '.harness-a/skills/one/SKILL.md';
    const handle = openSync(join(workspace.root, one), 'a');
    onTestFinished(() => closeSync(handle));
    writeTree(workspace.registry, skill('a/one', 'Do what a/one is for.', 'New.'));
    await workspace.ok('sync');
    writeSync(handle, 'Late.\n');
    const { stdout } = await workspace.ok('status');
    const copy = /^kept (.*): saved after .*; that version is in (.*)$/m.exec(stdout);
    expect(copy?.[1]).toBe(one);
    expect(readFileSync(join(workspace.root, copy?.[2] ?? ''), 'utf8')).toContain('Late.\n');
    expect((await workspace.json('status')).document).toMatchObject({ kept: [] });
  });

  test.each(['copilot', 'claude-code,copilot'])(
    'shows the harness after a sync with --harness %s',
    async (harness) => {
      const workspace = openWorkspace(skill('a/one'));
      await workspace.ok(`sync --registry ${workspace.registry} --harness ${harness}`);
      const { stdout } = await workspace.ok(`status --registry ${workspace.registry}`);
      for (const name of harness.split(',')) {
        expect(stdout).toContain(
          `${name}  1 artifact (1 file)\n  from an earlier sync; not part of the current configuration or flags\n`,
        );
      }
      expect(stdout).not.toMatch(/none {2}1 artifact/);
      const named = await workspace.ok(
        `status --registry ${workspace.registry} --harness ${harness}`,
      );
      expect(named.stdout).toContain('copilot  1 artifact (1 file)\n');
      expect(named.stdout).not.toContain('from an earlier sync');
      expect(named.stdout).toContain('Up to date');
    },
  );

  test('reports an edited entry of a shared file as edited', async () => {
    const workspace = openWorkspace(OPS);
    await workspace.ok(`init --registry ${workspace.registry} --harness harness-a`);
    await workspace.ok('sync');
    const path = join(workspace.root, '.harness-a/settings.json');
    const settings = readFileSync(path, 'utf8');
    expect(settings).toContain('"command": "');
    writeFileSync(path, settings.replace('"command": "', '"command": "true && '));
    const { stdout } = await workspace.ok('status');
    expect(stdout).toContain('Edited: 1 file edited since the last sync');
    expect(stdout).not.toContain('Out of date');
  });
});

describe('the lock file', () => {
  test('is installed exactly by --locked, which fails and lists changed artifacts otherwise', async () => {
    const workspace = openWorkspace(skill('a/one'));
    await deliver(workspace);
    rmSync(join(workspace.root, '.harness-a'), { recursive: true });
    await deliver(workspace, '--locked');
    expect(delivered(workspace)).toEqual(['.harness-a/skills/one/SKILL.md']);
    writeTree(workspace.registry, skill('a/one', 'Do what a/one is for.', 'Otherwise.'));
    const before = readTree(workspace.root, ['.catalog/state']);
    const { code, error } = await workspace.error(
      `sync --registry ${workspace.registry} --harness harness-a --locked`,
    );
    expect([error.code, code]).toEqual(['materialize.lock_mismatch', 1]);
    expect(error.message).toContain('a/one');
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual(before);
  });

  test('is compared by outdated and updated by update, for one or all artifacts', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('a/two') });
    await workspace.ok(`init --registry ${workspace.registry} --harness harness-a`);
    await workspace.ok('sync');
    expect((await workspace.ok('outdated')).stdout).toContain('All artifacts are up to date');
    for (const id of ['a/one', 'a/two']) {
      writeTree(workspace.registry, skill(id, `Do what ${id} is for.`, 'New.'));
    }
    const { code, document } = await workspace.json('outdated');
    expect(code).toBe(1);
    expect(document['outdated']).toMatchObject([{ id: 'a/one' }, { id: 'a/two' }]);
    const { stdout } = await workspace.ok('update a/two');
    expect(stdout).toContain('harness-a  1 changed');
    expect((await workspace.json('outdated')).document['outdated']).toMatchObject([
      { id: 'a/one' },
    ]);
    await workspace.ok('update');
    expect((await workspace.json('outdated')).document['outdated']).toEqual([]);
  });

  test('keeps enable and disable until the next plain sync', async () => {
    const workspace = openWorkspace({ ...skill('a/one'), ...skill('b/two') });
    await workspace.ok(`init --registry ${workspace.registry} --harness harness-a`);
    await workspace.ok('sync');
    await workspace.ok('sync disable a/one');
    expect(delivered(workspace)).not.toContain('.harness-a/skills/one/SKILL.md');
    expect((await workspace.ok('status')).stdout).toContain('disabled temporarily: a/one');
    await workspace.ok('update');
    expect(delivered(workspace)).not.toContain('.harness-a/skills/one/SKILL.md');
    await workspace.ok('sync enable a/one');
    expect(delivered(workspace)).toContain('.harness-a/skills/one/SKILL.md');
    const { error } = await workspace.error('sync enable a/onee');
    expect(error.code).toBe('registry.not_found');
    expect(error.suggested_action).toContain('a/one');
    await workspace.ok('sync disable a/one');
    await workspace.ok('sync');
    expect(delivered(workspace)).toContain('.harness-a/skills/one/SKILL.md');
  });

  test('lets why print the artifact that wrote a file or an entry', async () => {
    const workspace = openWorkspace(OPS, { 'notes.txt': 'Mine.\n' });
    await deliver(workspace);
    const file = await workspace.ok('why .harness-a/skills/check/scripts/check.sh');
    expect(file.stdout).toMatch(/artifact +ops\/deploy\/check 1\.0\.0/);
    expect(file.stdout).toMatch(/harness +harness-a/);
    const entry = await workspace.json('why .mcp.json');
    expect(entry.document).toMatchObject({
      reasons: [{ artifact_id: 'ops/tools/warehouse', at: ['mcpServers', 'wh'] }],
    });
    const foreign = await workspace.run('why notes.txt');
    expect(foreign.code).toBe(1);
    expect(foreign.stdout).toContain('not managed by catalog');
  });

  test('lets --remove remove exactly the files that catalog wrote', async () => {
    const mine = {
      '.harness-a/settings.json': '{\n  // mine\n  "model": "large"\n}\n',
      '.harness-a/commands/mine.md': 'Mine.\n',
      'notes.txt': 'Mine.\n',
    };
    const workspace = openWorkspace(OPS, mine);
    const before = readTree(workspace.root);
    await deliver(workspace);
    const { stdout } = await deliver(workspace, '--remove');
    expect(stdout).toMatch(/^Removed \d+ files? from /m);
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual(before);
    expect((await deliver(workspace, '--remove')).stdout).toContain(
      'catalog has not installed anything in .',
    );
    expect(readTree(workspace.root)).toEqual(before);
  });

  test('is completed by the next sync after an interrupted one, which exits with 130', async () => {
    const many = Array.from({ length: 600 }, (_, number) => skill(`m/s${number}`));
    const workspace = openWorkspace(Object.assign({}, ...many));
    const { code, stdout, stderr } = await workspace.run(
      `sync --registry ${workspace.registry} --harness harness-a`,
      {
        NODE_OPTIONS: `--require=${join(import.meta.dirname, 'preload/interrupt-midway.cjs')}`,
        INTERRUPT_AT: '20',
      },
    );
    expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(existsSync(join(workspace.root, '.catalog/sync.lock'))).toBe(false);
    const status = await workspace.ok(
      `status --registry ${workspace.registry} --harness harness-a`,
    );
    expect(status.stdout).toContain('the last sync was interrupted');
    await deliver(workspace);
    expect(delivered(workspace).length).toBe(600);
  });
});
