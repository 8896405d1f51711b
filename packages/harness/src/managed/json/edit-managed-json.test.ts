import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import type { ManagedEntry } from '../../adapter.ts';
import type { OwnedFile } from '../managed-file.ts';
import { editManagedJson } from './edit-managed-json.ts';

const FILE = '.harness-a/settings.json';

function hook(id: string, command = 'run', event = 'Stop'): ManagedEntry {
  return {
    shape: 'array',
    recorded: 'file',
    container: ['hooks', event],
    key: id,
    artifact_id: id,
    value: { hooks: [{ type: 'command', command }], 'x-catalog-id': id },
  };
}

function server(id: string, key: string, command = 'npx'): ManagedEntry {
  return {
    shape: 'map',
    recorded: 'file',
    container: ['mcpServers'],
    key,
    artifact_id: id,
    value: { command },
  };
}

function edit(
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned?: OwnedFile,
): { text: string | undefined; owned: OwnedFile | undefined; changed: boolean } {
  return editManagedJson(text, desired, owned, FILE);
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
  const back = edit(there.text, [], there.owned);
  expect(back).toEqual({ text: before, owned: undefined, changed: true });
}

describe('formatting of an added entry', () => {
  test('uses the default formatting in a new file', () => {
    expectThereAndBack(
      undefined,
      [hook('ops/log'), server('ops/wh', 'wh')],
      `{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "run"
          }
        ],
        "x-catalog-id": "ops/log"
      }
    ]
  },
  "mcpServers": {
    "wh": {
      "command": "npx"
    }
  },
  "x-catalog": {
    "ops/wh": ["mcpServers", "wh"]
  }
}
`,
    );
  });

  test("appends entries with the user's indentation and after their comments", () => {
    expectThereAndBack(
      `{
\t// servers
\t"mcpServers": {
\t\t"mine": {"command": "a"} // my own
\t} // end of servers
}
`,
      [server('ops/wh', 'wh')],
      `{
\t// servers
\t"mcpServers": {
\t\t"mine": {"command": "a"}, // my own
\t\t"wh": {
\t\t\t"command": "npx"
\t\t}
\t}, // end of servers
\t"x-catalog": {
\t\t"ops/wh": ["mcpServers", "wh"]
\t}
}
`,
    );
  });

  // OURS represents the entry in the given layout. A list has indentation, unit and line break.
  test.each<[before: string, after: string, layout: 'tight' | 'spaced' | string[]]>([
    ['{}', '{\n  OURS\n}', ['  ', '  ', '\n']],
    ['{ }', '{\n  OURS \n}', ['  ', '  ', '\n']],
    ['{\r\n}\r\n', '{\r\n  OURS\r\n}\r\n', ['  ', '  ', '\r\n']],
    ['', '{\n  OURS\n}\n', ['  ', '  ', '\n']],
    ['\n', '{\n  OURS\n}\n\n', ['  ', '  ', '\n']],
    ['\uFEFF', '\uFEFF{\n  OURS\n}\n', ['  ', '  ', '\n']],
    ['// later', '// later\n{\n  OURS\n}', ['  ', '  ', '\n']],
    ['{"b":1}', '{"b":1,OURS}', 'tight'],
    ['{"b": 1}', '{"b": 1, OURS}', 'spaced'],
    ['{"b": 1,}', '{"b": 1, OURS,}', 'spaced'],
    ['{"b": 1, }', '{"b": 1, OURS, }', 'spaced'],
    ['{ /* soon */ }', '{ /* soon */ OURS }', 'spaced'],
    ['{ // soon\n}', '{ // soon\n  OURS\n}', ['  ', '  ', '\n']],
    ['{\n // soon\n}', '{\n // soon\n OURS\n}', [' ', '  ', '\n']],
    ['{"b": 1 // one\n}', '{"b": 1, // one\n  OURS\n}', ['  ', '  ', '\n']],
    ['{"b": 1 /* one */ }', '{"b": 1, /* one */ OURS }', 'spaced'],
    ['{"b": 1 /* a */ /* b */ }', '{"b": 1, /* a */ /* b */ OURS }', 'spaced'],
    ['{\n"b": 1  \n}', '{\n"b": 1,\nOURS  \n}', ['', '  ', '\n']],
    ['{\n   "b": 1,\n}', '{\n   "b": 1,\n   OURS,\n}', ['   ', '   ', '\n']],
    ['{\n\t"b": 1}', '{\n\t"b": 1,\n\tOURS}', ['\t', '\t', '\n']],
    ['{\n  "b": 1\n  , // odd\n}', '{\n  "b": 1\n  , // odd\n  OURS,\n}', ['  ', '  ', '\n']],
  ])('changes %j to %j and restores it', (before, after, layout) => {
    const entry: ManagedEntry = {
      shape: 'array',
      recorded: 'file',
      container: ['a'],
      key: 'x',
      artifact_id: 'x',
      value: { 'x-catalog-id': 'x' },
    };
    expectThereAndBack(before, [entry], after.replace('OURS', written(layout)));
  });

  test.each([
    ['{"a":[]}', '{"a":[{"x-catalog-id":"x"}]}'],
    ['{"a": [ ]}', '{"a": [{"x-catalog-id": "x"} ]}'],
    ['{"b": 1,\n "a": []}', '{"b": 1,\n "a": [\n  {\n   "x-catalog-id": "x"\n  }\n ]}'],
  ])('expands %j to %j and collapses it again', (before, after) => {
    const entry: ManagedEntry = {
      shape: 'array',
      recorded: 'file',
      container: ['a'],
      key: 'x',
      artifact_id: 'x',
      value: { 'x-catalog-id': 'x' },
    };
    expectThereAndBack(before, [entry], after);
  });

  test('keeps a short list of scalar values on one line', () => {
    const long = Array.from({ length: 12 }, (_, index) => `argument-${index}`);
    const { text } = edit('{\n}', [
      { ...server('ops/wh', 'wh'), value: { args: ['-y', 'wh'], more: long, none: [], no: {} } },
    ]);
    expect(text).toContain('"args": ["-y", "wh"],\n');
    expect(text).toContain('"more": [\n        "argument-0",\n');
    expect(text).toContain('"none": [],\n      "no": {}\n');
  });
});

