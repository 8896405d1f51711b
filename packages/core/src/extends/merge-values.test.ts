import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FRONTMATTER_KEYS } from '../artifact/frontmatter-keys.ts';
import { SANDBOX_PROFILES, SENSITIVITIES } from '../artifact/types.ts';
import type { Json, JsonObject } from '../json.ts';
import { mergeValues } from './merge-values.ts';

const KEYS = new Map(FRONTMATTER_KEYS.map((row) => [row.name as string, row]));
const ABSENT = Symbol('absent');
type Cell = Json | typeof ABSENT;

interface MergeRow {
  key: string;
  parent: Cell;
  child: Cell;
  expected: Cell;
}

function row(key: string, parent: Cell, child: Cell, expected: Cell): MergeRow {
  return { key, parent, child, expected };
}

const CHILD_ELSE_PARENT: readonly (readonly [key: string, parent: Json, child: Json])[] = [
  ['name', 'base', 'special'],
  ['description', 'The base.', 'The special one.'],
  ['license', 'MIT', 'Apache-2.0'],
  ['release_notes', 'First.', 'Second.'],
  ['replaced_by', 'ops/new', 'ops/newer'],
  ['audit_redact', ['description'], ['tags']],
  ['lint_suppress', ['lint.thin_description'], ['lint.unknown_type']],
  ['source', 'imported', 'authored'],
  ['imported_from', 'plugin base', 'plugin special'],
  ['target_harnesses', ['harness-a'], ['none']],
  ['effort_hint', 'low', 'max'],
  ['model_class_hint', 'small', 'frontier'],
  ['sbom', { format: 'spdx', ref: 'a' }, { format: 'cyclonedx', ref: 'b' }],
  ['input', { $ref: 'in.json' }, 'other.json'],
  ['output', 'out.json', { $ref: 'other.json' }],
  ['rule_mode', 'glob', 'always'],
  ['rule_globs', 'src/**', 'lib/**'],
  ['rule_description', 'When A.', 'When B.'],
  ['rule_fallback', 'skill', 'always'],
  ['hook_event', 'stop', 'session_end'],
  ['hook_action', 'run a', 'run b'],
  ['hook_timeout', 5, 10],
  ['hook_matcher', 'Edit', 'Write'],
  ['server_identifier', 'npx:a', 'npx:b'],
  ['command', 'npx', 'uvx'],
  ['args', ['-y', 'a'], ['b']],
  ['env', { A: '1' }, { B: '2' }],
  ['url', 'https://a', 'https://b'],
  ['headers', { A: '1' }, { B: '2' }],
  ['transport', 'stdio', 'http'],
  ['timeout', 5, 10],
  ['compatibility', 'Needs bash.', 'Needs zsh.'],
  ['metadata', { a: '1' }, { b: '2' }],
  ['allowed-tools', 'Read', ['Bash', 'Read']],
  ['x-team', { colour: 'blue' }, { shape: 'round' }],
];

const server = (name: string, rest: JsonObject = {}): JsonObject => ({ name, ...rest });

