import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { ExecutableCapability } from './capability.ts';
import { addedCapabilities, capabilityKey, capabilitySetHash } from './capability-key.ts';
import { executableCapabilities } from './executable-capabilities.ts';
import { formatCapability } from './format-capability.ts';

interface Skill {
  keys?: object;
  body?: string;
  files?: Record<string, string>;
}

function capabilitiesOf({ keys = {}, body = 'Check.', files = {} }: Skill): ExecutableCapability[] {
  const about = { name: 'check', description: 'Checks.' };
  const text = `---\n${stringify({ ...about, ...keys })}---\n${body}`;
  return executableCapabilities(artifactOf('ops/check', { 'SKILL.md': text, ...files }));
}

function hook(handler: object, matcher = 'Bash'): Skill {
  return { keys: { hooks: { PreToolUse: [{ matcher, hooks: [handler] }] } } };
}

function server(definition: object): Skill {
  return { keys: { mcpServers: { x: definition } } };
}

const updates: [title: string, before: Skill, after: Skill, added: string[]][] = [
  ['nothing changes', hook({ command: 'a' }), hook({ command: 'a' }), []],
  ['a command changes', hook({ command: 'a' }), hook({ command: 'b' }), ['hook']],
  ['an argument changes', hook({ command: 'a' }), hook({ command: 'a', args: ['b'] }), ['hook']],
  ['a matcher widens', hook({ command: 'a' }), hook({ command: 'a' }, '*'), ['hook']],
  [
    'a variable of a hook',
    hook({ command: 'a' }),
    hook({ command: 'a', env: { B: 'c' } }),
    ['hook'],
  ],
  [
    'a hook takes longer',
    hook({ command: 'a', timeout: 1 }),
    hook({ command: 'a', timeout: 9 }),
    [],
  ],
  [
    'a hook says something else meanwhile',
    hook({ command: 'a', statusMessage: 'x' }),
    hook({ command: 'a', statusMessage: 'y', description: 'z' }),
    [],
  ],
  [
    'an event is added',
    { keys: { hooks: { Stop: 'a' } } },
    { keys: { hooks: { Stop: 'a', SessionStart: 'a' } } },
    ['hook'],
  ],
  [
    'the URL of a server',
    server({ url: 'https://a' }),
    server({ url: 'https://b' }),
    ['mcp_server'],
  ],
  [
    'the value of a header',
    server({ url: 'https://a', headers: { A: '${B}' } }),
    server({ url: 'https://a', headers: { A: '${C}' } }),
    ['mcp_server'],
  ],
  [
    'the value of a variable',
    server({ command: 'a', env: { LEVEL: '' } }),
    server({ command: 'a', env: { LEVEL: 'debug' } }),
    ['mcp_server'],
  ],
  [
    'the value of a variable that a program runs',
    server({ command: 'a', env: { NODE_OPTIONS: '' } }),
    server({ command: 'a', env: { NODE_OPTIONS: '--require ./x' } }),
    ['mcp_server', 'unknown_executable_key'],
  ],
  [
    'a variable whose name looks like a time limit',
    server({ command: 'a', env: { timeout: '1' } }),
    server({ command: 'a', env: { timeout: '2' } }),
    ['mcp_server'],
  ],
  [
    'the order of keys',
    server({ command: 'a', args: ['b'], env: { C: '1', D: '2' } }),
    server({ env: { D: '2', C: '1' }, args: ['b'], command: 'a' }),
    [],
  ],
  [
    'the order of arguments',
    server({ command: 'a', args: ['b', 'c'] }),
    server({ command: 'a', args: ['c', 'b'] }),
    ['mcp_server'],
  ],
  [
    'a word moves from the command to an argument',
    server({ command: 'a b' }),
    server({ command: 'a', args: ['b'] }),
    ['mcp_server'],
  ],
  [
    'a tool is added',
    { keys: { 'allowed-tools': 'Read' } },
    { keys: { 'allowed-tools': 'Read, Bash' } },
    ['allowed_tool'],
  ],
  [
    'a tool is taken away',
    { keys: { 'allowed-tools': 'Read, Bash' } },
    { keys: { 'allowed-tools': 'Read' } },
    [],
  ],
  [
    'a pattern widens',
    { keys: { 'allowed-tools': 'Bash(git status:*)' } },
    { keys: { 'allowed-tools': 'Bash(git:*)' } },
    ['allowed_tool'],
  ],
  [
    'a permission mode',
    { keys: { permissionMode: 'acceptEdits' } },
    { keys: { permissionMode: 'bypassPermissions' } },
    ['permission'],
  ],
  [
    'the value of a variable of the session',
    { keys: { env: { A: '1' } } },
    { keys: { env: { A: '2' } } },
    ['environment_variable'],
  ],
  [
    'the version of a plugin',
    { keys: { plugins: { a: '1' } } },
    { keys: { plugins: { a: '2' } } },
    ['plugin'],
  ],
  ['an inline command', { body: '!`a`' }, { body: '!`b`' }, ['inline_command']],
  ['prose around an inline command', { body: 'x !`a`' }, { body: 'y !`a` z' }, []],
  ['an unknown key', { keys: { x: './a' } }, { keys: { x: './b' } }, ['unknown_executable_key']],
  ['a script', { files: { 'a.py': '1' } }, { files: { 'a.py': '2' } }, ['script']],
  ['a script moves', { files: { 'a.py': '1' } }, { files: { 'b.py': '1' } }, ['script']],
  [
    'settings that nobody understands',
    { files: { 'settings.json': '{"x": 1}' } },
    { files: { 'settings.json': '{"x": 2}' } },
    ['configuration_file'],
  ],
  [
    'a document that cannot be read',
    { files: { 'a.md': '---\na: [' } },
    { files: { 'a.md': '---\nb: [' } },
    ['unreadable_file'],
  ],
  ['a document', { files: { 'a.md': 'x' } }, { files: { 'a.md': 'y', 'b.txt': 'z' } }, []],
  ['a description', { keys: { description: 'Run a' } }, { keys: { description: 'Run b' } }, []],
  ['a setting', { keys: { statusLine: 'a' } }, { keys: { statusLine: 'b' } }, ['command']],
];

