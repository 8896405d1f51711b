import { artifactOf } from '@catalog/testkit/authored-package';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FRONTMATTER_KEYS } from '../artifact/frontmatter-keys.ts';
import type { Artifact } from '../artifact/types.ts';
import type { Json, JsonObject } from '../json.ts';
import { capabilityKey, capabilitySetHash } from './capability-key.ts';
import { executableCapabilities, MAX_CAPABILITIES } from './executable-capabilities.ts';
import { keyReader } from './executable-keys.ts';
import { formatCapability } from './format-capability.ts';

const PLAIN = artifactOf('ops/check', {
  'SKILL.md': '---\nname: check\ndescription: Checks.\n---\nCheck.\n',
});

function withValues(values: JsonObject): Artifact {
  const { skill } = PLAIN;
  return skill === undefined ? PLAIN : { ...PLAIN, skill: { ...skill, values } };
}

function withFile(path: string, content: string | Uint8Array): Artifact {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { ...PLAIN, resources: [{ path, bytes, executable: false }] };
}

test('EXECUTABLE_KEYS and INERT_KEYS cover every frontmatter key of catalog', () => {
  const own = [
    'hook_event',
    'hook_action',
    'hook_matcher',
    'server_identifier',
    'args',
    'headers',
    'metadata',
  ];
  const undecided = FRONTMATTER_KEYS.map(({ name }) => name).filter(
    (name) => keyReader(name) === 'unknown' && !own.includes(name),
  );
  expect(undecided).toEqual([]);
});

test('executableCapabilities adds one truncated entry beyond the limit, with the hash of the content', () => {
  const tools = Array.from({ length: MAX_CAPABILITIES + 1 }, (_, index) => `t${index}`);
  const full = executableCapabilities(withValues({ tools: tools.slice(1) }));
  expect(full).toHaveLength(MAX_CAPABILITIES);
  const artifact = withValues({ tools });
  const over = executableCapabilities(artifact);
  expect(over).toHaveLength(MAX_CAPABILITIES + 1);
  expect(over.at(-1)).toEqual({
    kind: 'truncated',
    limit: MAX_CAPABILITIES,
    hash: artifact.content_hash,
  });
  const changed = executableCapabilities({ ...artifact, content_hash: 'sha256:other' });
  expect(capabilitySetHash(changed)).not.toBe(capabilitySetHash(over));
});

test('executableCapabilities reports frontmatter that is nested too deep as unreadable', () => {
  let deep: Json = 'x';
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  const found = executableCapabilities(withValues({ hooks: deep }));
  expect(found.map(({ kind }) => kind)).toEqual(['unreadable_file']);
});

test.each([
  ['backticks', '!`'.repeat(500_000)],
  ['braces', '!{'.repeat(500_000)],
  ['closed braces', '!{a}'.repeat(250_000)],
  ['fences', '```!\n'.repeat(200_000)],
  ['distinct commands', Array.from({ length: 100_000 }, (_, index) => `!\`${index}\``).join(' ')],
])('executableCapabilities reads one megabyte of %s within the time limit', (_, text) => {
  const started = performance.now();
  const found = executableCapabilities(withFile('commands/notes.md', text));
  expect(found.length).toBeLessThanOrEqual(MAX_CAPABILITIES + 1);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test.each([
  ['brackets', '['.repeat(130_000)],
  ['tools', `{"tools": [${'"a",'.repeat(32_000)}"a"]}`],
  ['hooks', `{"hooks": [${'"a",'.repeat(32_000)}"a"]}`],
  [
    'unknown members',
    `{"hooks": {${Array.from({ length: 6000 }, (_, index) => `"${index}": {"run": "${index}", "x": "y${index}"}`).join()}}}`,
  ],
  ['comments that are not closed', '/*a'.repeat(43_000)],
  ['commas and comments', ',/**/'.repeat(26_000)],
  ['quotes', '"'.repeat(130_000)],
])('executableCapabilities reads settings full of %s within the time limit', (_, text) => {
  const started = performance.now();
  const found = executableCapabilities(withFile('settings.json', text));
  expect(found.some(({ kind }) => kind === 'configuration_file')).toBe(true);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test.each([
  ['Mach-O', [0xcf, 0xfa, 0xed, 0xfe]],
  ['universal', [0xca, 0xfe, 0xba, 0xbe]],
  ['older Mach-O', [0xfe, 0xed, 0xfa, 0xce]],
])('executableCapabilities lists a %s program as a script', (_, bytes) => {
  const found = executableCapabilities(withFile('tool.dat', Uint8Array.from(bytes)));
  expect(found.map(({ kind }) => kind)).toEqual(['script']);
});

test('executableCapabilities lists every bundled file if the search limit is exceeded', () => {
  const command = 'x'.repeat(1_000_000);
  const artifact = withValues({ hooks: { Stop: command } });
  const file = { bytes: new Uint8Array(), executable: false };
  const resources = Array.from({ length: 101 }, (_, index) => ({ ...file, path: `f${index}` }));
  expect(executableCapabilities({ ...artifact, resources: resources.slice(1) })).toHaveLength(1);
  expect(executableCapabilities({ ...artifact, resources })).toHaveLength(102);
});

const KEYS = [
  '',
  ...'hooks mcpServers tools permissions permission env plugins metadata command x'.split(' '),
  ...'statusLine allowed-tools permissionMode external_resources Stop matcher type'.split(' '),
  ...'url args headers name __proto__ constructor'.split(' '),
];
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<Json>(null, true, false, 0, -1.5, '', 'a', 'Bash(git:*)', '${A}', '!`x`'),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }),
  ),
})).value;
const values = fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 5 });

test('executableCapabilities is deterministic and never throws for any frontmatter', () => {
  fc.assert(
    fc.property(values, (keys) => {
      const found = executableCapabilities(withValues(keys));
      const again = executableCapabilities(withValues(structuredClone(keys)));
      expect(again).toEqual(found);
      expect(new Set(found.map(capabilityKey)).size).toBe(found.length);
      for (const capability of found) expect(formatCapability(capability)).not.toContain('\n');
    }),
    { numRuns: 2000 },
  );
});

const path = fc.constantFrom(
  ...'settings.json .mcp.json hooks/hooks.json a.md b.txt .x/y.yaml z.toml'.split(' '),
);

test('executableCapabilities never throws for any bundled file', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    json.map((value) => new TextEncoder().encode(JSON.stringify(value))),
    json.map((value) => new TextEncoder().encode(`---\n${JSON.stringify(value)}\n---\n!\`a\``)),
  );
  fc.assert(
    fc.property(path, content, (at, bytes) => {
      executableCapabilities(withFile(at, bytes)).map(formatCapability);
    }),
    { numRuns: 2000 },
  );
});
