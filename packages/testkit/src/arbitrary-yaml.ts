import * as fc from 'fast-check';

type Value = string | Value[] | Members;
interface Members {
  members: [key: string, value: Value][];
}

interface Layout {
  eol: string;
  map_step: number;
  list_step: number;
  comments: boolean;
  blank_lines: boolean;
  bom: boolean;
  opening: string;
  final: string;
}

const WORDS = ['u#', 'u# and more', '"u#: {"', "'u# it''s'", '17', '1.10', 'yes', 'null', '~', ''];
/** Top-level members with special rules; `§` becomes a unique number. */
const SPECIALS = [
  'base§: &base§\n  k§a: 3\nderived§:\n  <<: *base§\n  k§b: x\n',
  'word§: &word§ hello\nagain§: *word§\n',
  'literal§: |\n  line one\n  # no comment\n\n   line: two\n',
  'kept§: |+\n  text\n\n\n',
  'stripped§: |-\n  text\n\n',
  'folded§: >\n  one\n  two\n',
  'indented§: |2\n    text\n',
  'plain§: several words\n  over lines # and a comment\n',
  '"quoted §": \'it\'\'s\'\n"two\\nlines §": "a\\\n  b"\n',
  'odd§:\n- - a\n  - b\n-\n  k§c: 1\n- # c\n  k§d: 2\n',
];

const text: fc.Arbitrary<Value> = fc.constantFrom(...WORDS);
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: text },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 2, arbitrary: membersOf(tie('value'), 3) },
  ),
})).value;

/** Returns members whose keys get a number when they are written, so that each is unique. */
function membersOf(inner: fc.Arbitrary<Value>, maxLength: number): fc.Arbitrary<Members> {
  return fc
    .array(fc.tuple(fc.constantFrom('k#', 'k#', '"k #"', "'k/#'"), inner), { maxLength })
    .map((members) => ({ members }));
}

function named(name: string, inner: fc.Arbitrary<Value>): fc.Arbitrary<Members> {
  return fc
    .option(inner, { nil: undefined, freq: 2 })
    .map((found) => ({ members: found === undefined ? [] : [[name, found]] }));
}

function joined(parts: readonly Members[]): Members {
  return { members: parts.flatMap(({ members }) => members) };
}

const nothing = fc.constantFrom<Value>('', '~', 'null');
const elements = fc.oneof(fc.array(value, { maxLength: 2 }), nothing);
const hooks: fc.Arbitrary<Value> = fc.oneof(
  { weight: 1, arbitrary: nothing },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        membersOf(value, 1),
        named('pre_tool_call', elements),
        named('on_session_end', elements),
      )
      .map(joined),
  },
);
const servers = fc.oneof(
  { weight: 1, arbitrary: nothing },
  { weight: 4, arbitrary: membersOf(value, 2) },
);

const root: fc.Arbitrary<Members> = fc
  .tuple(
    membersOf(value, 2),
    named('hooks', hooks),
    membersOf(value, 1),
    named('mcp_servers', servers),
    membersOf(value, 2),
  )
  .map(joined);

const layout: fc.Arbitrary<Layout> = fc.record({
  eol: fc.constantFrom('\n', '\n', '\r\n'),
  map_step: fc.constantFrom(2, 2, 4, 3),
  list_step: fc.constantFrom(0, 2, 4),
  comments: fc.boolean(),
  blank_lines: fc.boolean(),
  bom: fc.boolean(),
  opening: fc.constantFrom('', '', '', '---\n', '# mine\n\n', '%YAML 1.1\n--- # one\n'),
  final: fc.constantFrom(
    '\n',
    '\n',
    '',
    '\n\n',
    '\n# the end',
    '\n  # the end\n',
    '\n...\n',
    '\n...\n# end',
  ),
});

/**
 * Generates realistic files: block and flow style, comments, quotes, block scalars, anchors and merge
 * keys, any indentation, a byte order mark, document markers, the user's own `hooks` and `mcp_servers`,
 * and sometimes empty. Keys and most scalars contain a number that is unique in the file.
 */