function written(layout: 'tight' | 'spaced' | string[]): string {
  if (layout === 'tight') return '"a":[{"x-catalog-id":"x"}]';
  if (layout === 'spaced') return '"a": [{"x-catalog-id": "x"}]';
  const [indent = '', unit = '', eol = ''] = layout;
  const inner = eol + indent + unit;
  return `"a": [${inner}{${inner}${unit}"x-catalog-id": "x"${inner}}${eol}${indent}]`;
}

describe('editManagedJson with existing entries', () => {
  const before = `{
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "mine" }] } // by me
    ]
  },
  "theme": "dark"
}
`;

  verifies(['HA-05', 'HA-06'], 'adds, changes and removes only entries of catalog', () => {
    const added = edit(before, [hook('ops/a'), hook('ops/b')]);
    expect(added.text).toContain('"command": "mine" }] }, // by me\n      {\n');
    const changed = edit(added.text, [hook('ops/a', 'other'), hook('ops/b')], added.owned);
    expect(changed.text).toBe(added.text?.replace('"run"', '"other"'));
    const fewer = edit(changed.text, [hook('ops/b')], changed.owned);
    expect(fewer.text).not.toContain('ops/a');
    expect(fewer.text).toContain('ops/b');
    expect(edit(fewer.text, [], fewer.owned).text).toBe(before);
  });

  test('keeps the formatting of an entry with the desired value', () => {
    const { owned } = edit(before, [hook('ops/a')]);
    const relaid = before.replace(
      '// by me',
      `, {"x-catalog-id": "ops/a", /* ! */ "hooks": [{"command":"run", "type" :"command"}]}`,
    );
    expect(edit(relaid, [hook('ops/a')], owned)).toMatchObject({ text: relaid, changed: false });
  });

  test('replaces and removes an entry that the user edited', () => {
    const added = edit(before, [hook('ops/a')]);
    const edited = added.text?.replace('"run"', '"run --theirs"');
    const replaced = edit(edited, [hook('ops/a')], added.owned);
    expect(replaced.text).toBe(added.text);
    expect(edit(edited, [], added.owned).text).toBe(before);
  });

  test('restores an entry that the user deleted if it is still desired', () => {
    const added = edit(before, [hook('ops/a')]);
    expect(edit(before, [hook('ops/a')], added.owned).text).toBe(added.text);
    expect(edit(before, [], added.owned)).toEqual({
      text: before,
      owned: undefined,
      changed: false,
    });
  });

  test('moves an entry that changes its event', () => {
    const added = edit(before, [hook('ops/a')]);
    const moved = edit(added.text, [hook('ops/a', 'run', 'PreToolUse')], added.owned);
    expect(moved.text?.match(/ops\/a/g)).toHaveLength(1);
    expect(moved.text).toMatch(/"PreToolUse": \[\s+\{[^[]*\[[^\]]*\],\s+"x-catalog-id": "ops\/a"/);
    expect(edit(moved.text, [], moved.owned).text).toBe(before);
  });

  test("keeps a user's copy of an owned entry", () => {
    const { text = '', owned } = edit('{"hooks":{"Stop":[]}}', [hook('a')]);
    const copied = text.replace('[{', '[{"mine":1,"x-catalog-id":"a"},{');
    const updated = edit(copied, [hook('a', 'new')], owned);
    expect(updated.text).toBe(copied.replace('"run"', '"new"'));
    expect(edit(updated.text, [], updated.owned).text).toBe(
      '{"hooks":{"Stop":[{"mine":1,"x-catalog-id":"a"}]}}',
    );
  });

  test('replaces all owned entries in place', () => {
    const first = edit('{\n  "hooks": {}\n}', [hook('a'), hook('b')]);
    const second = edit(first.text, [hook('c'), hook('d')], first.owned);
    expect(second.text).toBe(first.text?.replace('"a"', '"c"').replace('"b"', '"d"'));
    const oneLine = edit('{"b":1}', [hook('a')]);
    const exchanged = edit(oneLine.text, [hook('c'), hook('d')], oneLine.owned);
    expect(exchanged.text).toBe(
      '{"b":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"run"}],"x-catalog-id":"c"},{"hooks":[{"type":"command","command":"run"}],"x-catalog-id":"d"}]}}',
    );
    expect(edit(exchanged.text, [], exchanged.owned).text).toBe('{"b":1}');
  });

  test('does nothing without desired and owned entries', () => {
    expect(edit(undefined, [])).toEqual({ text: undefined, owned: undefined, changed: false });
    expect(edit('', [])).toEqual({ text: '', owned: undefined, changed: false });
    expect(edit(before, [])).toEqual({ text: before, owned: undefined, changed: false });
  });

  test('rewrites a file that the user deleted', () => {
    const first = edit(before, [hook('a')]);
    const recreated = edit(undefined, [hook('a')], first.owned);
    expect(recreated.owned?.created_file).toBe(true);
    expect(edit(recreated.text, [], recreated.owned).text).toBeUndefined();
    expect(edit(undefined, [], first.owned).changed).toBe(false);
  });

  test('deletes a created file that the user emptied with its last entry', () => {
    const first = edit(undefined, [hook('a')]);
    const again = edit('', [hook('a')], first.owned);
    expect(again.owned?.created_file).toBe(true);
    expect(edit(again.text, [], again.owned).text).toBeUndefined();
  });
});

describe('user content in containers created by catalog', () => {
  test('keeps the file, the containers and the comment', () => {
    const { text = '', owned } = edit(undefined, [hook('a')]);
    const withUserElement = text.replace('"Stop": [', '"Stop": [ // mine\n      {"hooks": []},');
    const { text: left } = edit(withUserElement, [], owned);
    expect(left).toBe(
      '{\n  "hooks": {\n    "Stop": [ // mine\n      {"hooks": []}\n    ]\n  }\n}\n',
    );
  });

  test('keeps a container with only a comment', () => {
    const { text = '', owned } = edit(undefined, [hook('a')]);
    const left = edit(text.replace('"hooks": {', '"hooks": { /* mine */'), [], owned);
    expect(left.text).toBe('{\n  "hooks": { /* mine */\n  }\n}\n');
    const above = edit(`// mine\n${text}`, [], owned);
    expect(above.text).toBe('// mine\n{\n}\n');
  });

  test('keeps a comment with its line in a file that was empty', () => {
    const { text = '', owned } = edit('', [hook('a')]);
    expect(edit(`// mine\n${text}`, [], owned).text).toBe('// mine\n');
  });

  test('keeps an element after an owned entry', () => {
    const { text = '', owned } = edit('{"hooks": {"Stop": [1]}}', [hook('a')]);
    expect(edit(text.replace('"a"}', '"a"}, 2'), [], owned).text).toBe(
      '{"hooks": {"Stop": [1, 2]}}',
    );
  });

  test('moves content of the user out of the preceding line comment', () => {
    const { text = '', owned } = edit('{"list": [1 // one\n]}', [
      { ...hook('a'), container: ['list'] },
    ]);
    const joined = text.replace(/\s*\]\}$/, ', 2]}');
    expect(edit(joined, [], owned).text).toBe('{"list": [1, // one\n 2]}');
  });
});

