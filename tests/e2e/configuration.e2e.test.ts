import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, writeTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, OPS, skill, type Workspace } from './workspace.ts';

const LAYOUTS = { none: 'a/b/SKILL.md', 'harness-a': '.harness-a/skills/b/SKILL.md' } as const;

function laidOutFor({ root }: Workspace): string[] {
  return Object.entries(LAYOUTS)
    .filter(([, path]) => existsSync(join(root, path)))
    .map(([harness]) => harness);
}

async function readEffectiveValue(
  workspace: Workspace,
  key: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<[unknown, unknown]> {
  const { document } = await workspace.json(['config', 'show', '--explain', key, ...flags], env);
  const { value, origin } = document;
  return [
    value,
    typeof origin === 'object' && origin !== null && 'kind' in origin ? origin.kind : '',
  ];
}

function configure({ root, registry }: Workspace, harness: string | undefined, more = ''): void {
  const line = harness === undefined ? '' : `  harness: ${harness}\n`;
  writeTree(root, { '.catalog/sync.yaml': `defaults:\n  registry: ${registry}\n${line}${more}` });
}

describe('sources of configuration values', () => {
  verifies(['CFG-01', 'ENV-02'], 'defaults.registry supplies the registry', async () => {
    const workspace = openWorkspace(skill('a/b'));
    configure(workspace, 'harness-a');
    await workspace.ok('sync', {});
    expect(laidOutFor(workspace)).toEqual(['harness-a']);
    expect(await readEffectiveValue(workspace, 'defaults.registry')).toEqual([
      workspace.registry,
      'workspace',
    ]);
  });

  verifies(['CFG-02', 'CFG-11'], 'defaults.harness supplies the adapter', async () => {
    const workspace = openWorkspace(skill('a/b'));
    configure(workspace, 'harness-a', 'profiles:\n  plain: {include: ["**"]}\n');
    await workspace.ok('sync --profile plain');
    expect(laidOutFor(workspace)).toEqual(['harness-a']);
  });

  const profile = 'profiles:\n  team: {harness: none}\n';

  verifies(
    'CFG-08',
    '--harness takes precedence over environment variable, profile and default',
    async () => {
      const workspace = openWorkspace(skill('a/b'));
      configure(workspace, 'none', profile);
      const env = { CATALOG_HARNESS: 'none' };
      await workspace.ok('sync --harness harness-a --profile team', env);
      expect(laidOutFor(workspace)).toEqual(['harness-a']);
    },
  );

  verifies('CFG-09', 'CATALOG_HARNESS takes precedence over profile and default', async () => {
    const workspace = openWorkspace(skill('a/b'));
    configure(workspace, 'none', profile);
    await workspace.ok('sync --profile team', { CATALOG_HARNESS: 'harness-a' });
    expect(laidOutFor(workspace)).toEqual(['harness-a']);
  });

  verifies('CFG-10', "the active profile's harness takes precedence over the default", async () => {
    const workspace = openWorkspace(skill('a/b'));
    configure(workspace, 'none', '  profile: team\nprofiles:\n  team: {harness: harness-a}\n');
    await workspace.ok('sync');
    expect(laidOutFor(workspace)).toEqual(['harness-a']);
  });

  verifies('CFG-12', 'the default adapter has the id none', async () => {
    const workspace = openWorkspace(skill('a/b'));
    configure(workspace, undefined);
    await workspace.ok('sync');
    expect(laidOutFor(workspace)).toEqual(['none']);
    expect(await readEffectiveValue(workspace, 'defaults.harness')).toEqual(['none', 'built-in']);
  });

  test('flag, environment variable, local file, workspace and user file take precedence in this order', async () => {
    const workspace = openWorkspace();
    const { root, home } = workspace;
    const file = (registry: string): string => `defaults: {registry: ${registry}}\n`;
    const seen = (flags: string[] = [], env: Record<string, string> = {}): Promise<unknown> =>
      readEffectiveValue(workspace, 'defaults.registry', flags, env);
    writeTree(home, { '.catalog/sync.yaml': file('/user') });
    expect(await seen()).toEqual(['/user', 'user']);
    writeTree(root, { '.catalog/sync.yaml': file('/workspace') });
    expect(await seen()).toEqual(['/workspace', 'workspace']);
    writeTree(root, { '.catalog/sync.local.yaml': file('/local') });
    expect(await seen()).toEqual(['/local', 'workspace-local']);
    const env = { CATALOG_REGISTRY: '/variable' };
    expect(await seen([], env)).toEqual(['/variable', 'env']);
    expect(await seen(['--registry', '/flag'], env)).toEqual(['/flag', 'flag']);
    const { document } = await workspace.json(
      'config show --explain defaults.registry --registry /flag',
      env,
    );
    expect(document['places']).toMatchObject([
      { value: '/flag' },
      { value: '/variable' },
      { value: '/local' },
      { value: '/workspace' },
      { value: '/user' },
    ]);
  });

  test('the workspace is the nearest parent folder with .catalog', async () => {
    const workspace = openWorkspace(skill('a/b'), { 'deep/er/x.txt': '' });
    configure(workspace, 'harness-a');
    const { runCatalog } = await import('@catalog/testkit/packed-program');
    const { root, home } = workspace;
    await runCatalog(['sync'], { cwd: join(root, 'deep/er'), home });
    expect(laidOutFor(workspace)).toEqual(['harness-a']);
  });

  verifies('ENV-03', 'CATALOG_OVERLAY_PATH adds artifacts on top of the registry', async () => {
    const workspace = openWorkspace(skill('a/b'));
    const { root, home, registry } = workspace;
    writeTree(home, {
      ...prefixed('mine', skill('a/b', 'Do what a/b is for.', 'My way.')),
      ...prefixed('mine', skill('a/extra')),
    });
    const sync = `sync --registry ${registry} --harness harness-a`;
    await workspace.ok(sync, { CATALOG_OVERLAY_PATH: join(home, 'mine') });
    const tree = readTree(root);
    expect(tree['.harness-a/skills/b/SKILL.md']).toContain('My way.');
    expect(tree).toHaveProperty('.harness-a/skills/extra/SKILL.md');
    await workspace.ok(sync);
    expect(readTree(root)['.harness-a/skills/b/SKILL.md']).toContain('Do it.');
    expect(readTree(root)).not.toHaveProperty('.harness-a/skills/extra/SKILL.md');
  });
});

function prefixed(folder: string, files: ReturnType<typeof skill>): ReturnType<typeof skill> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]),
  );
}

