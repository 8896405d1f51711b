import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Json } from '@catalog/core/json';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { ManagedEntry } from '../../adapter.ts';
import type { ManagedEdit, OwnedEntry, OwnedFile } from '../managed-file.ts';
import { editManagedToml } from './edit-managed-toml.ts';

const FILE = '.codex/config.toml';

function member(
  container: readonly string[],
  key: string,
  value: Json,
  more: Partial<ManagedEntry> = {},
): ManagedEntry {
  return { shape: 'map', recorded: 'lock', container, key, artifact_id: key, value, ...more };
}

function server(key: string, value: Json = { command: 'npx' }): ManagedEntry {
  return member(['mcp_servers'], key, value);
}

function hook(id: string, command = 'run', event = 'Stop'): ManagedEntry {
  return {
    shape: 'array',
    recorded: 'lock',
    container: ['hooks', event],
    key: id,
    artifact_id: id,
    value: { hooks: [{ type: 'command', command }] },
  };
}

function edit(
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned?: OwnedFile,
  kept?: readonly OwnedEntry[],
): ManagedEdit {
  return editManagedToml(text, desired, owned, FILE, kept);
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
  parse(after);
  expect(edit(there.text, desired, there.owned)).toEqual({ ...there, changed: false });
  const back = edit(there.text, [], there.owned);
  expect(back).toEqual({ text: before, owned: undefined, changed: true });
}

const WH = '[mcp_servers.wh]\ncommand = "npx"';
const WH_INLINE = 'wh = { command = "npx" }';

describe('position of a new server', () => {
  test.each<[before: string | undefined, after: string]>([
    [undefined, `${WH}\n`],
    ['', `${WH}\n`],
    ['\n', `${WH}\n\n`],
    ['\uFEFF', `\uFEFF${WH}\n`],
    ['\uFEFFa = 1\n', `\uFEFFa = 1\n\n${WH}\n`],
    ['a = 1', `a = 1\n\n${WH}`],
    ['a = 1  \n\n\n', `a = 1  \n\n${WH}\n\n\n`],
    ['a = 1\r\n', `a = 1\r\n\r\n${WH.replace('\n', '\r\n')}\r\n`],
    ['[t]\nk = 1\n# the end', `[t]\nk = 1\n# the end\n\n${WH}`],
    ['# mine', `# mine\n\n${WH}`],
    ['[mcp_servers]\n', `[mcp_servers]\n\n${WH}\n`],
    ['[mcp_servers]\na.command = "x"\n', `[mcp_servers]\na.command = "x"\n\n${WH}\n`],
    ['[mcp_servers.a.env]\n[mcp_servers]\n', `[mcp_servers.a.env]\n[mcp_servers]\n\n${WH}\n`],
    ['["mcp_servers"]\n[t]\nk = 1', `["mcp_servers"]\n[t]\nk = 1\n\n${WH}`],
    ['mcp_servers = {}\n[t]\n', `mcp_servers = {${WH_INLINE}}\n[t]\n`],
    ['mcp_servers = { }', `mcp_servers = {${WH_INLINE} }`],
    [
      'mcp_servers = { a = {command="x"} } # mine\n',
      `mcp_servers = { a = {command="x"}, ${WH_INLINE} } # mine\n`,
    ],
    [
      'mcp_servers = {a = {args = [\n  "x", # why\n]}}\n',
      `mcp_servers = {a = {args = [\n  "x", # why\n]}, ${WH_INLINE}}\n`,
    ],
    [
      'mcp_servers.a.command = "x" # mine\nb = 1\n',
      `mcp_servers.a.command = "x" # mine\nmcp_servers.${WH_INLINE}\nb = 1\n`,
    ],
    [
      'mcp_servers.a.command = "x"\nmcp_servers.b = {}\nc = 1\n',
      `mcp_servers.a.command = "x"\nmcp_servers.b = {}\nmcp_servers.${WH_INLINE}\nc = 1\n`,
    ],
    [
      '  "mcp_servers" . a = {}\n[mcp_servers.b]\n',
      `  "mcp_servers" . a = {}\n  "mcp_servers".${WH_INLINE}\n[mcp_servers.b]\n`,
    ],
    ['mcp_servers.a.args = [\n"x"\n]', `mcp_servers.a.args = [\n"x"\n]\nmcp_servers.${WH_INLINE}`],
  ])('adds the server and restores %j', (before, after) => {
    expectThereAndBack(before, [server('wh')], after);
  });

  test('uses the form of a nested container', () => {
    const entry = member(['a', 'b'], 'c', { d: 1 });
    expectThereAndBack('a = { x.y = 1 }', [entry], 'a = { x.y = 1, b = { c = { d = 1 } } }');
    expectThereAndBack('a.x = 1', [entry], 'a.x = 1\na.b = { c = { d = 1 } }');
    expectThereAndBack('a.b.x = 1', [entry], 'a.b.x = 1\na.b.c = { d = 1 }');
    expectThereAndBack('a = { b.x = 1 }', [entry], 'a = { b.x = 1, b.c = { d = 1 } }');
    expectThereAndBack('[a]\nb.x = 1\n[z]', [entry], '[a]\nb.x = 1\nb.c = { d = 1 }\n[z]');
    expectThereAndBack('[a]\nx = 1\n', [entry], '[a]\nx = 1\n\n[a.b.c]\nd = 1\n');
  });
});

