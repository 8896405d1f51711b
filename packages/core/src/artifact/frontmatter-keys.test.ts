import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import type { Json } from '../json.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { checkFields } from './check-fields.ts';
import {
  ARTIFACT_KEYS,
  CATALOG_ONLY_KEYS,
  FRONTMATTER_KEYS,
  SHARED_KEYS,
  SKILL_KEYS,
  type FrontmatterFields,
} from './frontmatter-keys.ts';
import { FIRST_CLASS_TYPES, HOOK_EVENTS, RULE_MODES } from './types.ts';

const PLACE = { file: 'a/ARTIFACT.md', artifact_id: 'a', layer: 'l' };

function readKey(key: string, yaml: string) {
  const reading = readManifest(Buffer.from(`---\n${key}: ${yaml}\n---\n`), PLACE);
  if (reading.kind === 'refused') throw new Error(reading.problems[0]?.message);
  const fields: FrontmatterFields = {};
  const keys = SKILL_KEYS.has(key) ? SKILL_KEYS : ARTIFACT_KEYS;
  const diagnostics = checkFields(reading.manifest, keys, fields, PLACE);
  return { fields: { ...fields }, diagnostics };
}

const SAMPLES: Record<string, { yaml: string; value: Json; wrong: string; code?: string }> = {
  type: { yaml: 'skill', value: 'skill', wrong: '"two words"' },
  version: { yaml: '1.10.0', value: '1.10.0', wrong: '1.10', code: 'lint.invalid_version' },
  name: { yaml: 'no-friday', value: 'no-friday', wrong: 'No_Friday', code: 'lint.invalid_name' },
  description: { yaml: '>\n  two\n  lines', value: 'two lines\n', wrong: '[a]' },
  license: { yaml: 'Apache-2.0', value: 'Apache-2.0', wrong: 'true' },
  when_to_use: { yaml: '\n- Before.\n- 2024', value: ['Before.', '2024'], wrong: 'Before.' },
  tags: { yaml: '[a, 1.10, 3]', value: ['a', '1.10', '3'], wrong: '[a, [b]]' },
  sensitivity: { yaml: 'high', value: 'high', wrong: 'hgih' },
  search_visibility: { yaml: 'direct-only', value: 'direct-only', wrong: 'hidden' },
  deprecated: { yaml: 'true', value: true, wrong: '"true"' },
  replaced_by: { yaml: 'ops/new', value: 'ops/new', wrong: '{}' },
  release_notes: { yaml: '"1.2"', value: '1.2', wrong: '[]' },
  audit_redact: { yaml: '[env]', value: ['env'], wrong: 'env' },
  lint_suppress: { yaml: '[lint.thin_description]', value: ['lint.thin_description'], wrong: '7' },
  source: { yaml: 'https://example.com', value: 'https://example.com', wrong: '[]' },
  imported_from: {
    yaml: 'Claude Code plugin a 1.0.0',
    value: 'Claude Code plugin a 1.0.0',
    wrong: '[]',
  },
  extends: { yaml: 'base/rule@1.2.x', value: 'base/rule@1.2.x', wrong: '[base/rule]' },
  target_harnesses: { yaml: '[harness-a]', value: ['harness-a'], wrong: 'harness-a' },
  external_resources: {
    yaml: `[{path: m.bin, url: "https://x/m", sha256: ${'0a'.repeat(32)}, size: 12, signature: s}]`,
    value: [
      { path: 'm.bin', url: 'https://x/m', sha256: '0a'.repeat(32), size: 12, signature: 's' },
    ],
    wrong: '[{path: m.bin, url: "https://x/m", sha256: abc}]',
  },
  signature: { yaml: 'abc', value: 'abc', wrong: '{}' },
  mcpServers: {
    yaml: '[{name: wh, command: npx, args: [-y, 8080], env: {PORT: 8080}, other: x}, {name: far, transport: http, url: "https://x", headers: {A: b}}]',
    value: [
      { name: 'wh', command: 'npx', args: ['-y', '8080'], env: { PORT: '8080' } },
      { name: 'far', transport: 'http', url: 'https://x', headers: { A: 'b' } },
    ],
    wrong: '[{command: npx}]',
  },
  requiresApproval: {
    yaml: '[{tool: Bash, reason: why}]',
    value: [{ tool: 'Bash', reason: 'why' }],
    wrong: '[{reason: why}]',
  },
  runtime_requirements: {
    yaml: '{python: 3.10, node: ">=20", system_packages: [jq]}',
    value: { python: '3.10', node: '>=20', system_packages: ['jq'] },
    wrong: '{python: [3]}',
  },
  sandbox_profile: { yaml: 'read-only-fs', value: 'read-only-fs', wrong: 'none' },
  effort_hint: { yaml: 'max', value: 'max', wrong: 'lots' },
  model_class_hint: { yaml: 'frontier', value: 'frontier', wrong: 'huge' },
  sbom: {
    yaml: '{format: spdx, ref: sbom.json}',
    value: { format: 'spdx', ref: 'sbom.json' },
    wrong: '{format: spdx}',
  },
  input: { yaml: 'schemas/in.json', value: 'schemas/in.json', wrong: '{type: object}' },
  output: { yaml: '{$ref: schemas/out.json}', value: { $ref: 'schemas/out.json' }, wrong: '[]' },
  delegates_to: { yaml: '[ops/check@1.x]', value: ['ops/check@1.x'], wrong: '[{}]' },
  rule_mode: { yaml: 'glob', value: 'glob', wrong: 'globs', code: 'lint.unknown_rule_mode' },
  rule_globs: { yaml: '"a/**,b/*.ts"', value: 'a/**,b/*.ts', wrong: '["a/**"]' },
  rule_description: { yaml: 'When.', value: 'When.', wrong: 'false' },
  rule_fallback: { yaml: 'skill', value: 'skill', wrong: 'never' },
  hook_event: { yaml: 'stop', value: 'stop', wrong: 'Stop', code: 'lint.unknown_hook_event' },
  hook_timeout: { yaml: '30', value: 30, wrong: '0' },
  hook_matcher: { yaml: 'Edit|Write', value: 'Edit|Write', wrong: '[Edit]' },
  hook_action: { yaml: 'bash scripts/log.sh', value: 'bash scripts/log.sh', wrong: '[bash]' },
  server_identifier: { yaml: 'npx:wh-mcp', value: 'npx:wh-mcp', wrong: '[]' },
  command: { yaml: 'npx', value: 'npx', wrong: '[npx]' },
  args: { yaml: '[-y, wh]', value: ['-y', 'wh'], wrong: '-y' },
  env: { yaml: '{A: "${secret:A}"}', value: { A: '${secret:A}' }, wrong: '{A: true}' },
  url: { yaml: 'https://x', value: 'https://x', wrong: '{}' },
  headers: { yaml: '{X: 1}', value: { X: '1' }, wrong: '[X]' },
  transport: { yaml: 'stdio', value: 'stdio', wrong: '[]' },
  allowed_tools: { yaml: '[query]', value: ['query'], wrong: 'query' },
  denied_tools: { yaml: '[drop]', value: ['drop'], wrong: '{drop: true}' },
  timeout: { yaml: '30', value: 30, wrong: '0' },
  compatibility: { yaml: 'Needs git.', value: 'Needs git.', wrong: '[]' },
  metadata: {
    yaml: '{version: 1.0, live: true, deep: {a: b}}',
    value: { version: '1.0', live: 'true' },
    wrong: '[]',
  },
  'allowed-tools': { yaml: '[Read, "Bash(git:*)"]', value: ['Read', 'Bash(git:*)'], wrong: 'true' },
};