/** The other cases of the inheritance table (background 2.6). */
const ROWS: readonly MergeRow[] = [
  ...CHILD_ELSE_PARENT.flatMap(([key, parent, child]) => [
    row(key, parent, child, child),
    row(key, parent, ABSENT, parent),
    row(key, ABSENT, child, child),
    row(key, parent, '', parent),
    row(key, parent, null, parent),
    row(key, parent, [], parent),
    row(key, parent, {}, parent),
    row(key, '', child, child),
  ]),
  row('x-flag', true, false, false),
  row('x-count', 5, 0, 0),

  row('type', 'skill', 'skill', 'skill'),
  row('version', '1.0.0', '2.0.0', '2.0.0'),
  row('version', '1.0.0', ABSENT, ABSENT),
  row('signature', 'parent', 'child', 'child'),
  row('signature', 'parent', ABSENT, ABSENT),
  row('extends', 'ops/a@1.0.0', 'ops/b@1.0.0', ABSENT),
  row('extends', ABSENT, 'ops/b@1.0.0', ABSENT),
  row('extends', 'ops/a@1.0.0', ABSENT, ABSENT),

  row('deprecated', true, false, true),
  row('deprecated', false, true, true),
  row('deprecated', true, ABSENT, true),
  row('deprecated', ABSENT, true, true),
  row('deprecated', false, ABSENT, false),

  row('tags', ['a', 'b'], ['c', 'a', 'd'], ['a', 'b', 'c', 'd']),
  row('tags', ['a', 'a'], ABSENT, ['a']),
  row('tags', ['a'], [], ['a']),
  row('tags', ABSENT, ['b', 'b'], ['b']),
  row('tags', [2024], ['2024', 'x'], [2024, 'x']),

  row('denied_tools', ['a', 'b'], ['c', 'a'], ['a', 'b', 'c']),
  row('allowed_tools', ['a', 'b'], ['c', 'b'], ['b']),
  row('allowed_tools', ['a'], ['b'], []),
  row('allowed_tools', ['a'], ABSENT, ['a']),
  row('allowed_tools', ['a'], null, ['a']),
  row('allowed_tools', ['a'], [], []),
  row('allowed_tools', [], ['a'], []),
  row('allowed_tools', ABSENT, ['a'], ['a']),

  row('when_to_use', ['a'], ['b', 'a'], ['a', 'b', 'a']),
  row('when_to_use', ['a'], ABSENT, ['a']),
  row(
    'requiresApproval',
    [{ tool: 'a' }],
    [{ tool: 'a', reason: 'r' }],
    [{ tool: 'a' }, { tool: 'a', reason: 'r' }],
  ),
  row('delegates_to', ['ops/a'], ['ops/b@1.x'], ['ops/a', 'ops/b@1.x']),
  row('external_resources', [{ path: 'a' }], [{ path: 'b' }], [{ path: 'a' }, { path: 'b' }]),

  row('sensitivity', 'high', 'low', 'high'),
  row('sensitivity', 'low', 'medium', 'medium'),
  row('sensitivity', 'low', ABSENT, 'low'),
  row('sensitivity', ABSENT, 'high', 'high'),
  row('sandbox_profile', 'seccomp-strict', 'network-isolated', 'seccomp-strict'),
  row('sandbox_profile', 'read-only-fs', 'network-isolated', 'network-isolated'),
  row('sandbox_profile', 'unrestricted', 'read-only-fs', 'read-only-fs'),
  row('sandbox_profile', 'unrestricted', ABSENT, 'unrestricted'),

  row('search_visibility', 'direct-only', 'indexed', 'direct-only'),
  row('search_visibility', 'indexed', 'direct-only', 'direct-only'),
  row('search_visibility', 'indexed', ABSENT, 'indexed'),
  row('search_visibility', ABSENT, 'indexed', 'indexed'),

  row(
    'mcpServers',
    [server('a'), server('b')],
    [server('c'), server('a', { command: 'x' })],
    [server('a', { command: 'x' }), server('b'), server('c')],
  ),
  row(
    'mcpServers',
    [server('a', { command: 'x', args: ['1'], transport: 'stdio' })],
    [server('a', { args: [], command: '', transport: 'http' })],
    [server('a', { command: 'x', args: ['1'], transport: 'http' })],
  ),
  row(
    'mcpServers',
    [server('a', { env: { K: '1', L: '1' } })],
    [server('a', { env: { L: '', M: '3' } })],
    [server('a', { env: { K: '1', L: '', M: '3' } })],
  ),
  row(
    'mcpServers',
    [server('a', { headers: { K: '1' } })],
    [server('a', { headers: { L: '2' }, url: 'u' })],
    [server('a', { headers: { K: '1', L: '2' }, url: 'u' })],
  ),
  row('mcpServers', [server('a')], ABSENT, [server('a')]),
  row(
    'mcpServers',
    ABSENT,
    [server('a', { env: { toString: 'x' } })],
    [server('a', { env: { toString: 'x' } })],
  ),

  row(
    'runtime_requirements',
    { python: '>=3.10', node: '>=20', system_packages: ['git', 'jq'] },
    { python: '>=3.12', system_packages: ['jq', 'rg'] },
    { python: '>=3.12', node: '>=20', system_packages: ['git', 'jq', 'rg'] },
  ),
  row(
    'runtime_requirements',
    { python: '>=3.10' },
    { python: '', node: '>=22' },
    { python: '>=3.10', node: '>=22' },
  ),
  row('runtime_requirements', { python: '>=3.10' }, ABSENT, { python: '>=3.10' }),
];

function toValues(entries: readonly (readonly [string, Cell])[]): JsonObject {
  const values: JsonObject = Object.create(null);
  for (const [key, cell] of entries) if (typeof cell !== 'symbol') values[key] = cell;
  return values;
}

