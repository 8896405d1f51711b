import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startRegistry } from '@catalog/testkit/registry-server';
import { readTree, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const REVIEW = '.claude/skills/review/SKILL.md';

function sync(workspace: Workspace, flags = ''): string {
  return `sync --registry ${workspace.registry} --harness claude-code ${flags}`.trim();
}

function many(count: number): FileTree {
  const tree: Record<string, FileTree[string]> = {};
  for (let index = 0; index < count; index += 1) Object.assign(tree, skill(`ops/s${index}`));
  return tree;
}

function server(id: string, name: string): FileTree {
  return {
    [`${id}/ARTIFACT.md`]: `---\ntype: mcp-server\nname: ${name}\nversion: 1.0.0\ndescription: Access to the ${name} database.\nserver_identifier: npx:${name}-mcp\n---\n`,
  };
}

async function written(registry: FileTree, path: string, harness = 'claude-code'): Promise<string> {
  const workspace = openWorkspace(registry);
  await workspace.ok(`sync --registry ${workspace.registry} --harness ${harness}`);
  return readFileSync(join(workspace.root, path), 'utf8');
}

describe('a file that existed before catalog', () => {
  test('is kept after --remove, after its artifact was removed, and after a change of harness', async () => {
    const registry = { ...skill('ops/review'), ...skill('ops/other') };
    const mine = await written(registry, REVIEW);
    for (const leave of ['remove', 'drop', 'switch'] as const) {
      const workspace = openWorkspace(registry, { [REVIEW]: mine });
      await workspace.ok(sync(workspace));
      if (leave === 'remove') await workspace.ok(sync(workspace, '--remove'));
      if (leave === 'drop') {
        rmSync(join(workspace.registry, 'ops/review'), { recursive: true });
        await workspace.ok(sync(workspace));
      }
      if (leave === 'switch') {
        await workspace.ok(`sync --registry ${workspace.registry} --harness codex --allow-removal`);
      }
      expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toBe(mine);
    }
  });

  test('is shown as the user\u2019s by sync, --dry-run, status and why', async () => {
    const registry = skill('ops/review');
    const workspace = openWorkspace(registry, { [REVIEW]: await written(registry, REVIEW) });
    writeTree(workspace.root, {
      '.catalog/sync.yaml': `defaults:\n  registry: ${workspace.registry}\n  harness: claude-code\n`,
    });
    const line = `yours ${REVIEW}: existed before with the same content`;
    expect((await workspace.ok('sync --dry-run')).stdout).toContain(line);
    expect((await workspace.ok('sync')).stdout).toContain(line);
    expect((await workspace.ok('sync')).stdout).toContain(line);
    expect((await workspace.ok('status')).stdout).toContain('1 file or entry of yours');
    expect((await workspace.ok(`why ${REVIEW}`)).stdout).toContain(
      'yours: it existed before catalog',
    );
    const { document } = await workspace.json('sync');
    expect(document).toMatchObject({
      targets: [{ pre_existing: [{ path: REVIEW, artifact_id: 'ops/review' }], unchanged: 0 }],
    });
  });

  test('conflicts once the registry changes, and --take-over replaces it with a backup', async () => {
    const registry = skill('ops/review');
    const mine = await written(registry, REVIEW);
    const workspace = openWorkspace(registry, { [REVIEW]: mine });
    await workspace.ok(sync(workspace));
    writeTree(workspace.registry, skill('ops/review', undefined, 'Do it again.'));
    expect(await workspace.error(sync(workspace))).toMatchObject({
      code: 1,
      error: {
        code: 'materialize.clash',
        suggested_action: expect.stringContaining('--take-over'),
      },
    });
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toBe(mine);

    const { stdout } = await workspace.ok(sync(workspace, '--take-over .claude/skills/review'));
    expect(stdout).toContain(`taken over ${REVIEW}`);
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toContain('Do it again.');
    const backup = /\.catalog\/backup\/\S+/.exec(stdout)?.[0] ?? '';
    expect(readFileSync(join(workspace.root, backup), 'utf8')).toBe(mine);
    const removal = await workspace.ok(sync(workspace, '--remove'));
    expect(removal.stdout).toContain(`${REVIEW}: your version from before --take-over`);
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toBe(mine);
    expect(readFileSync(join(workspace.root, backup), 'utf8')).toBe(mine);
  });

  test('with the same content becomes managed with --take-over', async () => {
    const registry = skill('ops/review');
    const mine = await written(registry, REVIEW);
    const workspace = openWorkspace(registry, { [REVIEW]: mine });
    await workspace.ok(sync(workspace));
    const { stdout } = await workspace.ok([...sync(workspace).split(' '), '--take-over', '**']);
    const backup = /\.catalog\/backup\/\S+/.exec(stdout)?.[0] ?? '';
    expect(readFileSync(join(workspace.root, backup), 'utf8')).toBe(mine);
    await workspace.ok(sync(workspace, '--remove'));
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toBe(mine);
  });

  test.each([
    [
      'CRLF line ends',
      (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n')),
    ],
    ['another mode', (path: string) => chmodSync(path, 0o755)],
    [
      'a link',
      (path: string) => {
        const otherFolder = join(dirname(path), 'mine.md');
        renameSync(path, otherFolder);
        symlinkSync('mine.md', path);
      },
    ],
  ])('with %s conflicts and is not changed', async (_name, change) => {
    const registry = skill('ops/review');
    const workspace = openWorkspace(registry, { [REVIEW]: await written(registry, REVIEW) });
    change(join(workspace.root, REVIEW));
    const before = readTree(workspace.root);
    expect((await workspace.error(sync(workspace))).error.code).toBe('materialize.clash');
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual(before);
  });

  test('is not detected by hard links: the other name keeps its content', async () => {
    const registry = skill('ops/review');
    const workspace = openWorkspace(registry);
    await workspace.ok(sync(workspace));
    const linked = join(workspace.root, 'mine.md');
    linkSync(join(workspace.root, REVIEW), linked);
    const before = readFileSync(linked, 'utf8');
    writeTree(workspace.registry, skill('ops/review', undefined, 'Do it again.'));
    await workspace.ok(sync(workspace));
    expect(readFileSync(linked, 'utf8')).toBe(before);
    await workspace.ok(sync(workspace, '--remove'));
    expect(readFileSync(linked, 'utf8')).toBe(before);
  });

  test('and differs only in case is kept next to the managed one', async () => {
    const workspace = openWorkspace(skill('ops/review'), {
      '.claude/skills/review/skill.md': 'Mine.\n',
    });
    if (existsSync(join(workspace.root, '.claude/skills/REVIEW'))) return;
    await workspace.ok(sync(workspace));
    await workspace.ok(sync(workspace, '--remove'));
    expect(readTree(workspace.root, ['.catalog'])).toEqual({
      '.claude/skills/review/skill.md': 'Mine.\n',
    });
  });

  test('remains the user’s in two targets of one folder, and in the home folder', async () => {
    const registry = skill('ops/review');
    const mine = await written(registry, REVIEW);
    const two = openWorkspace(registry, { [REVIEW]: mine });
    writeTree(two.root, {
      '.catalog/sync.yaml': `defaults:\n  registry: ${two.registry}\ntargets:\n  - {id: a, harness: claude-code}\n  - {id: b, harness: claude-code, include: [ops/review]}\n`,
    });
    await two.ok('sync');
    await two.ok('sync --remove');
    expect(readFileSync(join(two.root, REVIEW), 'utf8')).toBe(mine);

    const home = openWorkspace(registry);
    writeTree(home.home, { [REVIEW]: mine });
    const scope = `sync --scope user --registry ${home.registry} --harness claude-code`;
    await home.ok(`${scope} --yes`);
    await home.ok(`${scope} --remove`);
    expect(readFileSync(join(home.home, REVIEW), 'utf8')).toBe(mine);
  });
});

describe('an entry of a shared file that existed before catalog', () => {
  const RULE =
    '---\ntype: rule\nversion: 1.0.0\ndescription: No releases on Fridays.\nrule_mode: always\n---\nNot on a Friday.\n';
  const rows: [string, string, FileTree, ('user' | 'workspace')?][] = [
    ['.mcp.json', 'claude-code', server('ops/db', 'db')],
    ['.cursor/mcp.json', 'cursor', server('ops/db', 'db')],
    ['.codex/config.toml', 'codex', server('ops/db', 'db')],
    ['.hermes/config.yaml', 'hermes', server('ops/db', 'db'), 'user'],
    ['AGENTS.md', 'codex', { 'ops/law/ARTIFACT.md': RULE }],
  ];

  test.each(rows)(
    '%s: an identical entry is always kept',
    async (path, harness, registry, scope = 'workspace') => {
      const line = (workspace: Workspace): string =>
        `sync --registry ${workspace.registry} --harness ${harness} --scope ${scope}`;
      const fileOf = ({ home, root }: Workspace): string =>
        join(scope === 'user' ? home : root, path);
      const probe = openWorkspace(registry);
      await probe.ok(`${line(probe)} --yes`);
      const mine = readFileSync(fileOf(probe), 'utf8');

      const workspace = openWorkspace({ ...registry, ...skill('ops/review') });
      mkdirSync(dirname(fileOf(workspace)), { recursive: true });
      writeFileSync(fileOf(workspace), mine);
      await workspace.ok(`${line(workspace)} --yes`);
      for (const id of ['ops/law', 'ops/db']) {
        rmSync(join(workspace.registry, id), { recursive: true, force: true });
      }
      await workspace.ok(line(workspace));
      expect(readFileSync(fileOf(workspace), 'utf8')).toBe(mine);
      await workspace.ok(`${line(workspace)} --remove`);
      expect(readFileSync(fileOf(workspace), 'utf8')).toBe(mine);
    },
  );

  test('a read-only shared file is not changed', async () => {
    const workspace = openWorkspace(server('ops/db', 'db'), {
      '.mcp.json': '{"mcpServers": {}}\n',
    });
    chmodSync(join(workspace.root, '.mcp.json'), 0o444);
    const { error } = await workspace.error(sync(workspace));
    expect(error).toMatchObject({ code: 'materialize.target_invalid' });
    expect(error.message).toContain('.mcp.json is read-only');
    expect(readFileSync(join(workspace.root, '.mcp.json'), 'utf8')).toBe('{"mcpServers": {}}\n');
  });
});

describe('a lost lock', () => {
  test('fails the next sync; --recover rebuilds it after a confirmation', async () => {
    const workspace = openWorkspace({ ...skill('ops/review'), ...server('ops/db', 'db') });
    await workspace.ok(sync(workspace));
    const lock = join(workspace.root, '.catalog/sync.lock');
    const text = readFileSync(lock, 'utf8');
    rmSync(lock);
    for (const command of [
      sync(workspace),
      sync(workspace, '--remove'),
      sync(workspace, '--check'),
    ]) {
      expect((await workspace.error(command)).error).toMatchObject({
        code: 'materialize.lock_missing',
        suggested_action: expect.stringContaining('--recover'),
      });
    }
    expect((await workspace.error(sync(workspace, '--recover'))).error).toMatchObject({
      code: 'materialize.consent_required',
      message: expect.stringContaining(REVIEW),
    });
    expect(existsSync(lock)).toBe(false);
    await workspace.ok(sync(workspace, '--recover --yes'));
    expect(readFileSync(lock, 'utf8')).toBe(text);
    await workspace.ok(sync(workspace, '--remove'));
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual({});
  });

  test('with the whole .catalog folder makes the files the user\u2019s, also with --recover', async () => {
    const workspace = openWorkspace({ ...skill('ops/review'), ...skill('ops/other') });
    await workspace.ok(sync(workspace));
    rmSync(join(workspace.root, '.catalog'), { recursive: true });
    const other = join(workspace.root, '.claude/skills/other/SKILL.md');
    const { stdout } = await workspace.ok(sync(workspace));
    expect(stdout).toContain(`yours .claude/skills/other/SKILL.md, ${REVIEW}: existed before`);
    const files = [readFileSync(other), readFileSync(join(workspace.root, REVIEW))];
    await workspace.ok(sync(workspace, '--recover --yes'));
    await workspace.ok(sync(workspace, '--remove'));
    expect([readFileSync(other), readFileSync(join(workspace.root, REVIEW))]).toEqual(files);
  });

  test('a lock of another branch does not make managed files the user’s', async () => {
    const workspace = openWorkspace(skill('ops/review'));
    await workspace.ok(sync(workspace));
    const lock = join(workspace.root, '.catalog/sync.lock');
    const text = readFileSync(lock, 'utf8');
    rmSync(lock);
    writeFileSync(lock, text.replace(/^files:\n(?: .*\n)+/m, 'files: []\n'));
    await workspace.ok(sync(workspace));
    expect(readFileSync(lock, 'utf8')).toContain(`{path: ${REVIEW}, hash:`);
    await workspace.ok(sync(workspace, '--remove'));
    expect(existsSync(join(workspace.root, REVIEW))).toBe(false);
  });
});

describe('a lost token', () => {
  test('changes nothing and exits with the code for authentication', async () => {
    const issuer = await startTokenIssuer();
    const registry = await startRegistry({
      settings: {
        'identity_provider.type': 'oidc-jwt',
        'identity_provider.issuer': issuer.issuer,
        'identity_provider.audience': [TEST_AUDIENCE],
        ca_file: issuer.ca_file,
        'egress.allowed_hosts': [new URL(issuer.issuer).host],
        bootstrap_admins: ['admin'],
      },
    });
    const workspace = openWorkspace(many(2));
    const anonymous = { CI: 'true', CATALOG_REGISTRY: registry.url };
    const as = (sub: string) => ({ ...anonymous, CATALOG_TOKEN: issuer.mint({ sub }) });
    const open = join(dirname(workspace.registry), 'open');
    writeTree(open, skill('open/hello'));
    await workspace.ok(
      `layer register team --local-path ${workspace.registry} --organization`,
      as('admin'),
    );
    await workspace.ok(`layer register open --local-path ${open} --public`, as('admin'));
    const line = 'sync --harness claude-code';
    await workspace.ok(line, as('alice'));
    const before = readTree(workspace.root, ['.catalog/state']);
    expect(Object.keys(before)).toContain('.claude/skills/s0/SKILL.md');

    for (const command of [line, `${line} --check`, `${line} --dry-run`]) {
      const { code, error } = await workspace.error(command, anonymous);
      expect({ code, error: error.code }).toEqual({ code: 4, error: 'auth.identity_changed' });
      expect(error.suggested_action).toContain('--accept-identity');
    }
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual(before);

    await workspace.ok(line, as('bob'));
    await workspace.ok(`${line} --accept-identity`, anonymous);
    expect(Object.keys(readTree(workspace.root, ['.catalog']))).toEqual([
      '.claude/skills/hello/SKILL.md',
    ]);

    // Another caller has access to a second hello: the first moves to its qualified name and is not
    // lost.
    writeTree(workspace.registry, skill('ops/hello'));
    await workspace.ok('layer reingest team', as('admin'));
    await workspace.ok(`${line} --on-clash qualify`, as('alice'));
    expect(Object.keys(readTree(workspace.root, ['.catalog']))).toContain(
      '.claude/skills/open-hello/SKILL.md',
    );
  });
});

describe('a shrinking registry', () => {
  test.each([
    [3, 3, true],
    [2, 2, false],
    [12, 7, true],
    [12, 6, false],
    [9, 8, false],
  ])(
    'with %i skills, of which %i are removed, blocks the sync: %s',
    async (total, gone, refused) => {
      const workspace = openWorkspace(many(total));
      await workspace.ok(sync(workspace));
      const before = readTree(workspace.root, ['.catalog/state']);
      for (let index = 0; index < gone; index += 1) {
        rmSync(join(workspace.registry, `ops/s${index}`), { recursive: true });
      }
      if (!refused) {
        await workspace.ok(sync(workspace));
        return;
      }
      const { code, error } = await workspace.error(sync(workspace));
      expect({ code, error: error.code }).toEqual({
        code: 1,
        error: 'materialize.removal_refused',
      });
      expect(error.suggested_action).toContain('--allow-removal');
      expect(error.details).toMatchObject({ managed: total });
      expect(readTree(workspace.root, ['.catalog/state'])).toEqual(before);
      await workspace.ok(sync(workspace, '--allow-removal'));
      const left = Object.keys(readTree(workspace.root, ['.catalog']));
      expect(left).toHaveLength(total - gone);
    },
  );

  test('does not block changes of the user’s own configuration, renames and --remove', async () => {
    const workspace = openWorkspace(many(12));
    await workspace.ok(sync(workspace));
    await workspace.ok(sync(workspace, '--exclude ops/s1*'));
    await workspace.ok([...sync(workspace).split(' '), '--include', 'ops/s0']);
    await workspace.ok(sync(workspace));
    renameSync(join(workspace.registry, 'ops'), join(workspace.registry, 'team'));
    await workspace.ok(sync(workspace));
    await workspace.ok(sync(workspace, '--remove'));
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual({});
  });

  test('pauses --watch, which resumes when the registry has recovered', async () => {
    const workspace = openWorkspace(many(3));
    const running = workspace.start(sync(workspace, '--watch'));
    await running.waitFor('stderr', /Watching /);
    renameSync(join(workspace.registry, 'ops'), join(workspace.home, 'ops'));
    await running.waitFor('stderr', /Paused until the next change/);
    expect(existsSync(join(workspace.root, '.claude/skills/s0/SKILL.md'))).toBe(true);
    renameSync(join(workspace.home, 'ops'), join(workspace.registry, 'ops'));
    writeTree(workspace.registry, skill('ops/new'));
    await running.waitFor('stdout', /^claude-code {2}1 added$/m);
    expect(existsSync(join(workspace.root, '.claude/skills/new/SKILL.md'))).toBe(true);
  });
});

describe('an artifact broken by an edit', () => {
  const BROKEN = '---\nname: [review\n---\nDo it.\n';

  test('keeps the last valid copy, reports the file and line, and fails --check', async () => {
    const workspace = openWorkspace({ ...skill('ops/review'), ...skill('ops/other') });
    await workspace.ok(sync(workspace));
    const mine = readFileSync(join(workspace.root, REVIEW), 'utf8');
    writeTree(workspace.registry, { 'ops/review/SKILL.md': BROKEN });
    for (const flags of ['', '', '--check', '--dry-run']) {
      const { code, stderr } = await workspace.run(sync(workspace, flags));
      expect(code).toBe(1);
      expect(stderr).toMatch(/ops\/review\/SKILL\.md:\d+:\d+ /);
      expect(stderr).toContain('The installed version stays in place.');
    }
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toBe(mine);
    const { error } = await workspace.error(sync(workspace));
    expect(error).toMatchObject({
      code: 'materialize.artifact_rejected',
      details: { artifacts: [{ artifact_id: 'ops/review', kept: true }] },
    });
    writeTree(workspace.registry, skill('ops/review', undefined, 'Do it again.'));
    await workspace.ok(sync(workspace));
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toContain('Do it again.');
  });

  test('fails the sync if it was never installed, and the others are installed', async () => {
    const workspace = openWorkspace({
      ...skill('ops/other'),
      ...skill('ops/review'),
      'ops/review/SKILL.md': BROKEN,
    });
    const { error } = await workspace.error(sync(workspace));
    expect(error).toMatchObject({
      code: 'materialize.artifact_rejected',
      details: { artifacts: [{ artifact_id: 'ops/review', kept: false }] },
    });
    expect(existsSync(join(workspace.root, '.claude/skills/other/SKILL.md'))).toBe(true);
  });

  test('only fails --check if the artifact is not selected', async () => {
    const workspace = openWorkspace({
      ...skill('ops/other'),
      ...skill('web/page'),
      'web/page/SKILL.md': BROKEN,
    });
    const { stdout } = await workspace.ok(sync(workspace, '--include ops/**'));
    expect(stdout.match(/rejected web\/page/g)).toHaveLength(1);
    expect(stdout).toContain('1 artifact rejected');
    const { error } = await workspace.error(sync(workspace, '--include ops/** --check'));
    expect(error).toMatchObject({
      code: 'materialize.artifact_rejected',
      details: { artifacts: [{ artifact_id: 'web/page', kept: false }] },
    });
  });

  test('is not installed again if the configuration excludes the artifact', async () => {
    const workspace = openWorkspace({ ...skill('ops/review'), ...skill('ops/other') });
    await workspace.ok(sync(workspace));
    writeTree(workspace.registry, { 'ops/review/SKILL.md': BROKEN });
    await workspace.run(sync(workspace, '--exclude ops/review'));
    expect(existsSync(join(workspace.root, REVIEW))).toBe(false);
  });

  test('in an overlay is not replaced by the artifact of a lower layer', async () => {
    const overlay = '.catalog/overlay';
    const workspace = openWorkspace(skill('ops/review'));
    writeTree(join(workspace.root, overlay), skill('ops/review', undefined, 'Mine.'));
    await workspace.ok(sync(workspace, `--overlay ${overlay}`));
    writeTree(join(workspace.root, overlay), { 'ops/review/SKILL.md': BROKEN });
    expect((await workspace.run(sync(workspace, `--overlay ${overlay}`))).code).toBe(1);
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toContain('Mine.');
  });

  test('and not completely saved keeps its last copy under --watch', async () => {
    const workspace = openWorkspace(skill('ops/review'));
    const running = workspace.start(sync(workspace, '--watch'));
    await running.waitFor('stderr', /Watching /);
    writeTree(workspace.registry, { 'ops/review/SKILL.md': BROKEN });
    await running.waitFor('stderr', /materialize\.artifact_rejected/);
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toContain('Do it.');
    writeTree(workspace.registry, skill('ops/review', undefined, 'Do it again.'));
    await running.waitFor('stdout', /^claude-code {2}1 changed$/m);
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toContain('Do it again.');
  });
});

describe('a change of harness', () => {
  test('with --harness needs confirmation; in sync.yaml it continues and lists the removed files', async () => {
    const workspace = openWorkspace(skill('ops/review'));
    await workspace.ok(sync(workspace));
    const cursor = `sync --registry ${workspace.registry} --harness cursor`;
    const { code, error } = await workspace.error(cursor);
    expect(code).toBe(1);
    expect(error).toMatchObject({
      code: 'materialize.removal_refused',
      details: { harnesses: ['claude-code'], removed: [REVIEW] },
      suggested_action: expect.stringContaining('--harness claude-code,cursor'),
    });
    expect(existsSync(join(workspace.root, REVIEW))).toBe(true);
    await workspace.ok(`${cursor} --allow-removal`);
    expect(existsSync(join(workspace.root, REVIEW))).toBe(false);

    const configured = openWorkspace(skill('ops/review'));
    const configure = (harness: string): void =>
      writeTree(configured.root, {
        '.catalog/sync.yaml': `defaults:\n  registry: ${configured.registry}\n  harness: ${harness}\n`,
      });
    configure('claude-code');
    await configured.ok('sync');
    configure('cursor');
    const { stdout } = await configured.ok('sync');
    expect(stdout).toContain('Removed the files installed for claude-code');
    expect(stdout).toContain(`- ${REVIEW}`);
  });
});

describe('undo', () => {
  test('restores the files that the last sync replaced or removed, and removes the files it added', async () => {
    const workspace = openWorkspace(
      { ...skill('ops/review'), ...skill('ops/gone'), ...server('ops/db', 'db') },
      { '.mcp.json': '{\n  "mcpServers": {"mine": {"command": "x"}} // mine\n}\n' },
    );
    writeTree(workspace.root, {
      '.catalog/sync.yaml': `defaults:\n  registry: ${workspace.registry}\n  harness: claude-code\n`,
    });
    await workspace.ok('sync --approve ops/db');
    writeFileSync(join(workspace.root, REVIEW), 'Edited by hand.\n');
    const before = readTree(workspace.root, ['.catalog/state']);
    writeTree(workspace.registry, {
      ...skill('ops/review', undefined, 'Do it again.'),
      ...skill('ops/new'),
    });
    rmSync(join(workspace.registry, 'ops/gone'), { recursive: true });
    rmSync(join(workspace.registry, 'ops/db'), { recursive: true });
    await workspace.ok('sync');
    const after = readTree(workspace.root, ['.catalog/state', '.catalog/kept']);
    expect((await workspace.ok('undo --dry-run')).stdout).toContain('Would restore 3 files');
    const { stdout } = await workspace.ok('undo');
    expect(stdout).toContain('Restored 3 files and removed 1');
    expect(readTree(workspace.root, ['.catalog/state', '.catalog/kept'])).toEqual(before);
    await workspace.ok('undo');
    expect(readTree(workspace.root, ['.catalog/state', '.catalog/kept'])).toEqual(after);
    await workspace.ok('sync --remove');
    expect(readFileSync(join(workspace.root, '.mcp.json'), 'utf8')).toContain('// mine');
  });

  test('skips files that changed since the sync, and reports them', async () => {
    const workspace = openWorkspace(skill('ops/review'));
    writeTree(workspace.root, {
      '.catalog/sync.yaml': `defaults:\n  registry: ${workspace.registry}\n  harness: claude-code\n`,
    });
    await workspace.ok('sync');
    rmSync(join(workspace.registry, 'ops/review'), { recursive: true });
    writeTree(workspace.registry, skill('ops/other'));
    await workspace.ok('sync');
    mkdirSync(join(workspace.root, dirname(REVIEW)), { recursive: true });
    writeFileSync(join(workspace.root, REVIEW), 'Mine now.\n');
    const { stdout } = await workspace.ok('undo');
    expect(stdout).toContain(`skipped ${REVIEW}: changed since the last sync`);
    await workspace.ok('sync --remove');
    expect(readFileSync(join(workspace.root, REVIEW), 'utf8')).toBe('Mine now.\n');
  });

  test('reports that a new folder has nothing to restore', async () => {
    const workspace = openWorkspace(skill('ops/review'));
    expect((await workspace.error('undo --harness claude-code')).error).toMatchObject({
      code: 'registry.not_found',
      message: expect.stringContaining('Nothing to undo'),
    });
  });
});
