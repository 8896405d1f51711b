import { existsSync, readFileSync } from 'node:fs';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, OPS } from './workspace.ts';

const ADDRESS = { CATALOG_REGISTRY: 'https://registry.example' };

const MINE = `{
  // my own servers
  "mcpServers": {
    "mine": { "command": "mine" }, // keep
  },
}
`;

describe('catalog mcp config', () => {
  test('prints the entry and the path of its file, and writes nothing', async () => {
    const workspace = openWorkspace();
    const { stdout } = await workspace.ok('mcp config harness-a', ADDRESS);
    expect(stdout).toBe(`.mcp.json

{
  "mcpServers": {
    "catalog": {
      "command": "catalog-mcp",
      "env": {
        "CATALOG_REGISTRY": "https://registry.example",
        "CATALOG_HARNESS": "harness-a"
      }
    }
  }
}

Next: to merge the entry into that file, add --write.
`);
    expect(readTree(workspace.root)).toEqual({});
    const { document } = await workspace.json('mcp config harness-a', ADDRESS);
    expect(document).toMatchObject({
      path: `${workspace.root}/.mcp.json`,
      scope: 'project',
      change: 'none',
      entry: { container: ['mcpServers'], key: 'catalog' },
    });
  });

  test("merges the entry into the user's file once, and removes it again byte for byte", async () => {
    const workspace = openWorkspace({}, { '.mcp.json': MINE });
    const written = await workspace.ok('mcp config harness-a --write', ADDRESS);
    expect(written.stdout).toContain('Added the catalog-mcp entry to .mcp.json\n');
    const text = readFileSync(`${workspace.root}/.mcp.json`, 'utf8');
    expect(text).toContain('// my own servers');
    expect(text).toContain('"mine": { "command": "mine" }, // keep');
    expect(text).toContain('"CATALOG_HARNESS": "harness-a"');
    const again = await workspace.ok('mcp config harness-a --write', ADDRESS);
    expect(again.stdout).toBe('.mcp.json already has the entry.\n');
    expect(readFileSync(`${workspace.root}/.mcp.json`, 'utf8')).toBe(text);
    const moved = { CATALOG_REGISTRY: 'https://other.example' };
    await workspace.ok('mcp config harness-a --write', moved);
    const changed = readFileSync(`${workspace.root}/.mcp.json`, 'utf8');
    expect(changed).toBe(text.replace(ADDRESS.CATALOG_REGISTRY, moved.CATALOG_REGISTRY));
    await workspace.ok('mcp config harness-a --remove');
    // The state folder contains the data to undo the removal.
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual({ '.mcp.json': MINE });
    const nothing = await workspace.ok('mcp config harness-a --remove');
    expect(nothing.stdout).toContain('Nothing to remove');
  });

  test('coexists with servers installed by sync, in either order', async () => {
    const workspace = openWorkspace(OPS);
    const sync = `sync --registry ${workspace.registry} --harness harness-a`;
    await workspace.ok('mcp config harness-a --write', ADDRESS);
    await workspace.ok(sync);
    const servers = (): string[] =>
      Object.keys(
        JSON.parse(readFileSync(`${workspace.root}/.mcp.json`, 'utf8')).mcpServers,
      ).toSorted();
    expect(servers()).toEqual(['catalog', 'wh']);
    const { stdout } = await workspace.ok(sync);
    expect(stdout).toContain('up to date');
    await workspace.ok(`${sync} --exclude ops/tools/**`);
    expect(servers()).toEqual(['catalog']);
    await workspace.ok(sync);
    await workspace.ok('mcp config harness-a --remove');
    expect(servers()).toEqual(['wh']);
    await workspace.ok(`${sync} --remove`);
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual({});
  });

  verifies(
    ['MCPCFG-02', 'HB-08'],
    'requires confirmation before it writes into the home folder',
    async () => {
      const workspace = openWorkspace();
      const { error } = await workspace.error('mcp config harness-b --write', ADDRESS);
      expect(error.code).toBe('materialize.consent_required');
      expect(readTree(workspace.home)).toEqual({});
      await workspace.ok('mcp config harness-b --write --yes', ADDRESS);
      const path = `${workspace.home}/.config/harness-b/harness_b_config.json`;
      expect(JSON.parse(readFileSync(path, 'utf8')).mcpServers).toEqual({
        catalog: {
          command: 'catalog-mcp',
          env: { ...ADDRESS, CATALOG_HARNESS: 'harness-b' },
        },
      });
      expect(existsSync(`${workspace.root}/.catalog`)).toBe(false);
      await workspace.ok('mcp config harness-b --remove');
      const left = readTree(workspace.home, ['.catalog/state']);
      expect(Object.keys(left)).toEqual(['.catalog/state.key']);
    },
  );

  verifies(
    'HB-08',
    'an artifact for other harnesses does not fail a sync for harness-b',
    async () => {
      const workspace = openWorkspace({
        'ops/only-a/ARTIFACT.md':
          '---\ntype: agent\nversion: 1.0.0\ndescription: Sorts incoming incidents.\ntarget_harnesses: [harness-a]\n---\nYou triage.\n',
      });
      await workspace.ok(`sync --registry ${workspace.registry} --harness harness-b`);
      expect(readTree(workspace.root, ['.catalog'])).toEqual({});
    },
  );

  verifies(['HC-10', 'MCPCFG-08'], 'suggests the marketplace for harness-c', async () => {
    const workspace = openWorkspace();
    for (const harness of ['harness-c', 'claude-cowork']) {
      const { code, error } = await workspace.error(`mcp config ${harness} --write`, ADDRESS);
      expect([code, error.code]).toEqual([2, 'config.invalid']);
      expect(error.message).toContain('marketplace');
    }
    expect([readTree(workspace.root), readTree(workspace.home)]).toEqual([{}, {}]);
  });

  verifies(['HH-08', 'MCPCFG-09'], 'suggests sync for harness-h', async () => {
    const workspace = openWorkspace();
    const { code, error } = await workspace.error('mcp config harness-h --write', ADDRESS);
    expect([code, error.code]).toEqual([2, 'config.invalid']);
    expect(error.message).toContain('catalog sync --harness harness-h');
    expect([readTree(workspace.root), readTree(workspace.home)]).toEqual([{}, {}]);
  });

  test('suggests an alternative if a harness does not support the server', async () => {
    const workspace = openWorkspace();
    const { error } = await workspace.error('mcp config agents-md', ADDRESS);
    expect(error.suggested_action).toBe('Choose a harness that can run it.');
    const none = await workspace.error('mcp config none', ADDRESS);
    expect(none.error.suggested_action).toBe(
      'Pick another of the harnesses that `catalog harness list` prints.',
    );
  });

  verifies('MCPCFG-07', 'keeps the comments of a YAML file', async () => {
    const workspace = openWorkspace();
    const mine = '# mine\nmodel: big # the big one\nmcp_servers:\n  other:\n    command: other\n';
    writeTree(workspace.home, { '.harness-i/config.yaml': mine });
    await workspace.ok('mcp config harness-i --write -y', ADDRESS);
    const path = `${workspace.home}/.harness-i/config.yaml`;
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith(mine)).toBe(true);
    expect(text.slice(mine.length)).toMatch(/^ {2}catalog:\n {4}command: catalog-mcp\n {4}env:\n/);
    await workspace.ok('mcp config harness-i --remove');
    expect(readFileSync(path, 'utf8')).toBe(mine);
  });

  verifies('MCPCFG-05', 'keeps a TOML file unchanged around the entry', async () => {
    const mine = '# mine\nmodel = "big" # the big one\n\n[mcp_servers.other]\ncommand = "other"\n';
    const workspace = openWorkspace({}, { '.harness-f/config.toml': mine });
    await workspace.ok('mcp config harness-f --write', ADDRESS);
    const path = `${workspace.root}/.harness-f/config.toml`;
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith(mine)).toBe(true);
    expect(text).toContain('[mcp_servers.catalog]\ncommand = "catalog-mcp"\n');
    expect(text).toContain('"harness-f"');
    await workspace.ok('mcp config harness-f --remove');
    const left = readTree(workspace.root, ['.catalog/state']);
    expect(left).toEqual({ '.harness-f/config.toml': mine });
  });

  test('is explained by why, and keeps an entry that the user edited', async () => {
    const workspace = openWorkspace();
    await workspace.ok('mcp config harness-a --write', ADDRESS);
    const { stdout } = await workspace.ok('why .mcp.json', ADDRESS);
    expect(stdout).toContain('catalog-mcp');
    const path = `${workspace.root}/.mcp.json`;
    const edited = readFileSync(path, 'utf8').replace('"catalog-mcp",', '"my-catalog-mcp",');
    writeTree(workspace.root, { '.mcp.json': edited });
    const removed = await workspace.ok('mcp config harness-a --remove');
    expect(removed.stdout).toContain('you edited it; your version is in .catalog/kept/');
  });

  test('warns about a folder as the registry, and fails without a registry', async () => {
    const workspace = openWorkspace();
    const folder = { CATALOG_REGISTRY: workspace.registry };
    const { stderr } = await workspace.ok('mcp config harness-a', folder);
    expect(stderr).toContain(`start one with \`catalog serve --layer-path ${workspace.registry}\``);
    const { error } = await workspace.error('mcp config harness-a');
    expect(error.code).toBe('config.no_registry');
  });

  test('rejects a URL that contains a password', async () => {
    const workspace = openWorkspace();
    const address = { CATALOG_REGISTRY: 'https://ann:s3cret@registry.example' };
    const { error } = await workspace.error('mcp config harness-a --write', address);
    expect(error.message).toContain('contains a user name or password');
    expect(JSON.stringify(error)).not.toContain('s3cret');
    expect(existsSync(`${workspace.root}/.mcp.json`)).toBe(false);
  });

  test('does not change a server of the same name that another program added', async () => {
    const mine = '{"mcpServers": {"catalog": {"command": "my-own"}}}\n';
    const workspace = openWorkspace({}, { '.mcp.json': mine });
    const { error } = await workspace.error('mcp config harness-a --write', ADDRESS);
    expect(error.code).toBe('materialize.clash');
    expect(readFileSync(`${workspace.root}/.mcp.json`, 'utf8')).toBe(mine);
  });
});
