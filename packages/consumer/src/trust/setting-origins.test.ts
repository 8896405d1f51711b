import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { skillOf } from '@catalog/testkit/marketplace-place';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { SYNC_FILE_KEYS, type Member, type Shape } from '../config/sync-file-keys.ts';
import type { Config, ConfigFlags, SyncFile } from '../config/types.ts';
import { removeAll } from '../sync/remove.ts';
import { runSync } from '../sync/run-sync.ts';
import { undoLastSync } from '../sync/undo.ts';
import type { TrustOptions } from './require-trust.ts';

const FILES = {
  user: 'home/.catalog/sync.yaml',
  workspace: 'work/.catalog/sync.yaml',
  local: 'work/.catalog/sync.local.yaml',
} as const;
type File = keyof typeof FILES;
const ALL_FILES: readonly File[] = ['user', 'workspace', 'local'];

interface Typed {
  flags?: ConfigFlags;
  env?: Record<string, string>;
}

interface Row {
  base: SyncFile;
  set: SyncFile;
  typed?: readonly Typed[];
  /**
   * When the key requires trust in its file. `outside`: except in the user's own file, because the key determines files
   * outside the workspace. `runs`: always, because a program starts. `module`: in the module that the key names. `no`:
   * never. `user-only`: other files must not contain the key.
   */
  asks: 'outside' | 'runs' | 'module' | 'no' | 'user-only';
  names_folder?: true;
}

const OUTSIDE = '../outside';
const REGISTRY = '../registry';
const DEFAULTS = { registry: REGISTRY, harness: 'claude-code', target: OUTSIDE };
const BASE: SyncFile = { defaults: DEFAULTS };
const { target: _target, ...WITHOUT_TARGET } = DEFAULTS;
const { harness: _harness, ...WITHOUT_HARNESS } = DEFAULTS;
const { registry: _registry, ...WITHOUT_REGISTRY } = DEFAULTS;

type Defaults = NonNullable<SyncFile['defaults']>;

function inDefaults(defaults: Defaults, more: Partial<Row> = {}): Row {
  return { base: BASE, set: { defaults }, asks: 'outside', ...more };
}

type Profile = NonNullable<SyncFile['profiles']>[string];

function inProfile(profile: Profile, defaults: Defaults = DEFAULTS): Row {
  return {
    base: { defaults: { ...defaults, profile: 'p' } },
    set: { profiles: { p: profile } },
    asks: 'outside',
  };
}

type Target = NonNullable<SyncFile['targets']>[number];

function inTarget(target: Partial<Target>, base: SyncFile = BASE): Row {
  return { base, set: { targets: [{ id: 't', ...target }] }, asks: 'outside' };
}

function inMarketplace(target: Partial<Target>, trust_condition: Row['asks'] = 'outside'): Row {
  const market: Target = {
    id: 'm',
    kind: 'marketplace',
    target: '../outside/market',
    ...('harnesses' in target ? {} : { harness: 'claude-code' }),
    plugins: [{ name: 'p' }],
    ...target,
  };
  return { base: { defaults: WITHOUT_TARGET }, set: { targets: [market] }, asks: trust_condition };
}

function inHook(hook: object): Row {
  const listed = { name: 'h', run: ['cat'], sandbox: 'unrestricted' as const, ...hook };
  return { base: BASE, set: { materialize_hooks: [listed] }, asks: 'runs' };
}

function inRule(rule: object): Row {
  const listed = { policy: 'ask' as const, ...rule };
  return { base: BASE, set: { executable_content: [listed] }, asks: 'no' };
}

function inKeys(entry: object): Row {
  const listed = { registry: 'https://catalog.example.com', keys: ['0'.repeat(64)], ...entry };
  return { base: BASE, set: { registry_keys: [listed] }, asks: 'no' };
}

const WORKFLOW_STEPS = ['prepare', 'publish', 'prepare_on_error', 'publish_on_error'];
const COMMAND_KEYS = {
  run: { run: ['true'] },
  sh: { sh: 'true' },
  skip_if_no_changes: { sh: 'true', skip_if_no_changes: true },
  continue_on_error: { sh: 'true', continue_on_error: true },
  timeout: { sh: 'true', timeout: '5s' },
};

