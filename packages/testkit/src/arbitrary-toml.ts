import * as fc from 'fast-check';

interface Form {
  root?: string[];
  /** Tables in order, which matters in TOML. */
  tables?: string[];
}

/** Values. An inline table is on one line, except for lists in it. */
const VALUES = [
  '1',
  '0xff',
  '9007199254740991',
  '"text"',
  "'literal # no comment'",
  '"esc \\" \\u00e9 # no"',
  'true',
  '1979-05-27T07:32:00Z',
  '07:32:00',
  '3.5e-3',
  'inf',
  '[]',
  '{}',
  '[1, 2,]',
  '{ a = 1, "b c" = [ { d.e = 2 } ] }',
  '"""\nover\n[lines]\n"""',
  "'''\n# no comment\n'''",
  '[\n  1, # one\n  # between\n  2\n]',
  '{ list = [\n 1,\n], x = 2 }',
];

const SERVERS: Form[] = [
  {},
  { root: ['mcp_servers = {}'] },
  { root: ['mcp_servers = { }'] },
  { root: ['mcp_servers = { a = {command="x"} }'] },
  { root: ['mcp_servers={a.command="x",b={args=[\n"y" # why\n]}}'] },
  { root: ['mcp_servers.a.command = "x"'] },
  { root: ['mcp_servers.a.command = "x"', 'mcp_servers.a.args = ["y"]', "'mcp_servers'.b = {}"] },
  { root: ['mcp_servers.a = { command = "x" }'], tables: ['[mcp_servers.b]\ncommand = "y"'] },
  { tables: ['[mcp_servers]'] },
  { tables: ['[mcp_servers]\na = { command = "x" }'] },
  { tables: ['[mcp_servers]\na.command = "x"\na.env.K = "v"'] },
  { tables: ['[mcp_servers.a]\ncommand = "x"\nargs = ["y"]', '[mcp_servers.a.env]\nK = "v"'] },
  { tables: ['[mcp_servers.a.env]\nK = "v"', '[mcp_servers.a]', '[mcp_servers]'] },
  { tables: ['["mcp_servers" . \'a b\']\ncommand = "x"', '[ mcp_servers."c.d" ]\nurl = "z"'] },
];

const HOOKS: Form[] = [
  {},
  { root: ['hooks = {}'] },
  { root: ['hooks = { Stop = [] }'] },
  { root: ['hooks = { Stop = [{ hooks = [{ type = "command", command = "x" }] }] }'] },
  { root: ['hooks.Stop = [ { matcher = "a" } ]'] },
  { root: ['hooks.Stop = [\n  { matcher = "a" }, # first\n  { matcher = "b" },\n  # last\n]'] },
  { root: ['hooks.Stop = [\n  { matcher = "a" } # first\n]', 'hooks."Pre".x = 1'] },
  { tables: ['[hooks]'] },
  { tables: ['[hooks]\nStop = []'] },
  { tables: ['[hooks]\nStop = [ { matcher = "a" } , ]\nother = 1'] },
  { tables: ['[[hooks.Stop]]\nmatcher = "a"', '[[hooks.Stop.hooks]]\ntype = "command"'] },
  {
    tables: [
      '[[hooks.Stop]]',
      '[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"',
      '[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "y"',
      '[[hooks.Stop]]\nmatcher = "b"',
      '[hooks.Stop.more]\nx = 1',
    ],
  },
  { tables: ['[[hooks.Other]]', '[hooks]'] },
];

const FEATURES: Form[] = [
  {},
  {},
  { root: ['features = {}'] },
  { root: ['features.web = true'] },
  { tables: ['[features]'] },
  { tables: ['[features]\nweb = true'] },
  { tables: ['[features.deep]\nx = 1'] },
];

const ROOT_NAMES = ['model', '"approval policy"', "'a.b'", 'p.q', '"é"', '-1_'];
const TABLE_NAMES = ['[tools]', '[ "x y" . z ]', '[[profiles]]', '[[profiles]]', '[profiles.in]'];

interface Layout {
  eol: string;
  bom: boolean;
  indent: string;
  final: string;
  comments: boolean;
}

const layout: fc.Arbitrary<Layout> = fc.record({
  eol: fc.constantFrom('\n', '\n', '\r\n'),
  bom: fc.boolean(),
  indent: fc.constantFrom('', '', '  ', '\t'),
  final: fc.constantFrom('', '\n', '\n', '\n\n', '  ', '\n# the end', '\n\n  # the end\n', '\n \n'),
  comments: fc.boolean(),
});

const form = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom(...ROOT_NAMES), { maxLength: 3 }),
    others: fc.nat({ max: TABLE_NAMES.length }),
    servers: fc.constantFrom(...SERVERS),
    hooks: fc.constantFrom(...HOOKS),
    features: fc.constantFrom(...FEATURES),
    order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
    values: fc.array(fc.constantFrom(...VALUES), { minLength: 8, maxLength: 8 }),
  })
  .map(({ names, others, servers, hooks, features, order, values }): Form => {
    const own: Form = {
      root: names.map((name, index) => `${name} = ${values[index]}`),
      tables: TABLE_NAMES.slice(0, others).map(
        (name, index) => `${name}\nk = ${values[3 + index]}`,
      ),
    };
    const forms = order.map((index) => [own, servers, hooks, features][index] ?? {});
    return {
      root: forms.flatMap(({ root = [] }) => root),
      tables: forms.flatMap(({ tables = [] }) => tables),
    };
  });

/**
 * Generates realistic files: tables, arrays of tables, inline tables, dotted and quoted keys, comments,
 * any line break, a byte order mark, the user's own `mcp_servers`, `hooks` and `features`, and
 * sometimes empty.
 */
export const arbitraryToml: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(form, layout, fc.array(fc.nat({ max: 999 }), { minLength: 24, maxLength: 24 }))
      .map(([chosen, laid, choices]) => render(chosen, laid, choices)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '\n',
      '\r\n\r\n',
      '\uFEFF',
      '  \n',
      '# nothing yet',
      '# nothing yet\n\n',
      '\uFEFF# a\n# b',
      'a = 1',
      '[t]',
    ),
  },
);

function render(
  { root = [], tables = [] }: Form,
  laid: Layout,
  choices: readonly number[],
): string {
  let next = 0;
  function choose(count: number): number {
    next += 1;
    return (choices[next % choices.length] ?? 0) % count;
  }

  function decorate(line: string, indent: string): string {
    const above = laid.comments && choose(3) === 0 ? `${indent}# above\n` : '';
    const blank = choose(4) === 0 ? '\n' : '';
    const behind = laid.comments && choose(3) === 0 ? ' # behind' : choose(8) === 0 ? '  ' : '';
    return blank + above + indent + line + behind;
  }

  function table(text: string): string {
    const end = text.indexOf('\n');
    const header = decorate(end === -1 ? text : text.slice(0, end), laid.indent);
    const body = end === -1 ? '' : `\n${decorate(text.slice(end + 1), laid.indent)}`;
    return (choose(3) === 0 ? '' : '\n') + header + body;
  }

  const lines = [...root.map((line) => decorate(line, '')), ...tables.map(table)].join('\n');
  return (laid.bom ? '\uFEFF' : '') + (lines + laid.final).replaceAll('\n', laid.eol);
}
