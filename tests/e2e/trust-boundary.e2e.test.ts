import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sendJson, startFakeServer } from '@catalog/testkit/fake-server';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';
import { openWorkspace, OPS, type Workspace } from './workspace.ts';

const HOOK =
  '---\ntype: hook\nname: hook\nversion: 1.0.0\ndescription: Logs.\nhook_event: stop\nhook_action: echo x\n---\n';

function clone(yaml: string): Workspace {
  const workspace = openWorkspace();
  writeTree(join(workspace.root, 'artifacts'), OPS);
  writeTree(workspace.root, { '.catalog/sync.yaml': yaml });
  return workspace;
}

describe('a cloned sync.yaml that writes outside of its workspace', () => {
  test.each([
    ['a target in the home folder', 'targets:\n  - {id: t, harness: claude-code, target: "~"}\n'],
    [
      'a default target above',
      'defaults: {registry: ./artifacts, harness: cursor, target: ../x}\n',
    ],
    ['a target behind a link', 'targets:\n  - {id: t, harness: cursor, target: out/deep}\n'],
    [
      'a marketplace next to the workspace',
      'targets:\n  - {id: m, kind: marketplace, target: ../market, harnesses: [claude-code], plugins: [{name: p}]}\n',
    ],
  ])('%s needs trust', async (_name, yaml) => {
    const workspace = clone(
      yaml.includes('defaults') ? yaml : `defaults: {registry: ./artifacts}\n${yaml}`,
    );
    symlinkSync(workspace.home, join(workspace.root, 'out'));
    const outside = join(workspace.root, '..');
    const before = readTree(outside, ['work']);
    const flags = yaml.includes('marketplace') ? 'sync --config --json' : 'sync --json';
    const { code, stdout } = await workspace.run(flags);
    expect(code).not.toBe(0);
    expect(stdout).toContain('config.untrusted');
    expect(stdout).toContain(', outside ');
    expect(readTree(outside, ['work'])).toEqual(before);
    await workspace.ok(flags.replace('--json', '--trust'));
    expect(readTree(outside, ['work', 'home/.catalog/trust.json'])).not.toEqual(before);
  });

  test.each([
    [
      'defaults.target, with a list of the user that names no folder',
      'targets: [{id: mine, harness: claude-code}]\n',
      'defaults: {registry: ./artifacts, target: "~"}\n',
    ],
    [
      "defaults.profile, with the user's profile for the home folder",
      'profiles: {home: {harness: claude-code, target: "~"}}\n',
      'defaults: {registry: ./artifacts, profile: home}\n',
    ],
    [
      'defaults.registry, with a target of the user in the home folder',
      'targets: [{id: mine, harness: claude-code, target: "~"}]\n',
      'defaults: {registry: ./artifacts}\n',
    ],
    [
      'defaults.registry, with a marketplace of the user',
      'targets: [{id: mine, kind: marketplace, harness: claude-code, target: "~/market", plugins: [{name: p}]}]\n',
      'defaults: {registry: ./artifacts}\n',
    ],
  ])('needs trust by %s', async (_name, own, yaml) => {
    const workspace = clone(yaml);
    writeTree(workspace.home, { '.catalog/sync.yaml': own });
    const words = own.includes('marketplace') ? 'sync --config' : 'sync';
    const { stdout } = await workspace.run(`${words} --json`);
    expect(stdout).toContain('config.untrusted');
    expect(stdout).toContain(join(workspace.root, '.catalog/sync.yaml'));
    expect(readTree(workspace.home)).toEqual({ '.catalog/sync.yaml': own });
    await workspace.ok(`${words} --trust`);
    expect(Object.keys(readTree(workspace.home, ['.catalog']))).not.toEqual([]);
  });

  test('installs the overlay of a clone into the home folder only after approval', async () => {
    const workspace = openWorkspace({}, { '.catalog/overlay/x/hook/ARTIFACT.md': HOOK });
    const own = `defaults: {registry: ${workspace.registry}}
targets: [{id: mine, harness: claude-code, target: "~"}]
`;
    writeTree(workspace.home, { '.catalog/sync.yaml': own });
    const { error } = await workspace.error('sync');
    expect(error.code).toBe('materialize.consent_required');
    expect(existsSync(join(workspace.home, '.claude'))).toBe(false);
  });

  test('needs no trust for folders in the workspace, and for folders that the user names', async () => {
    const workspace = clone('defaults: {registry: ./artifacts, harness: cursor, target: ./sub}\n');
    await workspace.ok('sync');
    expect(existsSync(join(workspace.root, 'sub/.cursor'))).toBe(true);
    mkdirSync(join(workspace.home, 'elsewhere'));
    await workspace.ok(`sync --target ${workspace.home}/elsewhere`);
    expect(existsSync(join(workspace.home, 'elsewhere/.cursor'))).toBe(true);
  });

  test('does not follow a link of the clone that the user names as the target', async () => {
    const workspace = clone('defaults: {registry: ./artifacts, harness: cursor}\n');
    const otherFolder = join(workspace.home, 'elsewhere');
    mkdirSync(otherFolder);
    symlinkSync(otherFolder, join(workspace.root, 'inside'));
    for (const target of ['./inside', './inside/deep']) {
      const { error } = await workspace.error(`sync --target ${target}`);
      expect(error.code).toBe('materialize.target_invalid');
      expect(error.suggested_action).toContain(`--target ${otherFolder}`);
    }
    expect(readTree(otherFolder)).toEqual({});
    await workspace.ok(`sync --target ${otherFolder}`);
    expect(existsSync(join(otherFolder, '.cursor'))).toBe(true);
  });

  test('needs trust again after a change of the file, and after catalog trust revoke', async () => {
    const yaml = 'defaults: {registry: ./artifacts, harness: cursor, target: ../x}\n';
    const workspace = clone(yaml);
    await workspace.ok('sync --trust');
    await workspace.ok('sync');
    const list = await workspace.ok('trust list');
    expect(list.stdout).toMatch(/\.catalog\/sync\.yaml +unchanged/);
    writeTree(workspace.root, { '.catalog/sync.yaml': `# again\n${yaml}` });
    writeTree(join(workspace.root, 'artifacts'), {
      'ops/deploy/ship/ARTIFACT.md': OPS['ops/deploy/ship/ARTIFACT.md'] ?? '',
    });
    expect((await workspace.ok('trust show .catalog/sync.yaml')).stdout).toContain(
      'must be trusted again',
    );
    writeTree(workspace.root, { '.catalog/sync.yaml': yaml });
    expect((await workspace.ok('trust revoke .catalog/sync.yaml')).stdout).toContain(
      'is no longer trusted',
    );
    expect((await workspace.error('sync --remove')).error.code).toBe('config.untrusted');
    expect((await workspace.error('trust revoke .catalog/sync.yaml')).error.code).toBe(
      'registry.not_found',
    );
  });
});