function listCommands(): Record<string, Row[]> {
  return Object.fromEntries(
    WORKFLOW_STEPS.flatMap((step) =>
      Object.entries(COMMAND_KEYS).map(([key, command]) => [
        `targets[].workflow.${step}[].${key}`,
        [inMarketplace({ workflow: { [step]: [command] } }, 'runs')],
      ]),
    ),
  );
}

const PUBLISHED = { remote: './nowhere.git' };

/** Every key of `sync.yaml` needs a row that defines whose trust it requires. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'defaults.registry': [
    inDefaults(
      { registry: REGISTRY },
      {
        base: { defaults: WITHOUT_REGISTRY },
        typed: [{ flags: { registry: REGISTRY } }, { env: { CATALOG_REGISTRY: REGISTRY } }],
      },
    ),
    // This file determines the content of a marketplace in the other one.
    { base: inMarketplace({}).set, set: { defaults: { registry: REGISTRY } }, asks: 'outside' },
  ],
  'defaults.harness': [
    inDefaults(
      { harness: 'claude-code' },
      {
        base: { defaults: WITHOUT_HARNESS },
        typed: [{ flags: { harness: 'cursor' } }, { env: { CATALOG_HARNESS: 'cursor' } }],
      },
    ),
  ],
  'defaults.target': [
    inDefaults(
      { target: OUTSIDE },
      {
        base: { defaults: WITHOUT_TARGET },
        typed: [{ flags: { target: OUTSIDE } }],
        names_folder: true,
      },
    ),
    inDefaults(
      { target: OUTSIDE },
      { base: { defaults: WITHOUT_TARGET, targets: [{ id: 't', harness: 'claude-code' }] } },
    ),
  ],
  'defaults.profile': [
    inDefaults(
      { profile: 'p' },
      {
        base: { defaults: WITHOUT_TARGET, profiles: { p: { target: OUTSIDE } } },
        typed: [{ flags: { profile: 'p' } }],
      },
    ),
    inDefaults(
      { profile: 'p' },
      {
        base: {
          defaults: WITHOUT_TARGET,
          profiles: { p: { target: OUTSIDE } },
          targets: [{ id: 't' }],
        },
      },
    ),
  ],
  'defaults.exclude': [inDefaults({ exclude: ['x/y'] })],
  // Tokens are sent only to the registry for which they were issued.
  'defaults.identity': [inDefaults({ identity: 'oauth-device-code' }, { asks: 'no' })],
  'defaults.verify_signatures': [inDefaults({ verify_signatures: 'never' }, { asks: 'no' })],
  verify_signatures: [{ base: BASE, set: { verify_signatures: 'never' }, asks: 'no' }],
  // Can only stop a run: a workspace cannot replace a key that the user trusts.
  'registry_keys[].registry': [inKeys({})],
  'registry_keys[].keys': [inKeys({})],
  'registry_keys[].root_key': [inKeys({ root_key: '0'.repeat(64) })],
  // The key can only stop a run.
  'defaults.min_server_version': [inDefaults({ min_server_version: '0.1.0' }, { asks: 'no' })],
  'defaults.unsupported': [
    inDefaults({ unsupported: 'skip' }, { typed: [{ flags: { unsupported: 'skip' } }] }),
  ],
  'defaults.on_clash': [
    inDefaults({ on_clash: 'qualify' }, { typed: [{ flags: { on_clash: 'qualify' } }] }),
  ],
  'defaults.rule_fallback': [inDefaults({ rule_fallback: 'skip' })],
  'profiles.*.include': [inProfile({ include: ['ops/**'] })],
  'profiles.*.exclude': [inProfile({ exclude: ['x/y'] })],
  'profiles.*.type': [inProfile({ type: ['skill'] })],
  'profiles.*.target': [
    inProfile({ target: OUTSIDE }, WITHOUT_TARGET),
    {
      ...inProfile({ target: OUTSIDE }),
      base: { defaults: WITHOUT_TARGET, targets: [{ id: 't', profile: 'p' }] },
    },
  ],
  'profiles.*.harness': [inProfile({ harness: 'cursor' })],
  'profiles.*.min_server_version': [inProfile({ min_server_version: '0.1.0' })],
  adapters: [{ base: BASE, set: { adapters: ['../adapter.mjs'] }, asks: 'module' }],
  'materialize_hooks[].name': [inHook({})],
  'materialize_hooks[].run': [inHook({})],
  'materialize_hooks[].sandbox': [inHook({})],
  'materialize_hooks[].types': [inHook({ types: ['skill'] })],
  'materialize_hooks[].harnesses': [inHook({ harnesses: ['claude-code'] })],
  'materialize_hooks[].timeout': [inHook({ timeout: '5s' })],
  'materialize_hooks[].reads': [inHook({ reads: ['../x'] })],
  'executable_content[].policy': [inRule({})],
  'executable_content[].registry': [inRule({ registry: REGISTRY })],
  'executable_content[].layer': [inRule({ layer: 'base' })],
  'executable_content[].kinds': [inRule({ kinds: ['hook'] })],
  safe_directories: [{ base: BASE, set: { safe_directories: ['/x'] }, asks: 'user-only' }],
  object_hosts: [{ base: BASE, set: { object_hosts: ['x.test'] }, asks: 'user-only' }],
  'targets[].id': [inTarget({})],
  'targets[].kind': [inMarketplace({}), inTarget({ kind: 'workspace' })],
  'targets[].target': [
    inTarget({ target: OUTSIDE }, { defaults: WITHOUT_TARGET }),
    inMarketplace({}),
  ],
  'targets[].harness': [inTarget({ harness: 'cursor' }), inMarketplace({})],
  'targets[].profile': [
    inTarget({ profile: 'p' }, { defaults: WITHOUT_TARGET, profiles: { p: { target: OUTSIDE } } }),
  ],
  'targets[].include': [inTarget({ include: ['ops/**'] })],
  'targets[].exclude': [inTarget({ exclude: ['x/y'] })],
  'targets[].type': [inTarget({ type: ['skill'] })],
  'targets[].rule_fallback': [inTarget({ rule_fallback: 'skip' })],
  'targets[].harnesses': [inMarketplace({ harnesses: ['claude-code'] })],
  'targets[].git.remote': [inMarketplace({ git: PUBLISHED })],
  'targets[].git.branch': [inMarketplace({ git: { ...PUBLISHED, branch: 'main' } })],
  'targets[].publish.git.remote': [inMarketplace({ publish: { git: PUBLISHED } }, 'runs')],
  'targets[].publish.git.branch': [
    inMarketplace({ publish: { git: { ...PUBLISHED, branch: 'main' } } }, 'runs'),
  ],
  'targets[].publish.git.author': [
    inMarketplace({ publish: { git: { ...PUBLISHED, author: 'A <a@x.test>' } } }, 'runs'),
  ],
  'targets[].commit_message': [inMarketplace({ commit_message: 'Publish.' })],
  'targets[].description': [inMarketplace({ description: 'Skills.' })],
  'targets[].identity': [inMarketplace({ identity: 'Robot' })],
  'targets[].plugins[].name': [inMarketplace({})],
  'targets[].plugins[].description': [
    inMarketplace({ plugins: [{ name: 'p', description: 'Skills.' }] }),
  ],
  'targets[].plugins[].include': [inMarketplace({ plugins: [{ name: 'p', include: ['ops/**'] }] })],
  'targets[].plugins[].exclude': [inMarketplace({ plugins: [{ name: 'p', exclude: ['x/y'] }] })],
  'targets[].plugins[].type': [inMarketplace({ plugins: [{ name: 'p', type: ['skill'] }] })],
  ...listCommands(),
};

function listKeys(members: Readonly<Record<string, Member>>, prefix = ''): string[] {
  return Object.entries(members).flatMap(([name, { shape }]) => listLeaves(shape, prefix + name));
}

function listLeaves(shape: Shape, path: string): string[] {
  if (shape.kind === 'object') return listKeys(shape.members, `${path}.`);
  if (shape.kind === 'map') return listLeaves(shape.of, `${path}.*`);
  if (shape.kind !== 'list' || shape.of.kind !== 'object') return [path];
  return listLeaves(shape.of, `${path}[]`);
}

function unite(parts: readonly (readonly [File, SyncFile])[]): Record<string, string> {
  const files = new Map<File, SyncFile>();
  for (const [file, part] of parts) {
    const { defaults, ...known } = files.get(file) ?? {};
    const united = { ...known, ...part, defaults: { ...defaults, ...part.defaults } };
    if (Object.keys(united.defaults).length > 0) files.set(file, united);
    else files.set(file, { ...known, ...part });
  }
  return Object.fromEntries([...files].map(([file, text]) => [FILES[file], JSON.stringify(text)]));
}

interface Opened {
  config: Config;
  asked: Set<string>;
  confirmTrust: NonNullable<TrustOptions['confirmTrust']>;
}

function open(
  parts: readonly (readonly [File, SyncFile])[],
  { flags = {}, env = {} }: Typed = {},
): Opened {
  const root = temporaryFolder();
  writeTree(`${root}/registry`, skillOf('check'));
  writeTree(root, { 'adapter.mjs': 'export default {};\n', 'work/.catalog/.keep': '' });
  writeTree(root, unite(parts));
  const prompted = new Set<string>();
  return {
    config: loadConfig({ cwd: `${root}/work`, home: `${root}/home`, env, flags }),
    asked: prompted,
    confirmTrust: ({ file }) => {
      prompted.add(relative(root, file));
      return Promise.resolve(true);
    },
  };
}

async function listPrompted(
  parts: readonly (readonly [File, SyncFile])[],
  typed?: Typed,
): Promise<string[]> {
  const { config, asked: prompted, confirmTrust } = open(parts, typed);
  const marketplaces = { env: { PATH: process.env['PATH'] } };
  try {
    await runSync(config, { mode: 'sync', marketplaces, confirmTrust });
  } catch (error) {
    if (!(error instanceof CatalogError) || !error.message.includes('adapter')) throw error;
  }
  return [...prompted].toSorted();
}

function expectedFiles({ asks: trust_condition }: Row, base: File, key: File): string[] {
  const files = [
    base,
    ...(trust_condition === 'outside' || trust_condition === 'runs' ? [key] : []),
  ];
  const wanted: string[] = files.filter((file) => file !== 'user').map((file) => FILES[file]);
  if (trust_condition === 'runs') wanted.push(FILES[key]);
  if (trust_condition === 'module') return ['adapter.mjs'];
  return [...new Set(wanted)].toSorted();
}

describe('files that must be trusted for a setting', () => {
  test('are defined for every key of sync.yaml', () => {
    expect(Object.keys(ROWS).toSorted()).toEqual(listKeys(SYNC_FILE_KEYS).toSorted());
  });

  describe.each(Object.entries(ROWS))('%s', (_key, rows) => {
    const cases = rows.flatMap((row, index) =>
      ALL_FILES.map((base) => ({ row, base, name: `${index}` })),
    );

    test.each(cases)('row $name, with everything else in the $base file', async ({ row, base }) => {
      for (const key of ALL_FILES) {
        const parts = [
          [base, row.base],
          [key, row.set],
        ] as const;
        if (row.asks === 'user-only' && key !== 'user') {
          await expect(async () => listPrompted(parts)).rejects.toMatchObject({
            code: 'config.invalid',
          });
          continue;
        }
        expect(await listPrompted(parts), `the key in the ${key} file`).toEqual(
          expectedFiles(row, base, key),
        );
      }
      for (const typed of row.typed ?? []) {
        const prompted = await listPrompted([[base, row.base]], typed);
        const own = row.names_folder === true || base === 'user' ? [] : [FILES[base]];
        expect(prompted, JSON.stringify(typed)).toEqual(own);
      }
    });
  });

  test('include the file with the registry of a published marketplace', async () => {
    const { set } = inMarketplace({ target: './market', publish: { git: PUBLISHED } });
    const registry = { defaults: { registry: REGISTRY } };
    const prompted = await listPrompted([
      ['workspace', set],
      ['local', registry],
    ]);
    expect(prompted).toEqual([FILES.local, FILES.workspace].toSorted());
  });

  test("are empty for undo and --remove in a folder that the user's own file determines", async () => {
    const own = { defaults: { ...WITHOUT_REGISTRY } };
    const parts = [
      ['user', own],
      ['workspace', { defaults: { registry: REGISTRY } }],
    ] as const;
    const { config, asked: prompted, confirmTrust } = open(parts);
    await runSync(config, { mode: 'sync', confirmTrust });
    expect([...prompted]).toEqual([FILES.workspace]);
    prompted.clear();
    rmSync(config.trust_file);
    await undoLastSync(config, { dry_run: false, confirmTrust });
    await removeAll(config, { dry_run: false, confirmTrust });
    expect([...prompted]).toEqual([]);
  });
});