describe('FRONTMATTER_KEYS and the samples of this test name the same keys', () => {
  test('is in the samples, and nothing else is', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(FRONTMATTER_KEYS.map((row) => row.name).sort());
  });

  test.each(Object.entries(SAMPLES))('reads a valid %s', (key, { yaml, value }) => {
    expect(readKey(key, yaml)).toEqual({ fields: { [key]: value }, diagnostics: [] });
  });

  test.each(Object.entries(SAMPLES))('rejects an invalid %s', (key, { wrong, code }) => {
    const { fields, diagnostics } = readKey(key, wrong);
    expect(fields).toEqual({});
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: code ?? 'lint.invalid_field',
        severity: 'error',
        line: 2,
        message: expect.stringContaining(`\`${key}`),
        fix: expect.stringMatching(/.[.?]$/),
      }),
    ]);
  });

  test.each(Object.keys(SAMPLES))('treats %s without a value as absent', (key) => {
    expect(readKey(key, '')).toEqual({ fields: {}, diagnostics: [] });
  });

  test('has unique names, summaries and known types', () => {
    expect(new Set(FRONTMATTER_KEYS.map((row) => row.name)).size).toBe(FRONTMATTER_KEYS.length);
    for (const row of FRONTMATTER_KEYS) {
      expect(row.summary, row.name).toMatch(/^[A-Z].*\.$/);
      for (const type of row.types ?? []) expect(FIRST_CLASS_TYPES).toContain(type);
    }
  });
});