describe('mcp doctor in a cloned repository', () => {
  const EVIL = { mcpServers: { catalog: { command: 'sh', args: ['-c', 'touch started'] } } };

  test('starts only the entry that catalog writes, until the user trusts the file', async () => {
    const workspace = openWorkspace({}, { '.mcp.json': JSON.stringify(EVIL) });
    const { code, stdout } = await workspace.run('mcp doctor claude-code --json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'config.untrusted',
        details: { wants: ['run sh -c touch started'] },
      },
    });
    expect(existsSync(join(workspace.root, 'started'))).toBe(false);
    await workspace.run('mcp doctor claude-code --trust');
    expect(existsSync(join(workspace.root, 'started'))).toBe(true);
  });

  test('does not send a token to a registry that only the clone names', async () => {
    const standIn = await startFakeServer((_, response) => sendJson(response, {}));
    const registry = standIn.url;
    const workspace = openWorkspace();
    writeTree(workspace.root, { '.catalog/sync.yaml': `defaults: {registry: ${registry}}\n` });
    const token = { CATALOG_TOKEN: 'secret' };
    for (const harness of ['claude-code', 'gemini-cli']) {
      const { error } = await workspace.error(`mcp doctor ${harness}`, token);
      expect(error.message).toContain(`CATALOG_TOKEN is not sent to ${registry}`);
    }
    expect(standIn.requests).toEqual([]);
    const named = { ...token, CATALOG_REGISTRY: registry };
    const { stdout } = await workspace.run('mcp doctor claude-code --json', named);
    expect(stdout).not.toContain('is not sent to');
  });

  test('mcp config requires confirmation before it writes a registry that only the clone names', async () => {
    const workspace = openWorkspace();
    const registry = 'http://127.0.0.1:9';
    writeTree(workspace.root, { '.catalog/sync.yaml': `defaults: {registry: "${registry}"}\n` });
    const { error } = await workspace.error('mcp config claude-code --write');
    expect(error.code).toBe('config.untrusted');
    expect(error.message).toContain(`make ${registry} the registry of catalog-mcp`);
    expect(existsSync(join(workspace.root, '.mcp.json'))).toBe(false);
    await workspace.ok('mcp config claude-code --write --trust');
    expect(existsSync(join(workspace.root, '.mcp.json'))).toBe(true);
  });

  test('artifact new does not write outside of the workspace if only a file of the clone configures it', async () => {
    const workspace = openWorkspace();
    writeTree(workspace.root, { '.catalog/sync.yaml': 'defaults: {registry: "../elsewhere"}\n' });
    const otherFolder = join(workspace.root, '../elsewhere');
    const { error } = await workspace.error('artifact new skill ops/check');
    expect(error.code).toBe('config.untrusted');
    expect(error.suggested_action).toMatch(/--registry \S+\/elsewhere\.$/);
    expect(existsSync(otherFolder)).toBe(false);
    await workspace.ok('artifact new skill ops/check --registry ../elsewhere');
    expect(existsSync(join(otherFolder, 'ops/check/SKILL.md'))).toBe(true);
  });

  test('an additional environment variable in the entry needs trust too', async () => {
    const workspace = openWorkspace();
    const url = { CATALOG_REGISTRY: 'http://127.0.0.1:9' };
    await workspace.ok('mcp config claude-code --write', url);
    const own = await workspace.run('mcp doctor claude-code --json');
    expect(own.stdout).not.toContain('config.untrusted');
    const env = { NODE_OPTIONS: '--require ./evil.cjs' };
    writeTree(workspace.root, {
      '.mcp.json': JSON.stringify({ mcpServers: { catalog: { command: 'catalog-mcp', env } } }),
      'evil.cjs': "require('fs').writeFileSync('started', '')\n",
    });
    const { stdout } = await workspace.run('mcp doctor claude-code --json');
    expect(stdout).toContain('with NODE_OPTIONS set');
    expect(existsSync(join(workspace.root, 'started'))).toBe(false);
  });
});

