import { artifactOf } from '@catalog/testkit/authored-package';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonObject, type Json } from '../json.ts';
import { executableCapabilities } from './executable-capabilities.ts';
import { formatCapability } from './format-capability.ts';

/**
 * Mark for each string that some harness might run. Harnesses read hooks, servers and commands differently, so the
 * lines that a user approves must contain all marks, in any structure.
 */
const MARK = /zq\d+/g;

const INVOCATION_KEYS = [
  'command Command COMMAND cmd run exec script program executable x.command',
  'bash powershell windows linux osx commandWindows',
  'url URL httpUrl serverUrl uri endpoint prompt server tool input',
  'args arguments argv env headers',
].flatMap((line) => line.split(' '));
const GROUP_KEYS = [
  'hooks Hooks hook action then handlers groups',
  'SessionStart PreToolUse Stop session_start x',
].flatMap((line) => line.split(' '));
const LABEL_KEYS = 'type matcher event trigger when if name description timeout'.split(' ');
const KEYS = [...INVOCATION_KEYS, ...GROUP_KEYS, ...LABEL_KEYS];

const leaf = fc.constantFrom<Json>('zq', 'zq', 'run zq', 'echo "zq" | sh', null, true, 5, '');
const structure: fc.Arbitrary<Json> = fc.letrec<{ value: Json; map: Json }>((tie) => ({
  map: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { minKeys: 1, maxKeys: 4 }),
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 4, arbitrary: tie('map') },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Json>(
        { type: 'command', command: 'zq' },
        { type: 'prompt', prompt: 'zq', command: 'zq' },
        { type: 'mcp_tool', server: 'zq', tool: 'zq', command: 'zq' },
        { type: 'http', url: 'https://zq.example.com', args: ['zq'] },
        { bash: ['sh', '-c', 'zq'], powershell: ['sh', '-c', 'zq'] },
        { prompt: 'zq', SessionStart: [{ hooks: [{ type: 'command', command: 'zq' }] }] },
      ),
    },
  ),
})).map;

function numbered(value: Json): Json {
  let count = 0;
  const visit = (node: Json): Json => {
    if (typeof node === 'string') return node.replaceAll('zq', () => `zq${(count += 1)}`);
    if (Array.isArray(node)) return node.map(visit);
    if (!isJsonObject(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, visit(member)]));
  };
  return visit(value);
}

const SECRET_KEYS = ['env', 'headers'];
const COMMAND_KEYS = 'command Command COMMAND cmd run exec script program executable'.split(' ');

/**
 * Lists the marks that must be shown: in hooks, all except labels and values of headers and environment variables;
 * elsewhere, those inside commands.
 */
function marksIn(value: Json, mayRun: boolean, key = ''): string[] {
  if (typeof value === 'string') {
    return mayRun && ![...LABEL_KEYS, ...SECRET_KEYS].includes(key)
      ? (value.match(MARK) ?? [])
      : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => marksIn(item, mayRun, key));
  if (!isJsonObject(value)) return [];
  const isSecret = SECRET_KEYS.includes(key);
  return Object.entries(value).flatMap(([name, member]) =>
    isSecret && typeof member === 'string'
      ? []
      : marksIn(member, mayRun || COMMAND_KEYS.includes(name), name),
  );
}

const PLAIN = artifactOf('ops/check', {
  'SKILL.md': '---\nname: check\ndescription: Checks.\n---\nCheck.\n',
});

function shownFor(key: string, value: Json): string {
  const { skill } = PLAIN;
  if (skill === undefined) throw new Error('the skill has no manifest');
  const artifact = { ...PLAIN, skill: { ...skill, values: { [key]: value } } };
  return executableCapabilities(artifact).map(formatCapability).join('\n');
}

test.each(['hooks', 'mcpServers', 'lspServers', 'statusLine', 'onStart', 'metadata'])(
  'executableCapabilities shows every string in %s that might run',
  (key) => {
    let marks = 0;
    fc.assert(
      fc.property(structure.map(numbered), (value) => {
        const shown: readonly string[] = shownFor(key, value).match(MARK) ?? [];
        const missing = marksIn(value, key === 'hooks').filter((mark) => !shown.includes(mark));
        expect(missing, shownFor(key, value)).toEqual([]);
        marks += shown.length;
      }),
      { numRuns: 1000 },
    );
    expect(marks).toBeGreaterThan(1000);
  },
);