describe('frontmatter limits and messages', () => {
  test.each([
    [
      'tags',
      '[a, {b: c}, true]',
      [
        '`tags[1]` must be a string of up to 64 characters, but is a map.',
        '`tags[2]` must be a string of up to 64 characters, but is `true`.',
      ],
    ],
    ['tags', `[${'a, '.repeat(257)}]`, ['`tags` has 257 entries; the limit is 256.']],
    [
      'type',
      'x'.repeat(65),
      [`\`type\` must be one word of up to 64 characters, but is \`${'x'.repeat(59)}…\`.`],
    ],
    ['license', `"${'x'.repeat(1025)}"`, ['`license` has 1025 characters; the limit is 1024.']],
    [
      'mcpServers',
      '[{name: a}, {name: "", env: {A: [1]}}]',
      [
        '`mcpServers[1].env.A` must be a string of up to 16384 characters, but is a list.',
        '`mcpServers[1]` has no `name`.',
      ],
    ],
    ['sensitivity', '{}', ['`sensitivity` must be low, medium or high, but is a map.']],
    [
      'version',
      '1.0.0-beta',
      ['`version` must be a version in the form `major.minor.patch`, but is `1.0.0-beta`.'],
    ],
    [
      'version',
      '01.0.0',
      ['`version` must be a version in the form `major.minor.patch`, but is `01.0.0`.'],
    ],
    ['version', '1', ['`version` must be a version in the form `major.minor.patch`, but is `1`.']],
    [
      'version',
      'true',
      ['`version` must be a version in the form `major.minor.patch`, but is `true`.'],
    ],
    [
      'name',
      'a--b',
      [
        '`name` must be up to 64 characters: a-z, 0-9, and single hyphens in between, but is `a--b`.',
      ],
    ],
    [
      'name',
      '-a',
      ['`name` must be up to 64 characters: a-z, 0-9, and single hyphens in between, but is `-a`.'],
    ],
    [
      'external_resources',
      '[{path: a, url: b, sha256: ' + 'a'.repeat(64) + ', size: -1}]',
      ['`external_resources[0].size` must be an integer from 0, but is `-1`.'],
    ],
    [
      'hook_timeout',
      '86401',
      ['`hook_timeout` must be an integer from 1 to 86400, but is `86401`.'],
    ],
  ])('reports an invalid %s: %s', (key, yaml, messages) => {
    expect(readKey(key, yaml).diagnostics.map(({ message }) => message)).toEqual(messages);
  });

  test('accepts names of 64 characters and large versions', () => {
    expect(readKey('name', 'a'.repeat(64)).diagnostics).toEqual([]);
    expect(readKey('name', 'a'.repeat(65)).diagnostics).toHaveLength(1);
    expect(readKey('version', '20240101123456.0.999').diagnostics).toEqual([]);
  });

  test('suggests the closest valid value for a typo', () => {
    expect(readKey('sensitivity', 'mediun').diagnostics[0]?.fix).toBe('Did you mean `medium`?');
    expect(readKey('sensitivity', '7').diagnostics[0]?.fix).toBe(
      'Choose one of low, medium, high.',
    );
  });

  test('reports the position of the invalid value within its key', () => {
    const [problem] = readKey('tags', '\n  - a\n  - [b]').diagnostics;
    expect(problem).toMatchObject({ ...PLACE, line: 4, column: 5, excerpt: '  - [b]' });
  });
});

