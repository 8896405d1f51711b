import { describe, expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { temporaryFolder, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { readStatus } from '../status.ts';
import { loadConfig } from './load-config.ts';
import type { Config, ConfigFlags } from './types.ts';

interface Setting {
  home?: FileTree;
  workspace?: FileTree;
  env?: Record<string, string>;
  flags?: ConfigFlags;
  cwd?: string;
}

interface Loaded extends Config {
  home_folder: string;
  workspace_folder: string;
}

function load({ home = {}, workspace = {}, env = {}, flags = {}, cwd = '.' }: Setting): Loaded {
  const root = temporaryFolder();
  writeTree(`${root}/home`, { '.keep': '', ...home });
  writeTree(`${root}/home/project`, { '.keep': '', 'sub/.keep': '', ...workspace });
  const config = loadConfig({
    cwd: `${root}/home/project/${cwd}`,
    home: `${root}/home`,
    env,
    flags,
  });
  return { ...config, home_folder: `${root}/home`, workspace_folder: `${root}/home/project` };
}

function refusal(setting: Setting): CatalogError {
  try {
    load(setting);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

const USER = '.catalog/sync.yaml';
const LOCAL = '.catalog/sync.local.yaml';

describe('defaults.exclude', () => {
  const excluded = (setting: Setting): string[][] =>
    load(setting).targets.map(({ scope }) => scope.exclude);

  test('combines the lists of all three files and shows the origin of each', () => {
    const config = load({
      home: { [USER]: 'defaults: {exclude: [a/mine]}\n' },
      workspace: {
        [USER]: 'defaults: {exclude: ["b/**"]}\n',
        [LOCAL]: 'defaults: {exclude: [c/here]}\n',
      },
    });
    expect(config.targets.map(({ scope }) => scope.exclude)).toEqual([
      ['a/mine', 'b/**', 'c/here'],
    ]);
    const rows = config.values.filter(({ key }) => key === 'defaults.exclude');
    expect(rows.map(({ value, origin }) => [value, origin.kind])).toEqual([
      [['a/mine'], 'user'],
      [['b/**'], 'workspace'],
      [['c/here'], 'workspace-local'],
    ]);
  });

  const PROFILE = 'profiles: {p: {include: ["x/**"], exclude: [x/profile]}}\n';

  test.each<[string, string, ConfigFlags, string[][]]>([
    ['a profile', PROFILE, { profile: 'p' }, [['x/profile', 'd/*']]],
    ['--exclude', '', { exclude: ['x/flag'] }, [['x/flag', 'd/*']]],
    ['--exclude over a profile', PROFILE, { profile: 'p', exclude: ['x/f'] }, [['x/f', 'd/*']]],
    [
      'every target of the list',
      `${PROFILE}targets:\n  - {id: one, exclude: [x/one]}\n  - {id: two, profile: p}\n`,
      {},
      [
        ['x/one', 'd/*'],
        ['x/profile', 'd/*'],
      ],
    ],
  ])('applies on top of %s', (_what, more, flags, expected) => {
    const workspace = { [USER]: `defaults: {exclude: ["d/*"]}\n${more}` };
    expect(excluded({ workspace, flags })).toEqual(expected);
  });

  test('is read from the file that --config names, and from the user file', () => {
    const setting = {
      home: { [USER]: 'defaults: {exclude: [a/mine]}\n' },
      workspace: {
        [USER]: 'defaults: {exclude: [b/workspace]}\n',
        'publish.yaml': 'defaults: {exclude: [c/published]}\n',
      },
    };
    expect(excluded({ ...setting, flags: { config: 'publish.yaml' } })).toEqual([
      ['a/mine', 'c/published'],
    ]);
    expect(excluded({ ...setting, flags: { scope: 'user' } })).toEqual([['a/mine']]);
  });

  test('must be a list', () => {
    expect(refusal({ workspace: { [USER]: 'defaults: {exclude: a/b}\n' } }).message).toContain(
      '`defaults.exclude` must be a list, but is `a/b`.',
    );
  });
});

describe('precedence of the harness setting', () => {
  const levels: [string, Setting][] = [
    ['flag', { flags: { harness: 'flag' } }],
    ['env', { env: { CATALOG_HARNESS: 'env' } }],
    [
      'profile',
      { workspace: { [LOCAL]: 'defaults: {profile: p}\nprofiles: {p: {harness: profile}}\n' } },
    ],
    ['local', { workspace: { [LOCAL]: 'defaults: {harness: local}\n' } }],
    ['workspace', { workspace: { [USER]: 'defaults: {harness: workspace}\n' } }],
    ['user', { home: { [USER]: 'defaults: {harness: user}\n' } }],
  ];

  test.each(levels.map(([name], index) => [name, index] as const))(
    'the value from %s overrides all lower levels',
    (name, index) => {
      const below = levels.slice(index).toReversed();
      const merged: Setting = { home: {}, workspace: {}, env: {}, flags: {} };
      for (const [, level] of below) {
        Object.assign(merged.home ?? {}, level.home);
        for (const [path, text] of Object.entries(level.workspace ?? {})) {
          // A profile is in the same file as the local settings.
          if (name !== 'profile' || path !== LOCAL || level === levels[2]?.[1]) {
            Object.assign(merged.workspace ?? {}, { [path]: text });
          }
        }
        Object.assign(merged.env ?? {}, level.env);
        Object.assign(merged.flags ?? {}, level.flags);
      }
      expect(load(merged).harness.value).toBe(name);
    },
  );

  test('the harness defaults to none', () => {
    expect(load({}).harness).toEqual({
      value: 'none',
      origin: { kind: 'built-in', name: 'built-in default' },
    });
  });

  test('each configuration value has its origin', () => {
    const config = load({
      home: { [USER]: 'defaults: {registry: ~/artifacts, unsupported: skip}\n' },
      workspace: { [USER]: 'defaults: {harness: harness-a}\n' },
      flags: { on_clash: 'qualify' },
    });
    const origins = Object.fromEntries(config.values.map(({ key, origin }) => [key, origin.kind]));
    expect(origins).toMatchObject({
      'defaults.registry': 'user',
      'defaults.harness': 'workspace',
      'defaults.unsupported': 'user',
      'defaults.on_clash': 'flag',
      'defaults.target': 'built-in',
    });
  });
});

describe('verify_signatures', () => {
  const shown = (setting: Setting) =>
    load(setting).values.find(({ key }) => key === 'defaults.verify_signatures');

  const policyOf = (user: string, workspace: string): unknown =>
    shown({
      ...(user === '' ? {} : { home: { [USER]: user } }),
      ...(workspace === '' ? {} : { workspace: { [USER]: workspace } }),
    })?.value;

  test('defaults to medium-and-above', () => {
    const expected = { value: 'medium-and-above', origin: { kind: 'built-in' } };
    expect(shown({})).toMatchObject(expected);
  });

  test('is read at the top level and in defaults', () => {
    for (const text of ['verify_signatures: never', 'defaults: {verify_signatures: never}']) {
      expect(shown({ home: { [USER]: text } })).toMatchObject({
        value: 'never',
        origin: { kind: 'user' },
      });
    }
  });

  const never = 'verify_signatures: never';
  const always = 'verify_signatures: always';
  test.each([
    [never, '', 'never'],
    [always, '', 'always'],
    ['', always, 'always'],
    [never, always, 'always'],
    ['', never, 'medium-and-above'],
    [always, never, 'always'],
    [never, never, 'never'],
  ])('is the strictest of user %j and workspace %j', (user, workspace, expected) => {
    expect(policyOf(user, workspace)).toBe(expected);
  });

  test('comes from the environment before the file of the user', () => {
    const env = { CATALOG_VERIFY_SIGNATURES: 'always' };
    const given = { home: { [USER]: never }, env };
    expect(shown(given)).toMatchObject({ value: 'always', origin: { kind: 'env' } });
    const wrong = refusal({ env: { CATALOG_VERIFY_SIGNATURES: 'sometimes' } });
    expect(wrong.message).toContain('CATALOG_VERIFY_SIGNATURES is sometimes');
  });

  test('rejects an unknown value', () => {
    const error = refusal({ workspace: { [USER]: 'verify_signatures: sometimes' } });
    expect(error.message).toContain('`verify_signatures` must be');
  });

  test('rejects pins that no key can match', () => {
    const entry = 'registry_keys: [{registry: "https://catalog.example.com", keys: [abc]}]';
    expect(refusal({ home: { [USER]: entry } })).toMatchObject({
      code: 'config.invalid',
      details: { key: 'registry_keys', value: 'abc' },
    });
  });
});

describe('configuration folders', () => {
  test('the workspace is the nearest folder with .catalog, never the home folder', () => {
    const inside = load({ workspace: { [USER]: '' }, cwd: 'sub' });
    expect(inside.workspace).toBe(inside.workspace_folder);
    const outside = load({ home: { [USER]: '' }, cwd: 'sub' });
    expect(outside.workspace).toBe(`${outside.workspace_folder}/sub`);
  });

  test('the workspace is the home folder with --scope user', () => {
    const config = load({
      home: { [USER]: 'defaults: {harness: harness-a}' },
      flags: { scope: 'user' },
    });
    expect([config.workspace, config.harness.value]).toEqual([config.home_folder, 'harness-a']);
  });

  test.each([
    [
      'a workspace file',
      { workspace: { [USER]: 'defaults: {registry: reg}' }, cwd: 'sub' },
      'project/reg',
    ],
    ['a user file', { home: { [USER]: 'defaults: {registry: reg}' } }, 'reg'],
    ['a tilde', { workspace: { [USER]: 'defaults: {registry: ~/reg}' } }, 'reg'],
    ['a flag', { flags: { registry: 'reg' }, cwd: 'sub' }, 'project/sub/reg'],
    ['a variable', { env: { CATALOG_REGISTRY: 'reg' }, cwd: 'sub' }, 'project/sub/reg'],
  ])('resolves a registry path in %s against the right folder', (_name, setting, expected) => {
    const config = load(setting);
    expect(config.registry?.value).toBe(`${config.home_folder}/${expected}`);
  });

  test('keeps a registry URL unchanged', () => {
    expect(load({ flags: { registry: 'https://registry.example' } }).registry?.value).toBe(
      'https://registry.example',
    );
  });

  test('the overlay comes from the flag, the environment variable, or .catalog/overlay if it exists', () => {
    const there = load({ workspace: { '.catalog/overlay/.keep': '' } });
    expect(there.overlay?.value).toBe(`${there.workspace_folder}/.catalog/overlay`);
    expect(load({}).overlay).toBeUndefined();
    const named = load({ env: { CATALOG_OVERLAY_PATH: 'mine' } });
    expect(named.overlay?.value).toBe(`${named.workspace_folder}/mine`);
  });
});

describe('configured targets', () => {
  const listed = {
    [USER]: 'targets: [{id: one, harness: harness-a, include: ["a/**"]}, {id: two, target: out}]\n',
  };

  test('are the listed ones', () => {
    const config = load({ workspace: listed });
    expect(config.targets.map(({ id, harness, directory }) => [id, harness, directory])).toEqual([
      ['one', 'harness-a', config.workspace_folder],
      ['two', 'none', `${config.workspace_folder}/out`],
    ]);
  });

  test.each([
    ['defaults', '', ['harness-a', 'harness-b']],
    ['a profile', 'profiles: {p: {harness: $}}\n', ['harness-a', 'harness-b']],
    ['a target', 'targets: [{id: one, harness: $}]\n', ['one/harness-a', 'one/harness-b']],
    ['defaults for a target', 'targets: [{id: one}]\n', ['one/harness-a', 'one/harness-b']],
  ])('creates one target per harness if %s names several', (_, rest, ids) => {
    for (const several of ['[harness-a, harness-b]', 'harness-a, harness-b']) {
      const quoted = several.startsWith('[') ? several : `"${several}"`;
      const ofProfile = rest.startsWith('profiles') ? 'profile: p' : `harness: ${quoted}`;
      const text = `defaults: {${ofProfile}}\n${rest.replace('$', quoted)}`;
      const { targets } = load({ workspace: { [USER]: text } });
      expect(targets.map(({ id }) => id)).toEqual(ids);
      expect(targets.map(({ harness }) => harness)).toEqual(['harness-a', 'harness-b']);
    }
  });

  test('accepts a target folder below the home folder', () => {
    const config = load({ workspace: { [USER]: 'targets: [{id: one, target: ~/elsewhere}]\n' } });
    expect(config.targets[0]?.directory).toBe(`${config.home_folder}/elsewhere`);
  });

  test('replaces the list with one target if a selection flag is given', () => {
    const config = load({ workspace: listed, flags: { harness: 'none' } });
    expect(config.targets.map(({ id }) => id)).toEqual(['default']);
    expect(config.configured_targets).toEqual(['one', 'two']);
  });

  test('lists of a narrower level replace those of a wider level', () => {
    const profiles = { [USER]: 'profiles: {p: {include: [a], exclude: [b], type: [skill]}}\n' };
    const config = load({ workspace: profiles, flags: { profile: 'p', include: ['c'] } });
    expect(config.targets[0]?.scope).toEqual({ include: ['c'], exclude: ['b'], type: ['skill'] });
  });

  test('resolves the folder of a profile against the file that defines the profile', () => {
    const config = load({
      home: { [USER]: 'profiles: {p: {target: elsewhere}}\n' },
      workspace: { [USER]: 'targets: [{id: a, profile: p}]\n' },
    });
    expect(config.targets[0]?.directory).toBe(`${config.home_folder}/elsewhere`);
  });

  test('uses the targets of a file given with --config instead of the workspace files', () => {
    const config = load({
      workspace: { [USER]: 'targets: [{id: a}]', 'ci.yaml': 'targets: [{id: b}]' },
      flags: { config: 'ci.yaml' },
    });
    expect(config.targets.map(({ id }) => id)).toEqual(['b']);
  });
});

describe('rejected configurations', () => {
  test.each<[string, Setting, string, string]>([
    ['a missing named file', { flags: { config: 'gone.yaml' } }, 'config.not_found', 'gone.yaml'],
    [
      'an unknown key',
      { workspace: { [USER]: 'defaults: {harnes: x}' } },
      'config.invalid',
      'Unknown key `harnes`. Did you mean `harness`?',
    ],
    [
      'a wrong type',
      { workspace: { [USER]: 'defaults: {harness: 3}' } },
      'config.invalid',
      '`defaults.harness` must be a string, but is `3`.',
    ],
    [
      'a wrong word',
      { workspace: { [USER]: 'defaults: {unsupported: maybe}' } },
      'config.invalid',
      'fail, skip',
    ],
    [
      'a wrong kind of target',
      { workspace: { [USER]: 'targets: [{id: a, kind: other}]' } },
      'config.invalid',
      'workspace, marketplace',
    ],
    [
      'a target without a name',
      { workspace: { [USER]: 'targets: [{harness: none}]' } },
      'config.invalid',
      '`targets[0]` has no `id`.',
    ],
    [
      'two targets of one name',
      { workspace: { [USER]: 'targets: [{id: a}, {id: a}]' } },
      'config.invalid',
      'have the name a',
    ],
    [
      'a marketplace field on a workspace target',
      { workspace: { [USER]: 'targets: [{id: a, plugins: []}]' } },
      'config.invalid',
      'plugins',
    ],
    [
      'a target for no harness',
      { workspace: { [USER]: 'targets: [{id: a, harness: []}]' } },
      'config.invalid',
      'has an empty harness',
    ],
    [
      'one harness of a target named like another target',
      { workspace: { [USER]: 'targets: [{id: a, harness: [b, c]}, {id: a/b}]' } },
      'config.invalid',
      'have the name a/b',
    ],
    ...['git@host.example:a/b.git', 'ssh://git@host.example/a/b', 'https://host.example/b.git'].map(
      (registry): [string, Setting, string, string] => [
        `the git address ${registry}`,
        { flags: { registry } },
        'config.no_registry',
        'catalog serve',
      ],
    ),
    [
      'broken YAML',
      { workspace: { [USER]: 'defaults: {\n  harness: [' } },
      'config.invalid',
      'sync.yaml:',
    ],
    ['a list for a file', { workspace: { [USER]: '- a' } }, 'config.invalid', 'not a mapping'],
    [
      'a prototype key',
      { workspace: { [USER]: '__proto__: {x: 1}' } },
      'config.invalid',
      '__proto__',
    ],
    [
      'a pin above this program',
      { workspace: { [USER]: 'defaults: {min_server_version: 99.0.0}' } },
      'config.server_version_too_old',
      '99.0.0',
    ],
    [
      'a pin that is no version',
      { workspace: { [USER]: 'defaults: {min_server_version: soon}' } },
      'config.invalid_min_version',
      'soon',
    ],
  ])('rejects %s', (_name, setting, code, text) => {
    const error = refusal(setting);
    expect(error.code).toBe(code);
    expect(`${error.message} ${error.suggested_action}`).toContain(text);
  });

  test('rejects an unknown profile and suggests a similar name', () => {
    const error = refusal({
      workspace: { [USER]: 'profiles: {backend: {}}' },
      flags: { profile: 'bakend' },
    });
    expect([error.code, error.suggested_action]).toEqual([
      'config.invalid',
      'Did you mean backend?',
    ]);
  });

  test('only warns about an unknown default profile', () => {
    const config = load({ workspace: { [USER]: 'defaults: {profile: gone}' } });
    expect(config.warnings).toEqual([
      'defaults.profile is gone, but no file defines that profile, so none is used.',
    ]);
  });
});

test('hides the query of a URL, which can hold a token, from the displayed values', () => {
  const { values } = load({ flags: { registry: 'https://registry.example/v?token=secret-1' } });
  expect(JSON.stringify(values)).toContain('https://registry.example/v?***');
  expect(JSON.stringify(values)).not.toContain('secret');
});

describe('password in a registry URL', () => {
  const REGISTRY = 'https://reader:secret-1@registry.example';
  const REMOTE = 'https://writer:secret-2@git.example/market.git';
  const MARKET = `{id: m, kind: marketplace, harness: claude-code, target: dist, plugins: [{name: p}], git: {remote: '${REMOTE}'}}`;
  const setting = {
    workspace: { [USER]: `defaults: {registry: '${REGISTRY}'}\ntargets: [${MARKET}]\n` },
  };

  test('does not appear among the displayed values', () => {
    const config = load(setting);
    const shown = JSON.stringify(config.values);
    expect(shown).toContain('https://registry.example');
    expect(shown).toContain('https://git.example/market.git');
    expect(shown).not.toContain('secret');
    expect(config.registry?.value).toBe(REGISTRY);
    expect(config.marketplaces[0]?.git?.remote).toBe(REMOTE);
  });

  test('does not appear in the status of a workspace', async () => {
    const status = await readStatus(load(setting), {});
    expect(status.registry).toBe('https://registry.example');
    expect(JSON.stringify(status)).not.toContain('secret');
  });

  test('does not appear in the error about a git repository URL', () => {
    const error = refusal({ flags: { registry: REMOTE } });
    expect(JSON.stringify(error.toEnvelope())).toContain('https://git.example/market.git');
    expect(JSON.stringify(error.toEnvelope())).not.toContain('secret');
  });
});