describe('map entries', () => {
  verifies(['HA-09', 'HA-11'], 'records the owner of each entry in the file', () => {
    const { text } = edit('{"mcpServers":{}}', [server('ops/wh', 'wh')]);
    expect(text).toBe(
      '{"mcpServers":{"wh":{"command":"npx"}},"x-catalog":{"ops/wh":["mcpServers","wh"]}}',
    );
  });

  test("rejects a user's entry with the same name as a clash with file, name and artifact", () => {
    const error = refusal('{"mcpServers": {"wh": {"command": "npx"}}}', [server('ops/wh', 'wh')]);
    expect(error.code).toBe('materialize.clash');
    expect(error.message).toContain(FILE);
    expect(error.message).toContain('mcpServers.wh');
    expect(error.message).toContain('ops/wh');
    expect(error.details).toEqual({
      clashes: [
        {
          path: `${FILE}: mcpServers.wh`,
          existing: 'an entry catalog does not own',
          incoming: 'ops/wh',
        },
      ],
    });
  });

  test('rejects two artifacts with one name as a clash with both ids', () => {
    const error = refusal('{}', [server('a/wh', 'wh'), server('b/wh', 'wh')]);
    expect(error.code).toBe('materialize.clash');
    expect(error.message).toContain('a/wh');
    expect(error.message).toContain('b/wh');
  });

  test('owns nothing by the index of the file without a lock', () => {
    const { text = '' } = edit('{"theme": 1}', [server('ops/wh', 'wh'), server('ops/x', 'x')]);
    expect(edit(text, [])).toMatchObject({ text, changed: false });
    expect(refusal(text, [server('ops/wh', 'wh', 'other')]).code).toBe('materialize.clash');
  });

  test('keeps ownership of an entry by the lock if the index is lost', () => {
    const { text = '', owned } = edit('{"theme": 1}', [server('ops/wh', 'wh')]);
    const noIndex = text.replace(/, "x-catalog".*\}\}$/, '}');
    expect(edit(noIndex, [server('ops/wh', 'wh')], owned).text).toBe(text);
    expect(edit(noIndex, [], owned).text).toBe('{"theme": 1}');
  });

  test('keeps the place of a name that moves to another artifact', () => {
    const first = edit('{"theme": 1}', [server('a/wh', 'wh'), server('a/z', 'z')]);
    const second = edit(
      first.text,
      [server('b/wh', 'wh', 'other'), server('a/z', 'z')],
      first.owned,
    );
    expect(second.text).toContain('"mcpServers": {"wh": {"command": "other"}, "z"');
    expect(second.text).not.toContain('a/wh');
    expect(edit(second.text, [], second.owned).text).toBe('{"theme": 1}');
  });

  test('ignores index members that catalog never writes', () => {
    const text = `{
  "permissions": {"deny": ["*"]},
  "mcpServers": {},
  "x-catalog": {"evil": ["permissions", "deny"], "odd": [1], "none": "x", "self": ["x-catalog", "evil"]}
}`;
    const { text: after = '', owned } = edit(text, [server('ops/wh', 'wh')]);
    expect(after).toContain('"deny": ["*"]');
    expect(edit(after, [], owned).text).toBe(text);
  });

  test('accepts prototype names as names', () => {
    const { text = '', owned } = edit('{"__proto__": 1}', [
      server('constructor', '__proto__'),
      hook('__proto__', 'run', 'constructor'),
    ]);
    expect(text).toContain('"mcpServers": {"__proto__": {"command": "npx"}}');
    expect(text).toContain('"constructor": [{"hooks"');
    expect(({} as Record<string, unknown>)['command']).toBeUndefined();
    expect(edit(text, [], owned).text).toBe('{"__proto__": 1}');
  });
});