const STOP = '[[hooks.Stop]]\n\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "run"';
const STOP_INLINE = '{ hooks = [{ type = "command", command = "run" }] }';

describe('position of a new hook', () => {
  test.each<[before: string | undefined, after: string]>([
    [undefined, `${STOP}\n`],
    ['[hooks]\n', `[hooks]\n\n${STOP}\n`],
    ['[[hooks.Stop]]\n[hooks.Stop.x]\n[t]\n', `[[hooks.Stop]]\n[hooks.Stop.x]\n[t]\n\n${STOP}\n`],
    ['[[hooks.Pre]]\n[hooks]\n', `[[hooks.Pre]]\n[hooks]\n\n${STOP}\n`],
    ['hooks = {}', `hooks = {Stop = [${STOP_INLINE}]}`],
    ['hooks = { Pre = [] }', `hooks = { Pre = [], Stop = [${STOP_INLINE}] }`],
    ['hooks = { Stop = [] }', `hooks = { Stop = [${STOP_INLINE}] }`],
    ['hooks.Pre = 1\n', `hooks.Pre = 1\nhooks.Stop = [${STOP_INLINE}]\n`],
    ['[hooks]\nStop = []\n', `[hooks]\nStop = [${STOP_INLINE}]\n`],
    ['hooks.Stop = [ {a = 1} ]', `hooks.Stop = [ {a = 1}, ${STOP_INLINE} ]`],
    ['hooks.Stop = [ {a = 1}, ]', `hooks.Stop = [ {a = 1}, ${STOP_INLINE}, ]`],
    [
      'hooks.Stop = [\n  {a = 1} # first\n  # last\n]',
      `hooks.Stop = [\n  {a = 1}, # first\n  ${STOP_INLINE}\n  # last\n]`,
    ],
    ['hooks.Stop = [\n\t{a = 1},\n]', `hooks.Stop = [\n\t{a = 1},\n\t${STOP_INLINE},\n]`],
    ['hooks.Stop = [ # none\n]', `hooks.Stop = [ # none\n  ${STOP_INLINE}\n]`],
  ])('adds the hook and restores %j', (before, after) => {
    expectThereAndBack(before, [hook('a')], after);
  });

  test('creates a list for two hooks and removes it with the second', () => {
    const both = edit('hooks = {}', [hook('a', '1'), hook('b', '2')]);
    expect(both.text).toBe(
      'hooks = {Stop = [{ hooks = [{ type = "command", command = "1" }] }, { hooks = [{ type = "command", command = "2" }] }]}',
    );
    const one = edit(both.text, [hook('b', '2')], both.owned);
    expect(one.text).toBe('hooks = {Stop = [ { hooks = [{ type = "command", command = "2" }] }]}');
    expect(edit(one.text, [], one.owned).text).toBe('hooks = {}');
    const userText = one.text?.replace('[ { hooks', '[{ mine = 1 }, { hooks');
    expect(edit(userText, [], one.owned).text).toBe('hooks = {Stop = [{ mine = 1 }]}');
  });
});