export const arbitraryYaml: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        root,
        fc.subarray(SPECIALS, { maxLength: 3 }),
        layout,
        fc.array(fc.nat({ max: 999 }), { minLength: 32, maxLength: 32 }),
      )
      .map(([members, specials, chosen, choices]) => render(members, specials, chosen, choices)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '\n',
      '  \n',
      '\uFEFF',
      '# nothing yet',
      '# nothing yet\n',
      '---',
      '---\n',
      '---\n# c\n...\n',
      '{}',
      '{}\n',
      '{ }',
      '{f1: 1}',
      '{ # empty\n}\n',
      '{\n  f1: u2, # c\n}\n',
      'hooks:\n',
      'hooks: {}\nmcp_servers: { }\n',
      'hooks: {pre_tool_call}',
      '{hooks: {pre_tool_call: , f1: 1}, mcp_servers}',
      'mcp_servers: ~ # none\n',
      'mcp_servers:\n  # none yet\n  #   at all\nk1: u2\n',
      'k1: |\n  cut short',
      'k1: |+\n  cut short\n  ',
      '  k1: u2\n  mcp_servers:\n   k3: u4\n',
    ),
  },
);

function render(
  members: Members,
  specials: readonly string[],
  chosen: Layout,
  choices: readonly number[],
): string {
  let next = 0;
  let number = 0;
  const numbered = (word: string): string => word.replaceAll('#', String((number += 1)));
  const choose = (count: number): number => {
    next += 1;
    return (choices[next % choices.length] ?? 0) % count;
  };
  const isSometimes = (wanted: boolean): boolean => wanted && choose(4) === 0;

  function above(column: number): string {
    const blank = isSometimes(chosen.blank_lines) ? '\n' : '';
    return isSometimes(chosen.comments) ? `${blank}${' '.repeat(column)}# above\n` : blank;
  }

  function behind(): string {
    return isSometimes(chosen.comments) ? ' # behind' : '';
  }

  function below(node: Value, column: number): string {
    if (typeof node === 'string') return ` ${numbered(node)}`.trimEnd() + behind() + '\n';
    if (sizeOf(node) === 0 || choose(4) === 0) return ` ${flow(node, column)}${behind()}\n`;
    return `${behind()}\n${block(node, column)}`;
  }

  function block(node: Value[] | Members, column: number): string {
    const indent = ' '.repeat(column);
    const lines = Array.isArray(node)
      ? node.map((inner) => {
          const lead = above(column) + indent;
          if (isMembers(inner) && inner.members.length > 0 && choose(3) > 0) {
            return `${lead}- ${block(inner, column + 2).trimStart()}`;
          }
          return `${lead}-${below(inner, column + 2)}`;
        })
      : node.members.map(([key, inner]) => {
          const step = isMembers(inner) ? chosen.map_step : chosen.list_step;
          return `${above(column)}${indent}${numbered(key)}:${below(inner, column + step)}`;
        });
    return lines.join('');
  }

  function flow(node: Value, column: number): string {
    if (typeof node === 'string') return numbered(node.includes('and more') ? 'u#' : node) || '~';
    const isWide = sizeOf(node) > 0 && choose(3) === 0;
    const lead = isWide ? `\n${' '.repeat(column + 2)}` : '';
    const parts = Array.isArray(node)
      ? node.map((inner) => flow(inner, column + 2))
      : node.members.map(([key, inner]) => `${flowKey(key)}: ${flow(inner, column + 2)}`);
    const comma = isWide ? `,${behind()}${lead}` : ', ';
    const end = isWide ? `${choose(4) === 0 ? ',' : ''}\n${' '.repeat(column + 1)}` : '';
    const [open, close] = Array.isArray(node) ? '[]' : '{}';
    return `${open}${lead}${parts.join(comma)}${end}${close}`;
  }

  /** Returns a key that differs from those of blocks, so that a line can be inserted before it. */
  function flowKey(key: string): string {
    return numbered(key.replace(/k(?=[ /]?#)/, 'f'));
  }

  const body = block(members, 0) + specials.map(numberedOnce).join('');
  const lines = body.replace(/\n$/, chosen.final);
  return (chosen.bom ? '\uFEFF' : '') + (chosen.opening + lines).replaceAll('\n', chosen.eol);

  /** Replaces `§` by the same number in a whole member, because its parts refer to each other. */
  function numberedOnce(special: string): string {
    number += 1;
    return special.replaceAll('§', String(number));
  }
}

function isMembers(node: Value): node is Members {
  return typeof node === 'object' && 'members' in node;
}

function sizeOf(node: Value[] | Members): number {
  return Array.isArray(node) ? node.length : node.members.length;
}
