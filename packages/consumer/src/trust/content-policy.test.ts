import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import type { OriginKind } from '../config/types.ts';
import { readApprovals, recordApprovals } from './approvals-file.ts';
import { chooseRegistry, openContentPolicy, registryIdentity } from './content-policy.ts';
import type { ContentRule, ContentVerdict } from './content-rule.ts';

interface Given {
  registry?: string;
  kind?: OriginKind;
  user?: ContentRule[];
  workspace?: ContentRule[];
  announced?: ContentRule[];
  chosen_by?: 'user' | 'agent';
}

const SERVER = 'https://catalog.example.com';

function verdict(given: Given, kind: 'hook' | 'script' = 'hook', layer = 'base'): ContentVerdict {
  return policyOf(given).decide({ id: 'ops/check', layer }, kind).verdict;
}

function policyOf({
  registry = SERVER,
  kind = 'workspace',
  user = [],
  workspace = [],
  announced = [],
  chosen_by = 'user',
}: Given): ReturnType<typeof openContentPolicy> {
  const root = temporaryFolder();
  return openContentPolicy(
    {
      workspace: root,
      registry: { value: registry, origin: { kind, name: 'sync.yaml' } },
      overlay: undefined,
      approvals_file: `${root}/approvals.json`,
      targets: [],
      marketplaces: [],
      content_rules: [
        { rules: user, origin: { kind: 'user', name: '~/.catalog/sync.yaml' } },
        { rules: workspace, origin: { kind: 'workspace', name: '.catalog/sync.yaml' } },
      ],
    },
    { registry_rules: announced },
    chosen_by,
  );
}

describe('default content policy', () => {
  test.each<[OriginKind, ContentVerdict]>([
    ['flag', 'allow'],
    ['env', 'allow'],
    ['user', 'allow'],
    ['workspace', 'ask'],
    ['workspace-local', 'ask'],
    ['built-in', 'ask'],
  ])('for a server whose origin is %s is %s', (kind, expected) => {
    expect(verdict({ kind })).toBe(expected);
  });

  test.each([
    'git@github.com:acme/skills.git',
    'https://github.com/acme/skills.git',
    'ssh://git@gitlab.com/acme/skills',
  ])('for the git repository %s is ask, even if the user typed its URL', (registry) => {
    expect(verdict({ registry, kind: 'flag' })).toBe('ask');
    expect(verdict({ registry, kind: 'user' })).toBe('ask');
    expect(verdict({ registry, kind: 'flag', user: [{ policy: 'allow', registry }] })).toBe(
      'allow',
    );
  });

  test('for artifacts that an agent chose is ask, except for scripts', () => {
    expect(verdict({ kind: 'env', chosen_by: 'agent' })).toBe('ask');
    expect(verdict({ kind: 'env', chosen_by: 'agent' }, 'script')).toBe('allow');
    expect(verdict({ chosen_by: 'agent' }, 'script')).toBe('ask');
    expect(verdict({ chosen_by: 'agent', user: [{ policy: 'allow' }] })).toBe('allow');
  });
});

describe('content rules', () => {
  test('the most specific rule wins; of equally specific ones, the strictest', () => {
    const user: ContentRule[] = [
      { policy: 'deny' },
      { policy: 'ask', registry: `${SERVER}/` },
      { policy: 'deny', layer: 'drafts' },
      { policy: 'allow', registry: SERVER, layer: 'drafts', kinds: ['script'] },
    ];
    expect(verdict({ user })).toBe('ask');
    expect(verdict({ user }, 'hook', 'drafts')).toBe('deny');
    expect(verdict({ user }, 'script', 'drafts')).toBe('allow');
    expect(verdict({ user, registry: 'https://other.example.com' })).toBe('deny');
    expect(verdict({ user: [{ policy: 'allow' }, { policy: 'ask' }] })).toBe('ask');
  });

  test.each<[less: Partial<ContentRule>, more: Partial<ContentRule>]>([
    [{}, { registry: SERVER }],
    [{ registry: SERVER }, { layer: 'base' }],
    [{ layer: 'base' }, { registry: SERVER, layer: 'base' }],
    [{ registry: SERVER, layer: 'base' }, { kinds: ['hook'] }],
    [{ kinds: ['hook'] }, { kinds: ['hook'], registry: SERVER }],
    [
      { kinds: ['hook'], registry: SERVER },
      { kinds: ['hook'], layer: 'base' },
    ],
    [
      { kinds: ['hook'], layer: 'base' },
      { kinds: ['hook'], registry: SERVER, layer: 'base' },
    ],
  ])('rules with %j are overridden by rules with %j', (less, more) => {
    const user: ContentRule[] = [
      { policy: 'deny', ...less },
      { policy: 'allow', ...more },
    ];
    expect(verdict({ user })).toBe('allow');
    expect(verdict({ user: user.toReversed() })).toBe('allow');
  });

  test('rules of the workspace and of the registry can only tighten the policy', () => {
    const user: ContentRule[] = [{ policy: 'allow' }];
    expect(verdict({ user, workspace: [{ policy: 'ask' }] })).toBe('ask');
    expect(verdict({ user, announced: [{ policy: 'deny', kinds: ['hook'] }] })).toBe('deny');
    expect(verdict({ user, announced: [{ policy: 'deny', kinds: ['hook'] }] }, 'script')).toBe(
      'allow',
    );
    const denied: ContentRule[] = [{ policy: 'deny' }];
    expect(verdict({ user: denied, workspace: [{ policy: 'ask' }] })).toBe('deny');
    expect(verdict({ user: denied, announced: [{ policy: 'ask', layer: 'base' }] })).toBe('deny');
  });

  test('allows_all is true only if no rule or agent restricts content', () => {
    expect(policyOf({ kind: 'flag' }).allows_all).toBe(true);
    expect(policyOf({ kind: 'flag', workspace: [{ policy: 'ask' }] }).allows_all).toBe(false);
    expect(policyOf({ kind: 'flag', chosen_by: 'agent' }).allows_all).toBe(false);
  });
});