describe('mergeValues by key', () => {
  test.each(ROWS)('merges $key: $child over $parent', ({ key, parent, child, expected }) => {
    const merged = mergeValues(toValues([[key, child]]), toValues([[key, parent]]), KEYS);
    expect(JSON.stringify(merged)).toBe(JSON.stringify(toValues([[key, expected]])));
  });

  test('the rows of this test cover every frontmatter key', () => {
    const tested = new Set(ROWS.map(({ key }) => key));
    expect([...KEYS.keys()].filter((key) => !tested.has(key))).toEqual([]);
  });

  test('treats names of object prototype members as ordinary keys', () => {
    const names = ['toString', 'hasOwnProperty', 'valueOf'];
    const child = toValues([
      [
        'mcpServers',
        [
          toValues([
            ['name', 'a'],
            ['toString', 'c'],
          ]),
        ],
      ],
    ]);
    const parent = toValues([
      ...names.map((name) => [name, 'p'] as const),
      [
        'mcpServers',
        [
          toValues([
            ['name', 'a'],
            ['valueOf', 'p'],
            ['toString', 'p'],
          ]),
        ],
      ],
    ]);
    const merged = mergeValues(child, parent, KEYS);
    expect(names.map((name) => merged[name])).toEqual(['p', 'p', 'p']);
    expect(merged['mcpServers']).toEqual([{ name: 'a', valueOf: 'p', toString: 'c' }]);
    expect(Object.getPrototypeOf(merged)).toBeNull();
  });

  test("keeps the order of the child's keys, then the parent's", () => {
    const child = toValues([
      ['x-b', 1],
      ['type', 'rule'],
      ['x-a', 1],
    ]);
    const parent = toValues([
      ['x-c', 1],
      ['x-a', 2],
      ['x-0', 1],
      ['type', 'rule'],
    ]);
    expect(Object.keys(mergeValues(child, parent, KEYS))).toEqual([
      'x-b',
      'type',
      'x-a',
      'x-c',
      'x-0',
    ]);
  });
});

const word = fc.constantFrom('', 'a', 'b', 'c');
const words = fc.array(word, { maxLength: 3 });
const textMap = fc.dictionary(fc.constantFrom('K', 'L', 'M'), word);
const servers = fc.array(
  fc.record(
    { name: fc.constantFrom('s', 't'), command: word, args: words, env: textMap },
    { requiredKeys: ['name'] },
  ),
  { maxLength: 3 },
);

const frontmatter = fc
  .record(
    {
      type: fc.constant('rule'),
      version: word,
      signature: word,
      description: fc.oneof(word, fc.constant(null)),
      tags: words,
      when_to_use: words,
      deprecated: fc.boolean(),
      sensitivity: fc.constantFrom(...SENSITIVITIES),
      sandbox_profile: fc.constantFrom(...SANDBOX_PROFILES),
      search_visibility: fc.constantFrom('indexed', 'direct-only'),
      mcpServers: servers,
      runtime_requirements: fc.record(
        { python: word, system_packages: words },
        { requiredKeys: [] },
      ),
      'x-own': fc.oneof(word, words, fc.constant(null)),
    },
    { requiredKeys: ['type'] },
  )
  .map((values): JsonObject => Object.assign(Object.create(null), values));

describe('mergeValues', () => {
  test('is associative, so a chain gives the same bytes from either end', () => {
    fc.assert(
      fc.property(frontmatter, frontmatter, frontmatter, (child, parent, grandparent) => {
        const fromRoot = mergeValues(child, mergeValues(parent, grandparent, KEYS), KEYS);
        const fromLeaf = mergeValues(mergeValues(child, parent, KEYS), grandparent, KEYS);
        expect(JSON.stringify(fromRoot)).toBe(JSON.stringify(fromLeaf));
      }),
      { numRuns: 1000 },
    );
  });

  test('never weakens a restriction of the parent', () => {
    fc.assert(
      fc.property(frontmatter, frontmatter, (child, parent) => {
        const merged = mergeValues(child, parent, KEYS);
        const rank = (values: JsonObject, key: string, order: readonly string[]): number =>
          order.findIndex((each) => each === values[key]);
        for (const [key, order] of [
          ['sensitivity', SENSITIVITIES],
          ['sandbox_profile', SANDBOX_PROFILES],
        ] as const) {
          expect(rank(merged, key, order)).toBe(
            Math.max(rank(child, key, order), rank(parent, key, order)),
          );
        }
      }),
    );
  });

  test('does not modify its arguments', () => {
    fc.assert(
      fc.property(frontmatter, frontmatter, (child, parent) => {
        const before = JSON.stringify([child, parent]);
        mergeValues(child, parent, KEYS);
        expect(JSON.stringify([child, parent])).toBe(before);
      }),
    );
  });
});