describe('invalid files', () => {
  test.each([
    ['{"a": 1,, }', 1, 9],
    ['{\n  "a" 1}', 2, 7],
    ['{"a": }', 1, 7],
    ['{"a": 1', 1, 8],
    ['{"a": 1 "b": 2}', 1, 9],
    ['{a: 1}', 1, 2],
    ['{"a": 01}', 1, 8],
    ['{"a": tru}', 1, 7],
    ['{"a": "x\ny"}', 1, 7],
    ['{"a": "\\q"}', 1, 7],
    ['{} /* open', 1, 4],
    ['{}\r\n{}', 2, 1],
    ['[]', 1, 1],
    ['"text"', 1, 1],
    ['{"hooks": []}', 1, 11],
    ['{"hooks": null}', 1, 11],
    ['{"hooks": {"Stop": {}}}', 1, 20],
    ['{"a": 1, "a": 2}', 1, 10],
    ['{"b": {"c": {}, "c": {}}}', 1, 17],
  ])('rejects %j at %i:%i', (text, line, column) => {
    const error = refusal(text, [hook('a')]);
    expect(error.code).toBe('materialize.target_invalid');
    expect(error.details).toEqual({ path: FILE, line, column });
    expect(error.message.startsWith(`${FILE}:${line}:${column} `)).toBe(true);
  });

  test('rejects a deeply nested file without a stack overflow', () => {
    const error = refusal('['.repeat(100_000), [hook('a')]);
    expect(error.message).toContain('deeper than 256 levels');
    expect(edit(`{"a": ${'['.repeat(255)}${']'.repeat(255)}}`, [hook('a')]).changed).toBe(true);
  });

  test('accepts a repeated name inside a list of the user', () => {
    expect(edit('{"list": [{"a": 1, "a": 2}]}', [hook('a')]).changed).toBe(true);
  });
});