test.each<[string, OriginKind, ContentVerdict]>([
  ['inside', 'workspace', 'allow'],
  ['../outside', 'user', 'ask'],
  ['../outside', 'workspace', 'ask'],
  ['../outside', 'flag', 'allow'],
])(
  'the policy for an overlay delivered into %s, with the origin %s, is %s',
  (folder, kind, expected) => {
    const root = temporaryFolder();
    mkdirSync(`${root}/work/.catalog/overlay`, { recursive: true });
    const origin = { kind, name: 'x' };
    const policy = openContentPolicy(
      {
        workspace: `${root}/work`,
        registry: { value: SERVER, origin: { kind: 'user', name: 'x' } },
        overlay: {
          value: `${root}/work/.catalog/overlay`,
          origin: { kind: 'built-in', name: 'built-in default' },
        },
        approvals_file: `${root}/approvals.json`,
        content_rules: [],
        targets: [
          {
            id: 't',
            directory: resolve(root, 'work', folder),
            origins: { directory: [origin], files: [] },
            harness: 'claude-code',
            profile: undefined,
            scope: { include: [], exclude: [], type: [] },
            rule_fallback: 'always',
          },
        ],
        marketplaces: [],
      },
      { overlay_layer: 'overlay' },
    );
    expect(policy.decide({ id: 'ops/check', layer: 'overlay' }, 'hook').verdict).toBe(expected);
    expect(policy.decide({ id: 'ops/check', layer: 'base' }, 'hook').verdict).toBe('allow');
  },
);

test('registryIdentity normalizes the URL of a registry', () => {
  expect(registryIdentity('HTTPS://Catalog.Example.com/')).toBe(SERVER);
  expect(registryIdentity(`${SERVER}/team/?x=1`)).toBe(`${SERVER}/team`);
});

describe('approvals file', () => {
  test('keeps previous approvals and the chosen registries of workspaces', () => {
    const root = temporaryFolder();
    const file = `${root}/.catalog/approvals.json`;
    chooseRegistry(file, root, SERVER);
    recordApprovals(file, [{ registry: SERVER, id: 'ops/check', keys: ['b'] }]);
    recordApprovals(file, [{ registry: SERVER, id: 'ops/check', keys: ['a', 'b'] }]);
    expect(readApprovals(file).get(SERVER)?.get('ops/check')).toEqual(['a', 'b']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      version: 1,
      workspaces: { [root]: SERVER },
    });
  });

  test.each(['{', '[]', '{"registries": {"r": {"id": "all"}}}', '{"registries": {"r": ["id"]}}'])(
    'approves nothing if its content is %s',
    (text) => {
      const root = temporaryFolder();
      writeFileSync(`${root}/approvals.json`, text);
      const keys = [...readApprovals(`${root}/approvals.json`).values()].flatMap((artifacts) =>
        [...artifacts.values()].flat(),
      );
      expect(keys).toEqual([]);
    },
  );

  test('approves nothing if the file is unreadable', () => {
    const root = temporaryFolder();
    mkdirSync(`${root}/approvals.json`);
    expect(readApprovals(`${root}/approvals.json`).size).toBe(0);
    chooseRegistry(`${root}/approvals.json`, root, SERVER);
  });
});