describe('addedCapabilities for the limits of an MCP server', () => {
  const grown = (before: string, after: string): string[] => {
    const keysOf = (keys: string): Map<string, string> =>
      new Map(
        executableCapabilities(
          artifactOf('ops/wh', {
            'ARTIFACT.md': `---\ntype: mcp-server\nversion: 1.0.0\ncommand: wh\n${keys}---\n`,
          }),
        ).map((one) => [capabilityKey(one), one.kind]),
      );
    const known = keysOf(before);
    return [...keysOf(after)].filter(([key]) => !known.has(key)).map(([, kind]) => kind);
  };

  test.each([
    ['a tool is allowed', 'allowed_tools: [a]\n', 'allowed_tools: [a, b]\n', ['allowed_tool']],
    ['an allowed tool goes', 'allowed_tools: [a, b]\n', 'allowed_tools: [a]\n', []],
    ['the list goes', 'allowed_tools: [a]\n', '', ['mcp_server']],
    ['a denied tool goes', 'denied_tools: [a, b]\n', 'denied_tools: [a]\n', ['mcp_server']],
    ['all denied tools go', 'denied_tools: [a]\n', '', ['mcp_server']],
    ['the time limit changes', 'timeout: 5\n', 'timeout: 50\n', []],
  ])('lists the kinds that are added if %s', (_, before, after, kinds) => {
    expect(grown(before, after)).toEqual(kinds);
  });
});

describe('addedCapabilities', () => {
  test.each(updates)('returns only new or changed capabilities: %s', (_, before, after, added) => {
    const [old, current] = [capabilitiesOf(before), capabilitiesOf(after)];
    expect(addedCapabilities(old, current).map(({ kind }) => kind)).toEqual(added);
    expect(addedCapabilities(old.map(capabilityKey), current)).toEqual(
      addedCapabilities(old, current),
    );
    const isSame = added.length === 0 && old.length === current.length;
    expect(capabilitySetHash(old) === capabilitySetHash(current)).toBe(isSame);
  });
});

test('capabilityKey depends on the executable bit of a script', () => {
  const script = { kind: 'script', file: 'a', hash: 'sha256:x' } as const;
  expect(capabilityKey({ ...script, executable: true })).not.toBe(
    capabilityKey({ ...script, executable: false }),
  );
});

test('capabilityKey contains a kind and a hash, but no text of the author', () => {
  const [only] = capabilitiesOf(hook({ command: 'secret-command' }));
  expect(only).toBeDefined();
  if (only === undefined) return;
  expect(capabilityKey(only)).toMatch(/^hook:sha256:[0-9a-f]{64}$/);
});

test('capabilityKey ignores facts that are only displayed', () => {
  const [only] = capabilitiesOf(server({ command: 'a', args: ['b'], env: { C: 'd' } }));
  expect(only?.kind).toBe('mcp_server');
  if (only?.kind !== 'mcp_server') return;
  expect(capabilityKey({ ...only, args: [], variables: [], headers: ['x'] })).toBe(
    capabilityKey(only),
  );
});

test('capabilitySetHash ignores order and duplicates', () => {
  const set = capabilitiesOf({ keys: { tools: 'a b c' } });
  expect(set).toHaveLength(3);
  expect(capabilitySetHash([...set.toReversed(), ...set])).toBe(capabilitySetHash(set));
  expect(capabilitySetHash([])).not.toBe(capabilitySetHash(set));
  expect(set.map(formatCapability)).toEqual([
    'SKILL.md: tools allows the tool a',
    'SKILL.md: tools allows the tool b',
    'SKILL.md: tools allows the tool c',
  ]);
});