describe('scalar values', () => {
  const on = member(['features'], 'hooks', true);
  test.each<[before: string | undefined, entry: ManagedEntry, after: string]>([
    [undefined, on, '[features]\nhooks = true\n'],
    ['a = 1\n', on, 'a = 1\n\n[features]\nhooks = true\n'],
    ['[features] # mine\n[z]', on, '[features] # mine\nhooks = true\n[z]'],
    ['[features]\n  web = 1 # x\n[z]', on, '[features]\n  web = 1 # x\n  hooks = true\n[z]'],
    ['[features.deep]\n', on, '[features.deep]\n\n[features]\nhooks = true\n'],
    ['features = {}', on, 'features = {hooks = true}'],
    ['features.web = true', on, 'features.web = true\nfeatures.hooks = true'],
    ['', member([], 'k', 1), 'k = 1\n'],
    ['\uFEFF[t]\n', member([], 'k', 1), '\uFEFFk = 1\n[t]\n'],
    ['a = 1 # x\n[t]\n', member([], 'k', 1), 'a = 1 # x\nk = 1\n[t]\n'],
    ['# c\n\n[t]\n', member([], 'a key', 1), '"a key" = 1\n# c\n\n[t]\n'],
    ['', { ...hook('a'), container: ['notify'], value: 'run' }, 'notify = ["run"]\n'],
    ['[t]\n', { ...hook('a'), container: ['t', 'list'], value: 'run' }, '[t]\nlist = ["run"]\n'],
  ])('are added and removed in %j', (before, entry, after) => {
    expectThereAndBack(before, [entry], after);
  });

  test('are written before a table in an empty file', () => {
    const all = [server('wh'), member([], 'k', 1)];
    expectThereAndBack('', all, `k = 1\n${WH}\n`);
    const first = edit('', [member([], 'k', 1)]);
    const second = edit(first.text, all, first.owned);
    expect(second.text).toBe(`k = 1\n\n${WH}\n`);
    expect(edit(second.text, [], second.owned).text).toBe('');
    const table = edit(second.text, [server('wh')], second.owned);
    expect(table.text).toBe(`${WH}\n`);
    expect(edit(table.text, [], table.owned).text).toBe('');
  });

  test('keep a created header while the user uses its table', () => {
    const { text, owned } = edit('a = 1\n', [on]);
    expect(edit(`${text}web = true\n`, [], owned).text).toBe('a = 1\n\n[features]\nweb = true\n');
    const noted = text?.replace('hooks', '# mine\nhooks');
    expect(edit(noted, [], owned).text).toBe('a = 1\n\n[features]\n# mine\n');
  });

  test('stay with the user if the product needs them only once', () => {
    const need = { ...on, if_absent: true as const };
    for (const mine of ['[features]\nhooks = false\n', 'features = { hooks = true }\n']) {
      const there = edit(mine, [need, server('wh')]);
      expect(there.owned?.entries.map(({ key }) => key)).toEqual(['wh']);
      expect(there.text).toBe(`${mine}\n${WH}\n`);
      expect(edit(there.text, [need], there.owned)).toMatchObject({ text: mine, owned: undefined });
    }
    const two = edit('', [need, { ...need, artifact_id: 'other' }]);
    expect(two.text).toBe('[features]\nhooks = true\n');
    expect(two.owned?.entries).toHaveLength(2);
    expect(edit(two.text, [], two.owned).text).toBe('');
  });
});

describe('TOML serialization', () => {
  test('parses back to the same value with an independent parser', () => {
    const value = {
      text: 'quote " backslash \\ tab \t nul \0 del \u007f nel \u0085 é 😀 \u2028',
      lines: 'a\r\nb',
      numbers: [0, -1, 1.5, 1e21, 1e-7, 9007199254740991, 123456789012345680000],
      flags: [true, false],
      nested: [[1], [[]], [{ a: 1 }, 'x']],
      empty: {},
      none: [],
      tables: [{ a: { b: { c: 1 } } }, {}],
      'odd.key "': { '': 1, é: 2 },
    };
    for (const before of ['', 'mcp_servers = {}', 'mcp_servers.a = 1']) {
      const { text = '', owned } = edit(before, [server('wh', value)]);
      expect(JSON.stringify(parse(text)['mcp_servers'])).toContain(
        JSON.stringify({ wh: value }).slice(1, 30),
      );
      expect(Object(parse(text)['mcp_servers']).wh).toEqual(value);
      expect(edit(text, [server('wh', value)], owned).changed).toBe(false);
    }
  });

  test('omits values that TOML cannot represent', () => {
    const value = { a: null, b: [1, null, 2], c: { d: null }, e: '\ud800', '\ud800': 1 };
    const { text, owned } = edit('', [server('wh', value)]);
    expect(text).toBe('[mcp_servers.wh]\nb = [1, 2]\nc = {}\ne = "\ufffd"\n"\ufffd" = 1\n');
    expect(edit(text, [server('wh', value)], owned).changed).toBe(false);
  });

  test('writes objects as tables and lists of objects as arrays of tables', () => {
    const { text } = edit('', [
      server('a b', { command: 'x', env: { K: 'v' }, tools: [{ n: 1 }, { n: 2 }] }),
    ]);
    expect(text).toBe(
      '[mcp_servers."a b"]\ncommand = "x"\n\n[mcp_servers."a b".env]\nK = "v"\n\n[[mcp_servers."a b".tools]]\nn = 1\n\n[[mcp_servers."a b".tools]]\nn = 2\n',
    );
  });

  test('accepts prototype names as keys', () => {
    expectThereAndBack(
      '[__proto__]\na = 1\n',
      [member(['__proto__'], 'constructor', { __proto__: null, x: 1 })],
      '[__proto__]\na = 1\n\n[__proto__.constructor]\nx = 1\n',
    );
  });
});

