import * as fc from 'fast-check';

type Value = null | boolean | number | string | Value[] | Map<string, Value>;

interface Layout {
  kind: 'lines' | 'one-line' | 'minified' | 'chaotic';
  unit: string;
  eol: string;
  bom: boolean;
  final: string;
  comments: boolean;
  trailing_commas: boolean;
}

const NAMES = ['model', 'env', '__proto__', 'constructor', 'é"\\', '', 'a b', '$schema', 'x'];

const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(null, true, false, 0, -1.5, 1e21),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('// no comment', '/* nor this */', '},]', '"', 'echo done'),
);

const anything: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    membersOf(fc.constantFrom(...NAMES), tie('value'), 3),
  ),
})).value;

function membersOf(
  name: fc.Arbitrary<string>,
  value: fc.Arbitrary<Value>,
  maxLength: number,
): fc.Arbitrary<Map<string, Value>> {
  return fc
    .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength })
    .map((members) => new Map(members));
}

const userHook = membersOf(fc.constantFrom('matcher', 'hooks'), anything, 2);
const events = fc.constantFrom('Stop', 'PreToolUse', 'SessionStart');
const settings: fc.Arbitrary<Value> = fc
  .tuple(
    membersOf(fc.constantFrom(...NAMES), anything, 3),
    fc.option(membersOf(events, fc.array(userHook, { maxLength: 2 }), 3), { nil: undefined }),
    fc.option(membersOf(fc.constantFrom(...NAMES), anything, 2), { nil: undefined }),
    membersOf(fc.constantFrom('permissions', 'theme'), anything, 2),
  )
  .map(
    ([before, hooks, servers, after]) =>
      new Map([
        ...before,
        ...(hooks === undefined ? [] : [['hooks', hooks] as const]),
        ...(servers === undefined ? [] : [['mcpServers', servers] as const]),
        ...after,
      ]),
  );

const layout: fc.Arbitrary<Layout> = fc.record({
  kind: fc.constantFrom('lines', 'lines', 'one-line', 'minified', 'chaotic'),
  unit: fc.constantFrom('  ', '    ', '\t', '   ', ''),
  eol: fc.constantFrom('\n', '\r\n'),
  bom: fc.boolean(),
  final: fc.constantFrom('', '\n', '\n\n', '  ', '\n// the end', '\n/* the end */\n'),
  comments: fc.boolean(),
  trailing_commas: fc.boolean(),
});

/**
 * Generates realistic settings files: with comments, trailing commas, a byte order mark, any
 * indentation, the user's own `hooks` and `mcpServers`, and sometimes empty.
 */
export const arbitraryJsonc: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(settings, layout, fc.array(fc.nat({ max: 999 }), { minLength: 24, maxLength: 24 }))
      .map(([value, chosen, choices]) => render(value, chosen, choices)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '\n',
      '{}',
      '{}\n',
      '{ }',
      '{\n}\n',
      '{\r\n\r\n}',
      '\uFEFF',
      '\uFEFF{}',
      '// nothing yet',
      '// nothing yet\n',
      '/* a */ /* b */\n\n',
      '{ // empty\n}',
      '{ /* empty */ }',
      '{\n  // empty\n}\n',
      '{"hooks":{}}',
      '{"hooks": {"Stop": []}}',
      '{\n  "hooks": { },\n  "mcpServers": {}\n}',
    ),
  },
);

function render(value: Value, chosen: Layout, choices: readonly number[]): string {
  let next = 0;
  function choose(count: number): number {
    next += 1;
    return (choices[next % choices.length] ?? 0) % count;
  }

  function gap(): string {
    if (chosen.kind !== 'chaotic') return '';
    const gaps = ['', '', ' ', '\t', chosen.eol, `  ${chosen.eol} `];
    const comments = ['/* c */', ` // c${chosen.eol}`, `/* "c", {${chosen.eol} */`, '/**/'];
    const all = chosen.comments ? [...gaps, ...comments] : gaps;
    return all[choose(all.length)] ?? '';
  }

  function lineBefore(indent: string): string {
    if (chosen.kind === 'chaotic') return gap();
    if (chosen.kind !== 'lines') return '';
    const above = chosen.comments && choose(3) === 0 ? `${chosen.eol}${indent}// above` : '';
    return `${above}${chosen.eol}${indent}`;
  }

  function comma(last: boolean): string {
    const sign = last && !chosen.trailing_commas ? '' : ',';
    const behind =
      chosen.comments && choose(3) === 0 ? ` ${choose(2) === 0 ? '// b' : '/* b */'}` : '';
    if (chosen.kind === 'lines') return sign + behind;
    return last || chosen.kind !== 'one-line' ? sign : `${sign} `;
  }

  function list(open: string, items: string[], close: string, indent: string): string {
    if (items.length === 0) return open + gap() + close;
    const inner = items.map(
      (item, index) =>
        lineBefore(indent + chosen.unit) + item + gap() + comma(index === items.length - 1),
    );
    const end = chosen.kind === 'lines' ? chosen.eol + indent : gap();
    return open + inner.join('') + end + close;
  }

  function write(node: Value, indent: string): string {
    if (Array.isArray(node)) {
      return list(
        '[',
        node.map((item) => write(item, indent + chosen.unit)),
        ']',
        indent,
      );
    }
    if (node instanceof Map) {
      const colon = chosen.kind === 'minified' ? ':' : ': ';
      const members = Array.from(
        node,
        ([key, item]) =>
          JSON.stringify(key) + gap() + colon + gap() + write(item, indent + chosen.unit),
      );
      return list('{', members, '}', indent);
    }
    return JSON.stringify(node);
  }

  const bom = chosen.bom ? '\uFEFF' : '';
  return bom + gap() + write(value, '') + chosen.final;
}