describe('merge rules of a child that extends a parent', () => {
  test('FRONTMATTER_KEYS lists the expected merge rules; all other keys use `child`', () => {
    const rules = FRONTMATTER_KEYS.filter((row) => row.merge !== 'child');
    expect(Object.fromEntries(rules.map((row) => [row.name, row.merge]))).toEqual({
      type: 'type',
      version: 'version',
      extends: 'removed',
      signature: 'own',
      when_to_use: 'concat',
      requiresApproval: 'concat',
      delegates_to: 'concat',
      external_resources: 'concat',
      tags: 'union',
      allowed_tools: 'intersection',
      denied_tools: 'union',
      sensitivity: 'max-sensitivity',
      sandbox_profile: 'max-sandbox',
      search_visibility: 'direct-only',
      deprecated: 'deprecated',
      mcpServers: 'mcp-servers',
      runtime_requirements: 'runtime-requirements',
    });
  });
});

describe('first-class types', () => {
  test('have the expected type-specific keys', () => {
    const keysOf = (type: string) =>
      FRONTMATTER_KEYS.filter((row) => row.types?.some((one) => one === type)).map(
        (row) => row.name,
      );
    expect(Object.fromEntries(FIRST_CLASS_TYPES.map((type) => [type, keysOf(type)]))).toEqual({
      skill: ['effort_hint', 'model_class_hint'],
      agent: ['effort_hint', 'model_class_hint', 'input', 'output', 'delegates_to'],
      context: [],
      command: ['effort_hint', 'model_class_hint'],
      rule: ['rule_mode', 'rule_globs', 'rule_description', 'rule_fallback'],
      hook: ['hook_event', 'hook_action', 'hook_timeout', 'hook_matcher'],
      'mcp-server': [
        'server_identifier',
        'command',
        'args',
        'env',
        'url',
        'headers',
        'transport',
        'allowed_tools',
        'denied_tools',
        'timeout',
      ],
    });
  });
});

describe('ARTIFACT.md and SKILL.md', () => {
  test('share only name, description and license', () => {
    expect([...SHARED_KEYS.keys()]).toEqual(['name', 'description', 'license']);
    expect([...SKILL_KEYS.keys()].sort()).toEqual(
      [...SHARED_KEYS.keys(), 'allowed-tools', 'compatibility', 'metadata'].sort(),
    );
    expect(ARTIFACT_KEYS.size + SKILL_KEYS.size).toBe(FRONTMATTER_KEYS.length + SHARED_KEYS.size);
    for (const key of SKILL_KEYS.keys()) expect(CATALOG_ONLY_KEYS.has(key)).toBe(false);
  });
});

describe('frontmatter interface names', () => {
  verifies('FM-06', 'extends accepts one pinned parent', () => {
    expect(readKey('extends', 'base/rule@1.2.x').fields.extends).toBe('base/rule@1.2.x');
    expect(readKey('extends', '1.10').fields.extends).toBe('1.10');
    expect(readKey('extends', '[a/b, c/d]').fields.extends).toBeUndefined();
  });

  verifies('FM-08', 'runtime_requirements accepts Python, Node and system packages', () => {
    expect(
      readKey('runtime_requirements', '{python: 3.10, node: 20, system_packages: [jq, git]}').fields
        .runtime_requirements,
    ).toEqual({ python: '3.10', node: '20', system_packages: ['jq', 'git'] });
  });

  verifies('FM-11', 'rule_mode accepts only its four values', () => {
    expect(RULE_MODES).toEqual(['always', 'glob', 'auto', 'explicit']);
    for (const mode of RULE_MODES) expect(readKey('rule_mode', mode).fields.rule_mode).toBe(mode);
    expect(readKey('rule_mode', 'manual').diagnostics[0]?.code).toBe('lint.unknown_rule_mode');
  });

  verifies('FM-12', 'hook_action keeps the command verbatim', () => {
    const { fields } = readKey('hook_action', '|\n  set -e\n  bash \'scripts/log.sh\' "$1"');
    expect(fields.hook_action).toBe('set -e\nbash \'scripts/log.sh\' "$1"\n');
  });

  test('hook_event accepts every canonical event', () => {
    for (const event of HOOK_EVENTS)
      expect(readKey('hook_event', event).fields.hook_event).toBe(event);
  });
});