describe('ownership of entries', () => {
  test('changes an entry in place in every form', () => {
    const first = edit('a = 1\n', [server('wh', { command: 'x', env: { K: 'v' } }), server('z')]);
    const changed = edit(first.text, [server('wh', { command: 'y' }), server('z')], first.owned);
    expect(changed.text).toBe(
      'a = 1\n\n[mcp_servers.wh]\ncommand = "y"\n\n[mcp_servers.z]\ncommand = "npx"\n',
    );
    for (const relaid of [
      'mcp_servers.wh.command = "mine"\nb = 1\n[mcp_servers.wh.env]\n',
      'mcp_servers = { wh.command = "mine" }\nb = 1\n',
      'mcp_servers = { wh = { command = "mine" } }\nb = 1\n',
      '[mcp_servers]\nwh.command = "mine"\nwh.env = {}\n[b]\n',
    ]) {
      const again = edit(relaid, [server('wh')], first.owned);
      expect(again.edited).toBe(true);
      expect(again.text).toContain(WH_INLINE);
      expect(again.text).not.toContain('mine');
      expect(parse(again.text ?? '')).toMatchObject({ mcp_servers: { wh: { command: 'npx' } } });
      const gone = edit(relaid, [], first.owned);
      expect(gone.text).not.toContain('wh');
      expect(gone.edited).toBe(true);
    }
  });

  test('changes a table to a value and back', () => {
    const first = edit('a = 1\n', [member(['t'], 'k', { x: 1 })]);
    const value = edit(first.text, [member(['t'], 'k', 2)], first.owned);
    expect(value.text).toBe('a = 1\n\n[t]\nk = 2\n');
    const table = edit(value.text, [member(['t'], 'k', { x: 1 })], value.owned);
    expect(table.text).toBe('a = 1\n\n[t]\nk = { x = 1 }\n');
    expect(edit(table.text, [], table.owned).text).toBe('a = 1\n');
  });

  test('reports a clash if an entry of the user has the same name', () => {
    expect(refusal(`${WH} # mine\n`, [server('wh')]).code).toBe('materialize.clash');
    const clash = refusal('mcp_servers.wh.command = "other"', [server('wh')]);
    expect(clash.code).toBe('materialize.clash');
    expect(clash.message).toContain(`${FILE} already holds mcp_servers.wh`);
  });

  test('owns the first of equal elements and changes it in place', () => {
    const first = edit('a = 1\n', [hook('a'), hook('b')]);
    expect(first.text).toBe(`a = 1\n\n${STOP}\n\n${STOP}\n`);
    expect(edit(first.text, [hook('b')], first.owned).text).toBe(`a = 1\n\n${STOP}\n`);
    const old = edit('[[hooks.Stop]]\nx = 1\n', [hook('a', 'old')]);
    const text = old.text?.replace('x = 1', 'hooks = [{ type = "command", command = "new" }]');
    const updated = edit(text, [hook('a', 'new')], old.owned);
    expect(updated.text).toBe(text?.replace('"old"', '"new"'));
  });

  test('leaves an edited element to the user', () => {
    const first = edit('a = 1\n', [hook('a')]);
    const text = first.text?.replace('"run"', '"mine"');
    expect(edit(text, [], first.owned).text).toBe(text);
    expect(edit(text, [hook('a')], first.owned).text).toBe(`${text}\n${STOP}\n`);
  });

  test('keeps entries that this run does not manage', () => {
    const first = edit('a = 1\n', [server('x'), server('y'), hook('h')]);
    const kept = first.owned?.entries.filter(({ key }) => key !== 'y') ?? [];
    const text = first.text?.replace('npx', 'edited');
    const second = edit(text, [server('z')], first.owned, kept);
    expect(second.text).toBe(
      `a = 1\n\n[mcp_servers.x]\ncommand = "edited"\n\n${STOP}\n\n[mcp_servers.z]\ncommand = "npx"\n`,
    );
    expect(second.edited).toBeUndefined();
    expect(edit(second.text, [], second.owned)).toMatchObject({ text: 'a = 1\n', edited: true });
  });

  test('rejects two artifacts with one place', () => {
    expect(() => edit('', [server('wh'), server('wh', { command: 'x' })])).toThrow(
      /would both be written/,
    );
  });
});