test('editManagedJson keeps the given entries and their containers', () => {
  const first = edit(undefined, [hook('a'), server('ops/wh', 'wh')]);
  const kept = first.owned?.entries ?? [];
  const second = editManagedJson(first.text, [hook('b')], first.owned, FILE, kept);
  expect(second.text).toContain('"x-catalog-id": "a"');
  expect(second.text).toContain('"ops/wh": ["mcpServers", "wh"]');
  expect(second.owned).toMatchObject({
    created_file: true,
    created: [['hooks'], ['hooks', 'Stop'], ['mcpServers'], ['x-catalog']],
  });
  const third = editManagedJson(second.text, [], second.owned, FILE, kept);
  expect(third.text).toBe(first.text);
  expect(editManagedJson(third.text, [], third.owned, FILE).text).toBeUndefined();
});

test('parses the file once for a thousand entries', () => {
  const many = Array.from({ length: 1000 }, (_, index) => hook(`ops/hook-${index}`));
  const added = edit('{\n  "theme": "dark"\n}\n', many);
  const changed = edit(added.text, many.slice(500), added.owned);
  expect(changed.text?.match(/x-catalog-id/g)).toHaveLength(500);
  expect(edit(changed.text, [], changed.owned).text).toBe('{\n  "theme": "dark"\n}\n');
});

describe('elements without a mark', () => {
  function plain(id: string, command = 'run', event = 'Stop'): ManagedEntry {
    return { ...hook(id, command, event), recorded: 'lock', value: { hooks: [{ command }] } };
  }
  const mine = '{"hooks": {"Stop": [{"mine": 1}]}}';

  test('adds, changes and removes elements without naming their artifact in the file', () => {
    const added = edit(mine, [plain('a'), plain('b', 'other')]);
    expect(added.text).toBe(
      '{"hooks": {"Stop": [{"mine": 1}, {"hooks": [{"command": "run"}]}, {"hooks": [{"command": "other"}]}]}}',
    );
    const changed = edit(added.text, [plain('a', 'new'), plain('b', 'other')], added.owned);
    expect(changed.text).toBe(added.text?.replace('"run"', '"new"'));
    const fewer = edit(changed.text, [plain('b', 'other')], changed.owned);
    expect(fewer.text).toBe(
      '{"hooks": {"Stop": [{"mine": 1}, {"hooks": [{"command": "other"}]}]}}',
    );
    expect(edit(fewer.text, [], fewer.owned).text).toBe(mine);
  });

  test('supports equal elements of two artifacts', () => {
    const added = edit(mine, [plain('a'), plain('b')]);
    expect(added.text?.match(/"run"/g)).toHaveLength(2);
    expect(edit(added.text, [plain('a'), plain('b')], added.owned)).toEqual({
      ...added,
      changed: false,
    });
    const one = edit(added.text, [plain('b')], added.owned);
    expect(one.text).toBe(edit(mine, [plain('b')]).text);
    expect(edit(one.text, [], one.owned).text).toBe(mine);
  });

  test('owns the first of two equal elements', () => {
    const { owned } = edit('{"hooks": {"Stop": []}}', [plain('a')]);
    const both =
      '{"hooks": {"Stop": [{"hooks": [{"command": "run"}]}, {"hooks": [{"command": "run"}]}]}}';
    expect(edit(both, [plain('a')], owned).text).toBe(both);
    expect(edit(both, [], owned).text?.match(/"run"/g)).toHaveLength(1);
  });

  test('changes the owned element if the user has the desired value before it', () => {
    const old = edit(mine, [plain('a', 'old')]);
    const text = old.text?.replace('{"mine": 1}', '{"hooks": [{"command": "new"}]}');
    const updated = edit(text, [plain('a', 'new')], old.owned);
    expect(updated.text).toBe(text?.replace('"old"', '"new"'));
    expect(updated.text?.match(/"new"/g)).toHaveLength(2);
  });

  test('leaves an edited element and an equal element in another list to the user', () => {
    const added = edit(mine, [plain('a')]);
    const edited = added.text?.replace('"run"', '"mine"');
    expect(edit(edited, [], added.owned)).toMatchObject({ text: edited, owned: undefined });
    const otherList = '{"hooks": {"Start": [{"hooks": [{"command": "run"}]}]}}';
    expect(edit(otherList, [], added.owned).text).toBe(otherList);
  });

  test('keeps entries that this run does not manage', () => {
    const added = edit(mine, [plain('a'), plain('b', 'other')]);
    const kept = added.owned?.entries.filter(({ key }) => key === 'a');
    const next = editManagedJson(added.text, [plain('c', 'third')], added.owned, FILE, kept);
    expect(next.text).toBe(
      '{"hooks": {"Stop": [{"mine": 1}, {"hooks": [{"command": "run"}]}, {"hooks": [{"command": "third"}]}]}}',
    );
    expect(edit(next.text, [], next.owned).text).toBe(mine);
  });

  test('identifies a tagged element by its tag instead of its value', () => {
    const tagged = edit(mine, [hook('a')]);
    const both = edit(tagged.text, [hook('a'), plain('b')], tagged.owned);
    expect(both.text?.match(/x-catalog-id/g)).toHaveLength(1);
    expect(edit(both.text, [plain('b')], both.owned).text).toBe(edit(mine, [plain('b')]).text);
  });
});