describe('catalog config show', () => {
  verifies('CLI-18', 'prints every value with its source', async () => {
    const workspace = openWorkspace();
    configure(workspace, 'harness-a', '  unsupported: skip\n');
    const { stdout, code } = await workspace.ok('config show', {
      CATALOG_OVERLAY_PATH: '/over',
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^defaults\.harness +harness-a +\.catalog\/sync\.yaml$/m);
    expect(stdout).toMatch(/^defaults\.unsupported +skip +\.catalog\/sync\.yaml$/m);
    expect(stdout).toMatch(/^defaults\.on_clash +fail +default$/m);
    expect(stdout).toMatch(/^overlay +\/over +\$CATALOG_OVERLAY_PATH$/m);
    expect(stdout).toMatch(/^defaults\.profile +\(unset\) +default$/m);
  });

  test('suggests the right key for a typo, in the command and in the file', async () => {
    const workspace = openWorkspace();
    const explained = await workspace.error('config show --explain defaults.harnes');
    expect(explained.error.details).toMatchObject({ did_you_mean: 'defaults.harness' });
    writeTree(workspace.root, { '.catalog/sync.yaml': 'defaults:\n  harnes: none\n' });
    const written = await workspace.error('status');
    expect([written.error.code, written.code]).toEqual(['config.invalid', 2]);
    expect(written.error.message + written.error.suggested_action).toContain('harness');
  });
});

describe('targets', () => {
  const both = (kind: string): string =>
    `targets:\n  - {id: raw, kind: ${kind}, harness: none, target: raw}\n  - {id: app, harness: harness-a}\n`;

  verifies('CFG-05', 'accept the kinds workspace and marketplace, and reject others', async () => {
    const workspace = openWorkspace(skill('a/b'));
    configure(workspace, undefined, both('workspace'));
    const { stdout } = await workspace.ok('sync --config');
    expect(stdout).toMatch(/^raw: none {7}\d+ added in raw$/m);
    expect(stdout).toMatch(/^app: harness-a {2}\d+ added$/m);
    expect(Object.keys(readTree(workspace.root, ['.catalog', 'raw/.catalog']))).toEqual([
      '.harness-a/skills/b/SKILL.md',
      'raw/a/b/ARTIFACT.md',
      'raw/a/b/SKILL.md',
    ]);
    configure(workspace, undefined, both('shop'));
    const odd = await workspace.error('config show');
    expect(odd.error.code).toBe('config.invalid');
    configure(
      workspace,
      undefined,
      'targets:\n  - {id: pub, kind: marketplace, harnesses: [harness-a], target: pub, plugins: [{name: all, include: ["**"]}]}\n',
    );
    const { document } = await workspace.json('config show');
    expect(document['values']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          key: 'targets.pub',
          value: expect.objectContaining({ kind: 'marketplace' }),
        }),
      ]),
    );
  });

  test('use the file named with --config instead of the workspace file', async () => {
    const workspace = openWorkspace(OPS);
    configure(workspace, 'none');
    writeTree(workspace.root, {
      'ci.yaml': `defaults: {registry: ${workspace.registry}}\ntargets:\n  - {id: ci, harness: harness-a, include: ["ops/deploy/*"], target: out}\n`,
    });
    await workspace.ok('sync --config ci.yaml --approve **');
    expect(existsSync(join(workspace.root, 'out/.harness-a/skills/check/SKILL.md'))).toBe(true);
    expect(existsSync(join(workspace.root, 'out/.harness-a/agents'))).toBe(false);
    expect(existsSync(join(workspace.root, 'ops'))).toBe(false);
  });
});