describe('user content around entries', () => {
  test.each<[around: (text: string) => string, after: string]>([
    [(text) => `${text}\n[mine]\nx = 1\n`, 'a = 1\n\n[mine]\nx = 1\n'],
    [(text) => text.replace('[mcp', '# note\n[mcp'), 'a = 1\n\n# note\n'],
    [(text) => text.replace('"npx"', '"npx" # note'), 'a = 1\n\n# note\n'],
    [(text) => text.replace('\n\n', '\nb = 2\n'), 'a = 1\nb = 2\n'],
    [(text) => text.replace('\n\n', '\n\n\n\n'), 'a = 1\n\n\n'],
    [(text) => text.trimEnd(), 'a = 1'],
  ])('is kept after removal: %s', (around, after) => {
    const { text = '', owned } = edit('a = 1\n', [server('wh')]);
    const removed = edit(around(text), [], owned);
    expect(removed.text).toBe(after);
    expect(removed.edited).toBeUndefined();
  });

  test('keeps a created file', () => {
    const { text, owned } = edit(undefined, [server('a'), server('b')]);
    expect(edit(text, [], owned).text).toBeUndefined();
    expect(edit(`${text}# mine\n`, [], owned).text).toBe('# mine\n');
    expect(edit(`# mine\n${text}`, [], owned).text).toBe('# mine\n');
    const one = edit(text, [server('b')], owned);
    expect(one.text).toBe(edit(undefined, [server('b')]).text);
    const other = edit(text, [server('c')], owned);
    expect(other.text).toBe(edit(undefined, [server('c')]).text);
    expect(edit(undefined, [server('c')], owned).text).toBe(other.text);
    expect(edit(undefined, [], owned).text).toBeUndefined();
  });
});

describe('invalid files', () => {
  test.each<[text: string, place: string, problem: RegExp]>([
    ['a = 1\nb = \n', '3:1', /is not valid TOML: unspecified values are invalid/],
    ['\uFEFF[a]\r\n[a]\r\n', '2:2', /multiple times/],
    ['a = { b = 1,\n}', '2:1', /is not valid TOML/],
    ['mcp_servers = 1\n', '1:1', /something other than a table under mcp_servers/],
    ['x = 1\n[[mcp_servers]]\n', '2:1', /something other than a table under mcp_servers/],
    ['[hooks]\nStop = "x"', '2:1', /something other than a list under hooks\.Stop/],
    ['[hooks.Stop]\n', '1:1', /something other than a list under hooks\.Stop/],
  ])('are rejected with the location: %j', (text, place, problem) => {
    const error = refusal(text, [server('wh'), hook('a')]);
    expect(error.code).toBe('materialize.target_invalid');
    expect(error.message).toMatch(problem);
    expect(error.message.split(' ')[0]).toBe(`${FILE}:${place}`);
  });

  test('are rejected if the nesting is too deep', () => {
    const depth = (text: string): string => refusal(text, [server('wh')]).message;
    for (const text of [
      `x = ${'['.repeat(300)}${']'.repeat(300)}`,
      `x = ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      `[${'a.'.repeat(300)}b]`,
      `${'a.'.repeat(300)}b = 1`,
    ]) {
      expect(depth(text).slice(-40)).toContain('is nested deeper than 256 levels.');
    }
  });

  test('are rejected if a scalar belongs in an array of tables', () => {
    const error = refusal('[[t.list]]\n', [{ ...hook('a'), container: ['t', 'list'], value: 'x' }]);
    expect(error.message).toMatch(/something other than a list of values under t\.list/);
  });
});

test('editManagedToml adds and removes hundreds of entries in one run', () => {
  const many = Array.from({ length: 600 }, (_, index) => server(`s${index}`));
  const added = edit('a = 1\n', many);
  const fewer = edit(added.text, many.slice(300), added.owned);
  expect(Object.keys(Object(parse(fewer.text ?? '')['mcp_servers']))).toHaveLength(300);
  expect(edit(fewer.text, [], fewer.owned).text).toBe('a = 1\n');
});