describe('member that the product needs once for all entries', () => {
  const need: ManagedEntry = {
    shape: 'map',
    recorded: 'lock',
    container: [],
    key: 'version',
    artifact_id: 'a',
    value: 1,
    if_absent: true,
  };

  test('is added if absent and removed with the last artifact that needs it', () => {
    const both = edit('{}', [need, { ...need, artifact_id: 'b' }]);
    expect(both.text).toBe('{\n  "version": 1\n}');
    expect(both.owned?.entries.map(({ artifact_id }) => artifact_id)).toEqual(['a', 'b']);
    const one = edit(both.text, [{ ...need, artifact_id: 'b' }], both.owned);
    expect(one).toMatchObject({ text: both.text, changed: false });
    expect(edit(one.text, [], one.owned).text).toBe('{}');
    expect(edit(undefined, [need]).text).toBe('{\n  "version": 1\n}\n');
  });

  test('stays unchanged if the user has the member, regardless of its value', () => {
    for (const mine of ['{"version": 2}', '{"version": 1}']) {
      const there = edit(mine, [need]);
      expect(there).toEqual({ text: mine, owned: undefined, changed: false });
    }
    const there = edit('{"version": 2}', [need, server('ops/wh', 'wh')]);
    expect(there.owned?.entries.map(({ key }) => key)).toEqual(['wh']);
    expect(edit(there.text, [], there.owned).text).toBe('{"version": 2}');
  });

  test('is rejected with a different value for another artifact', () => {
    expect(refusal('{}', [need, { ...need, artifact_id: 'b', value: 2 }]).code).toBe(
      'materialize.clash',
    );
  });
});

describe('member recorded only in the lock', () => {
  const entry: ManagedEntry = { ...server('ops/wh', 'wh'), recorded: 'lock' };

  test('has no index in the file and is identified by its place', () => {
    expectThereAndBack('{"b": 1}', [entry], '{"b": 1, "mcpServers": {"wh": {"command": "npx"}}}');
    const first = edit('{"b": 1}', [entry]);
    const text = first.text?.replace('npx', 'mine');
    expect(edit(text, [entry], first.owned)).toMatchObject({ text: first.text });
  });

  test('does not overwrite a member of the user', () => {
    expect(refusal('{"mcpServers": {"wh": {"command": "npx"}}}', [entry]).code).toBe(
      'materialize.clash',
    );
    expect(refusal('{"mcpServers": {"wh": {}}}', [entry]).code).toBe('materialize.clash');
  });
});