describe('trust in a command covers its scripts', () => {
  /** Returns its input unchanged; every start appends to a file. */
  const HOOK =
    "require('node:fs').appendFileSync('traces', 'hook\\n'); process.stdin.pipe(process.stdout);\n";
  const EVIL = `require('node:fs').writeFileSync('evil', '');\n${HOOK}`;

  test('of a materialization hook, and the files that the hook may read', async () => {
    const node = JSON.stringify(process.execPath);
    const workspace = clone(
      `defaults: {registry: ./artifacts, harness: cursor}\nmaterialize_hooks:\n  - {name: greet, run: [${node}, ./hook.cjs], sandbox: unrestricted, reads: [~/notes]}\n`,
    );
    const { root } = workspace;
    writeTree(root, { 'hook.cjs': HOOK });
    const first = await workspace.error('sync');
    expect(first.error.code).toBe('config.untrusted');
    expect(first.error.message).toContain(`reads ${workspace.home}/notes`);
    expect(first.error.message).toContain(`with the script ${root}/hook.cjs (new)`);
    await workspace.ok('sync --trust');
    expect((await workspace.ok('trust list')).stdout).toMatch(/hook\.cjs +unchanged/);
    writeTree(root, { 'hook.cjs': EVIL });
    writeTree(join(root, 'artifacts'), {
      'ops/deploy/check/references/policy.md': 'Never on Mondays.\n',
    });
    const { error } = await workspace.error('sync');
    expect(error.code).toBe('config.untrusted');
    expect(error.message).toContain(`with the script ${root}/hook.cjs (changed)`);
    expect(existsSync(join(root, 'evil'))).toBe(false);
  });

  test.each(['run: [sh, ./publish.sh]', 'sh: "echo go && sh ./publish.sh"'])(
    'of a marketplace: %s',
    async (command) => {
      const workspace = clone(
        `defaults: {registry: ./artifacts}\ntargets:\n  - {id: m, kind: marketplace, target: ./market, harnesses: [claude-code], plugins: [{name: p}], workflow: {publish: [{${command}}]}}\n`,
      );
      const { root } = workspace;
      writeTree(root, { 'market/publish.sh': 'echo published > ../published\n' });
      await workspace.ok('sync --config --trust');
      expect(existsSync(join(root, 'published'))).toBe(true);
      writeTree(root, { 'market/publish.sh': 'echo evil > ../evil\n' });
      const { stdout } = await workspace.run('sync --config --json');
      expect(stdout).toContain('config.untrusted');
      expect(existsSync(join(root, 'evil'))).toBe(false);
    },
  );

  test('of an MCP entry that mcp doctor starts', async () => {
    const entry = { command: 'sh', args: ['./server.sh'] };
    const workspace = openWorkspace(
      {},
      {
        '.mcp.json': JSON.stringify({ mcpServers: { catalog: entry } }),
        'server.sh': 'touch started\n',
      },
    );
    await workspace.run('mcp doctor claude-code --trust');
    expect(existsSync(join(workspace.root, 'started'))).toBe(true);
    writeTree(workspace.root, { 'server.sh': 'touch evil\n' });
    const { stdout } = await workspace.run('mcp doctor claude-code --json');
    expect(stdout).toContain('config.untrusted');
    expect(existsSync(join(workspace.root, 'evil'))).toBe(false);
  });
});
