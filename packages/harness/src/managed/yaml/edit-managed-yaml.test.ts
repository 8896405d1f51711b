import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Json } from '@catalog/core/json';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ManagedEntry } from '../../adapter.ts';
import type { ManagedEdit, OwnedFile } from '../managed-file.ts';
import { editManagedYaml } from './edit-managed-yaml.ts';

const FILE = '.hermes/config.yaml';

function server(id: string, key: string, value: Json = { command: 'npx' }): ManagedEntry {
  return {
    shape: 'map',
    recorded: 'lock',
    container: ['mcp_servers'],
    key,
    artifact_id: id,
    value,
  };
}

function hook(id: string, command = 'run', event = 'pre_tool_call'): ManagedEntry {
  return {
    shape: 'array',
    recorded: 'lock',
    container: ['hooks', event],
    key: id,
    artifact_id: id,
    value: { matcher: 'terminal', command },
  };
}

function edit(
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned?: OwnedFile,
): ManagedEdit {
  return editManagedYaml(text, desired, owned, FILE);
}

function refusal(text: string, desired: readonly ManagedEntry[], owned?: OwnedFile): CatalogError {
  try {
    edit(text, desired, owned);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

function expectThereAndBack(
  before: string | undefined,
  desired: readonly ManagedEntry[],
  after: string,
): void {
  const there = edit(before, desired);
  expect(there.text).toBe(after);
  expect(edit(there.text, desired, there.owned)).toMatchObject({ text: after, changed: false });
  const back = edit(there.text, [], there.owned);
  expect(back).toEqual({ text: before, owned: undefined, changed: true });
}

const BLOCK = 'mcp_servers:\n  wh:\n    command: npx';

describe('formatting of an added entry', () => {
  test('uses the default formatting in a new file', () => {
    expectThereAndBack(
      undefined,
      [server('ops/wh', 'wh', { command: 'npx', args: ['-y', 'wh'], env: {} }), hook('ops/log')],
      `mcp_servers:
  wh:
    command: npx
    args:
      - "-y"
      - wh
    env: {}
hooks:
  pre_tool_call:
    - matcher: terminal
      command: run
`,
    );
  });

  test.each([
    ['', `${BLOCK}\n`],
    ['\n', `${BLOCK}\n\n`],
    ['\uFEFF', `\uFEFF${BLOCK}\n`],
    ['# later', `# later\n${BLOCK}`],
    ['# later\n\n', `# later\n${BLOCK}\n\n`],
    ['---\n', `---\n${BLOCK}\n`],
    ['---', `---\n${BLOCK}`],
    ['%YAML 1.2\n--- # c\na: 1\n...\n# end', `%YAML 1.2\n--- # c\na: 1\n${BLOCK}\n...\n# end`],
    ['a: 1', `a: 1\n${BLOCK}`],
    ['a: 1  # one  \n', `a: 1  # one  \n${BLOCK}\n`],
    ['\uFEFFa: 1\r\n', `\uFEFFa: 1\r\n${BLOCK.replaceAll('\n', '\r\n')}\r\n`],
    ['a: 1\n\n# the end\n\n', `a: 1\n\n# the end\n${BLOCK}\n\n`],
    ['  a: 1\n', `  a: 1\n  ${BLOCK.replaceAll('\n', '\n  ')}\n`],
    ['a:\n    b: 1\n', `a:\n    b: 1\n${BLOCK.replaceAll('  ', '    ')}\n`],
  ])('changes %j to %j and restores it', (before, after) => {
    expectThereAndBack(before, [server('ops/wh', 'wh')], after);
  });

  test.each([
    ['mcp_servers:\n', 'mcp_servers:\n  wh:\n    command: npx\n'],
    ['mcp_servers: # none\nb: 1', 'mcp_servers: # none\n  wh:\n    command: npx\nb: 1'],
    ['mcp_servers: ~ # none', 'mcp_servers: # none\n  wh:\n    command: npx'],
    ['"mcp_servers": null\n', '"mcp_servers":\n  wh:\n    command: npx\n'],
    [
      'mcp_servers:\n  # a:\n  #   b\n# top\nc: 1\n',
      'mcp_servers:\n  # a:\n  #   b\n  wh:\n    command: npx\n# top\nc: 1\n',
    ],
    [
      "mcp_servers:\n   'a':\n      b: 1\n      # of a\n   # of the servers\nc: 1\n",
      "mcp_servers:\n   'a':\n      b: 1\n      # of a\n   wh:\n      command: npx\n   # of the servers\nc: 1\n",
    ],
    ['mcp_servers: {}\n', 'mcp_servers: {wh: {command: npx}}\n'],
    ['mcp_servers: { }', 'mcp_servers: {wh: {command: npx} }'],
    ['mcp_servers: {a: 1} # c\n', 'mcp_servers: {a: 1, wh: {command: npx}} # c\n'],
    ['mcp_servers: {a: 1, }\n', 'mcp_servers: {a: 1, wh: {command: npx}, }\n'],
    [
      'mcp_servers: {\n  a: {b: 1} # c\n  }\n',
      'mcp_servers: {\n  a: {b: 1}, # c\n  wh: {command: npx}\n  }\n',
    ],
    ['{}', '{mcp_servers: {wh: {command: npx}}}'],
    ['{mcp_servers}', '{mcp_servers: {wh: {command: npx}}}'],
    ['{mcp_servers: , b: 1}', '{mcp_servers: {wh: {command: npx}} , b: 1}'],
  ])('extends an existing map from %j to %j and restores it', (before, after) => {
    expectThereAndBack(before, [server('ops/wh', 'wh')], after);
  });

  const ELEMENT = '- matcher: terminal\n    command: run';
  test.each([
    ['hooks:\n', `hooks:\n  pre_tool_call:\n    - matcher: terminal\n      command: run\n`],
    [
      'hooks:\n  pre_tool_call:\n  - a # c\n  z: 1\n',
      `hooks:\n  pre_tool_call:\n  - a # c\n  ${ELEMENT}\n  z: 1\n`,
    ],
    ['a:\n- b\nhooks:\n  pre_tool_call:', `a:\n- b\nhooks:\n  pre_tool_call:\n  ${ELEMENT}`],
    ['hooks: {pre_tool_call: []}', 'hooks: {pre_tool_call: [{matcher: terminal, command: run}]}'],
    [
      'hooks: {pre_tool_call: [a, b: c]}',
      'hooks: {pre_tool_call: [a, b: c, {matcher: terminal, command: run}]}',
    ],
  ])('extends an existing list from %j to %j and restores it', (before, after) => {
    expectThereAndBack(before, [hook('ops/log')], after);
  });

  test.each([
    ['p: |+\n  text\n\n\n', `p: |+\n  text\n\n\n${BLOCK}\n`],
    ['p: |\n  text\n\n\n', `p: |\n  text\n${BLOCK}\n\n\n`],
    ['p: | # c\n  # text\n', `p: | # c\n  # text\n${BLOCK}\n`],
    ['p: >-\n  text', `p: >-\n  text\n${BLOCK}`],
    ['p: |\n  text', `${BLOCK}\np: |\n  text`],
    ['p: |\n  text  ', `${BLOCK}\np: |\n  text  `],
    ['#\r\n\np: |\n  \u2028', `#\r\n\r\n${BLOCK.replaceAll('\n', '\r\n')}\np: |\n  \u2028`],
    ['# c\np: |+\n  text', `# c\n${BLOCK}\np: |+\n  text`],
    ['p: |+\n  text\n  ', `p: |+\n  text\n${BLOCK}\n  `],
    [
      'a: 1\nmcp_servers:\n  p: |\n    text',
      'a: 1\nmcp_servers:\n  wh:\n    command: npx\n  p: |\n    text',
    ],
  ])('keeps an adjacent block scalar when %j becomes %j, and restores it', (before, after) => {
    expectThereAndBack(before, [server('ops/wh', 'wh')], after);
    expect(parse(after)).toEqual({ ...parse(before), mcp_servers: parse(after).mcp_servers });
  });

  test('adds entries to two containers that end on the same line', () => {
    expectThereAndBack(
      'hooks:\n  pre_tool_call:\n    - mine\n',
      [hook('ops/b', 'run', 'post_tool_call'), hook('ops/a')],
      'hooks:\n  pre_tool_call:\n    - mine\n    - matcher: terminal\n      command: run\n  post_tool_call:\n    - matcher: terminal\n      command: run\n',
    );
  });

  test('adds a member at the top level', () => {
    expectThereAndBack(
      'a: 1\n',
      [{ ...server('ops/x', 'theme', 'dark'), container: [] }],
      'a: 1\ntheme: dark\n',
    );
  });

  test.each<[Json, string]>([
    ['plain words --with=flags', 'plain words --with=flags'],
    ['https://example.org/mcp', 'https://example.org/mcp'],
    ...['yes', 'No', 'ON', 'y', 'null', '~', '', '1', '1.5', '0x1F', '1_000', '12:30:45'].map(
      (text): [Json, string] => [text, `"${text}"`],
    ),
    ...['2020-01-01', '-x', '+1', '.5', '*', '&a', '!t', '<<', '=', '- a', ' a', 'a ', 'a: b'].map(
      (text): [Json, string] => [text, `"${text}"`],
    ),
    ['a #b', '"a #b"'],
    ['${TOKEN}', '"${TOKEN}"'],
    ['two\nlines\t"', '"two\\nlines\\t\\""'],
    ['\u0085\u2028\uFEFF', '"\\u0085\\u2028\\ufeff"'],
    [true, 'true'],
    [null, 'null'],
    [-1.5, '-1.5'],
    [1e21, '1.0e+21'],
    [[], '[]'],
    [[['a', {}], { b: [] }], '\n    - - a\n      - {}\n    - b: []'],
  ])('writes %j as %s', (value, written) => {
    const { text = '' } = edit('', [{ ...server('ops/x', 'x', value), container: [] }]);
    const lead = written.startsWith('\n') ? '' : ' ';
    expect(text).toBe(`x:${lead}${written.replaceAll('\n    ', '\n  ')}\n`);
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(text, { version })).toEqual({ x: value });
  });
});

describe('editManagedYaml with existing entries', () => {
  const before = `# mine
hooks:
  pre_tool_call:
    - command: mine # by me

model: x
`;

  test('adds, changes and removes only entries of catalog', () => {
    const added = edit(before, [hook('ops/a'), hook('ops/b', 'b')]);
    const changed = edit(added.text, [hook('ops/a', 'other'), hook('ops/b', 'b')], added.owned);
    expect(changed.text).toBe(added.text?.replace('command: run', 'command: other'));
    const fewer = edit(changed.text, [hook('ops/b', 'b')], changed.owned);
    expect(fewer.text).not.toContain('other');
    expect(edit(fewer.text, [], fewer.owned).text).toBe(before);
  });

  test('keeps the formatting of an entry with the desired value', () => {
    const { owned } = edit('', [server('ops/wh', 'wh')]);
    const relaid = 'mcp_servers: {"wh" : {\n   command: "npx" } } # mine\n';
    expect(edit(relaid, [server('ops/wh', 'wh')], owned)).toMatchObject({
      text: relaid,
      changed: false,
    });
  });

  test('keeps ownership of an edited member and leaves an edited element to the user', () => {
    const added = edit(before, [server('ops/wh', 'wh'), hook('ops/a')]);
    const edited = added.text?.replace('npx', 'other').replace('command: run', 'command: walk');
    const replaced = edit(edited, [server('ops/wh', 'wh'), hook('ops/a')], added.owned);
    expect(replaced.text).toContain('command: npx\n');
    expect(replaced.text).toContain('command: walk\n    - matcher: terminal\n      command: run\n');
    expect(edit(replaced.text, [], replaced.owned).text).toContain('command: walk\n\nmodel: x\n');
  });

  test.each([
    ['command: npx', 'command: other'],
    ['command: npx', 'command: npx # why'],
    ['command: npx', 'command: npx\n    # env: none'],
    ['command: npx', 'command: *alias'],
  ])('reports the removal of an edited version: %j to %j', (ours, userVersion) => {
    const added = edit('a: &alias 1\n', [server('ops/wh', 'wh')]);
    const edited = added.text?.replace(ours, userVersion);
    expect(edit(edited, [], added.owned)).toEqual({
      text: 'a: &alias 1\n',
      owned: undefined,
      changed: true,
      edited: true,
    });
  });

  test('writes a new entry in the place of a removed one', () => {
    const first = edit('mcp_servers:\n  a: 1\n', [server('x', 'x'), server('y', 'y')]);
    const text = `${first.text}  z: 1\n`;
    const second = edit(text, [server('w', 'w'), server('y', 'y')], first.owned);
    expect(second.text).toBe(text.replace('x:', 'w:'));
    expect(edit(second.text, [], second.owned).text).toBe('mcp_servers:\n  a: 1\n  z: 1\n');
  });

  test('rejects an entry of the user as a clash, and owns the first of two equal elements', () => {
    expect(refusal('mcp_servers: {wh: {command: npx}}\n', [server('ops/wh', 'wh')]).code).toBe(
      'materialize.clash',
    );
    const { owned } = edit('hooks:\n  pre_tool_call: []\n', [hook('ops/a')]);
    const text = `hooks:
  pre_tool_call:
    - {command: run, matcher: terminal}
    - {matcher: terminal, command: run}
`;
    expect(edit(text, [], owned).text).toBe(
      'hooks:\n  pre_tool_call:\n    - {matcher: terminal, command: run}\n',
    );
  });

  test('changes the owned element if the user has the desired value before it', () => {
    const first = edit('hooks:\n  pre_tool_call: []\n', [hook('ops/a')]);
    const userVersion = first.text?.replace('[', '[{matcher: terminal, command: new}, ');
    const second = edit(userVersion, [hook('ops/a', 'new')], first.owned);
    expect(second.text).not.toContain('run');
  });

  test("keeps the user's version of a member that the product needs once", () => {
    const need: ManagedEntry = { ...server('ops/a', 'version', 1), container: [], if_absent: true };
    const other = { ...need, artifact_id: 'ops/b' };
    expect(edit('version: 2\n', [need, other])).toMatchObject({ changed: false, owned: undefined });
    const added = edit('a: 1\n', [need, other]);
    expect(added.text).toBe('a: 1\nversion: 1\n');
    expect(edit(added.text, [other], added.owned)).toMatchObject({ changed: false });
  });

  test('keeps the given entries and their containers', () => {
    const first = edit(undefined, [hook('a'), server('ops/wh', 'wh')]);
    const kept = first.owned?.entries ?? [];
    const second = editManagedYaml(first.text, [hook('b', 'b')], first.owned, FILE, kept);
    expect(second.text).toContain('command: run');
    expect(second.owned?.created).toEqual([['hooks'], ['hooks', 'pre_tool_call'], ['mcp_servers']]);
    const third = editManagedYaml(second.text, [], second.owned, FILE, kept);
    expect(third.text).toBe(first.text);
    expect(editManagedYaml(third.text, [], third.owned, FILE).text).toBeUndefined();
  });

  test('keeps created containers with content of the user', () => {
    const { text = '', owned } = edit(undefined, [server('ops/wh', 'wh')]);
    expect(edit(`# mine\n${text}`, [], owned).text).toBe('# mine\n');
    expect(edit(`${text}  mine: 1\n`, [], owned).text).toBe('mcp_servers:\n  mine: 1\n');
    expect(edit(`${text}  # mine\n`, [], owned).text).toBe('mcp_servers:\n  # mine\n');
    expect(edit('mcp_servers:\n', [], owned).text).toBeUndefined();
    expect(edit('', [], owned)).toMatchObject({ text: '', changed: false });
  });

  test('does nothing without desired and owned entries', () => {
    for (const text of [undefined, '', before]) {
      expect(edit(text, [])).toEqual({ text, owned: undefined, changed: false });
    }
  });
});

describe('invalid files', () => {
  test.each([
    ['a: [1', 1, 6, 'unexpected end'],
    ['a: 1\n\tb: 2\n', 2, 1, 'tab'],
    ['a: 1\r\nb: "x\r\n', 2, 4, 'not closed'],
    ['a: {\n  b: 1\n}\n', 1, 4, 'indent its continuation lines.'],
    ['a: 1\n---\nb: 1\n', 2, 1, 'document marker'],
    ['a: !!str 1\n', 1, 4, 'tag'],
    ['? a\n: b\n', 1, 1, 'a key starts with'],
    ['--- a:\n', 1, 6, 'document separator is expected'],
    ['- a\n', 1, 1, 'not a YAML mapping'],
    ['text', 1, 1, 'not a YAML mapping'],
    ['mcp_servers: []\n', 1, 14, 'something other than a mapping under mcp_servers'],
    ['mcp_servers: 1\n', 1, 14, 'something other than a mapping'],
    ['mcp_servers: ""\n', 1, 14, 'something other than a mapping'],
    ['a: &a {}\nmcp_servers: *a\n', 2, 14, 'mcp_servers as an alias'],
    ['mcp_servers: &a {}\nb: *a\n', 1, 17, 'mcp_servers under an anchor'],
    ['base: &a {mcp_servers: {}}\n<<: *a\n', 2, 1, 'by a merge key'],
    ['base: &a {wh: 1}\nmcp_servers:\n  b: 1\n  <<: [*a]\n', 4, 3, 'takes wh in'],
    ['a: 1\nb: 1\n"a": 2\n', 3, 1, '"a" twice'],
    ['mcp_servers: {a: 1, a: 2}\n', 1, 21, '"a" twice'],
  ])('rejects %j at %i:%i', (text, line, column, why) => {
    const error = refusal(text, [server('ops/wh', 'wh')]);
    expect(error.code).toBe('materialize.target_invalid');
    expect(error.message).toContain(why);
    expect(error.details).toEqual({ path: FILE, line, column });
    expect(error.message.startsWith(`${FILE}:${line}:${column} `)).toBe(true);
  });

  test('rejects a mapping at the place of a list', () => {
    expect(refusal('hooks:\n  pre_tool_call: {}\n', [hook('a')]).message).toContain('a list under');
  });

  test('accepts a merge key with other members', () => {
    const before = 'base: &a {b: 1}\nmcp_servers:\n  <<: *a\n';
    expectThereAndBack(before, [server('ops/wh', 'wh')], `${before}  wh:\n    command: npx\n`);
  });

  test('reports a clash if two entries have the same name', () => {
    const error = refusal('mcp_servers: {"wh": {command: mine}}', [server('ops/wh', 'wh')]);
    expect(error.code).toBe('materialize.clash');
    expect(error.message).toContain('mcp_servers.wh');
    expect(refusal('', [server('a', 'wh'), server('b', 'wh')]).code).toBe('materialize.clash');
  });

  test('rejects a deeply nested file without a stack overflow', () => {
    expect(refusal('['.repeat(100_000), [hook('a')]).message).toContain('nested more than');
    expect(edit(`${'\r\n'.repeat(9_000)}a: 1\r\n`, [hook('a')]).changed).toBe(true);
    expect(refusal('? '.repeat(800), [hook('a')]).code).toBe('materialize.target_invalid');
  });
});

test('editManagedYaml accepts names of prototype members as names', () => {
  const { text = '', owned } = edit('__proto__: 1\n', [
    server('constructor', '__proto__'),
    hook('__proto__', 'run', 'constructor'),
  ]);
  expect(text).toContain('mcp_servers:\n  "__proto__":\n    command: npx\n');
  expect(({} as Record<string, unknown>)['command']).toBeUndefined();
  expect(edit(text, [], owned).text).toBe('__proto__: 1\n');
});

test('parses the file once for a thousand entries', () => {
  const many = Array.from({ length: 1000 }, (_, index) =>
    hook(`ops/hook-${index}`, `run ${index}`),
  );
  const added = edit('theme: dark\n', many);
  const changed = edit(added.text, many.slice(500), added.owned);
  expect(changed.text?.match(/command: /g)).toHaveLength(500);
  expect(edit(changed.text, [], changed.owned).text).toBe('theme: dark\n');
});
