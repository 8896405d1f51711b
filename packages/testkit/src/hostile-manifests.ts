/** Random number from 0 to 1. A seeded function produces the same manifests again. */
export type Random = () => number;

export interface HostileManifest {
  name: string;
  bytes: Uint8Array;
}

/** Generates a manifest as an attacker or an accident could create it. */
export function hostileManifest(random: Random): HostileManifest {
  const [name, attack] = pick(random, ATTACKS);
  const made = attack(random);
  return { name, bytes: typeof made === 'string' ? encoder.encode(made) : made };
}

type Attack = (random: Random) => string | Uint8Array;

const encoder = new TextEncoder();

const FLOW = [
  '[',
  '{',
  '[{',
  '{a: ',
  '[[',
  '{? ',
  '[? ',
  '{"": ',
  "['",
  '{a: [',
  '[!!seq ',
  '[&a ',
];
const BLOCK = ['- ', '? ', 'a: ', ': ', '- - ', '? - ', '- ? ', '! ', '&a ', '|', '> ', '*a '];
const HIDDEN = [
  0x00, 0x07, 0x08, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff, 0xe0001,
  0xe0041, 0xe007f,
];
const NEARLY_HIDDEN = [
  0x09, 0x200b, 0x200d, 0x2028, 0x2029, 0x2060, 0xfe0f, 0xfffd, 0xffff, 0x1f3f4, 0xe0100, 0x10ffff,
];
const ESCAPES = [
  '\\0',
  '\\e',
  '\\u202e',
  '\\ud800',
  '\\U000E0041',
  '\\x9b',
  '\\uFEFF',
  '\\q',
  '\\N',
  '\\L',
];
const FORBIDDEN_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  '"__proto__"',
  "'constructor'",
  '"\\u005f_proto__"',
  '? __proto__\n',
];
const SCALARS = `
  1.10 ¦ 010 ¦ 0x1F ¦ 0o17 ¦ 1e400 ¦ -0 ¦ .inf ¦ -.INF ¦ .nan ¦ 1_000 ¦ 12345678901234567890 ¦ +1 ¦ 1. ¦ .5
  ¦ 2024-01-01 ¦ 2024-01-01T00:00:00Z ¦ 12:30:45 ¦ yes ¦ No ¦ on ¦ TRUE ¦ Null ¦ ~ ¦ ¦ = ¦ << ¦ ... ¦ 1.2.3
  ¦ !!binary aGk= ¦ !!timestamp 2024-01-01 ¦ !!set {a} ¦ !!omap [a: 1] ¦ !!int "x" ¦ !!float 1 ¦ !local x
  ¦ !<tag:yaml.org,2002:str> 1 ¦ !!js/function "x" ¦ *.ts ¦ **/* ¦ & ¦ * ¦ ! ¦ % ¦ @x ¦ {  ¦ } ¦ [ ¦ ] ¦ ,
  ¦ # ¦ # x ¦ " ¦ ' ¦ | ¦ > ¦ |2 ¦ >-9 ¦ ? x ¦ - x ¦ : x ¦ a: b: c ¦ \`x\`
`
  .trim()
  .split(/\s*¦\s*/);
const FENCES = [
  '---\n',
  '--- \n',
  '---\r\n',
  '----\n',
  '--\n',
  ' ---\n',
  '---\t\n',
  '---',
  '...\n',
  '\ufeff---\n',
  '\n---\n',
  '---\r',
  '—--\n',
  '--- x\n',
  '%YAML 1.1\n---\n',
];

const VALID = [
  'type: skill\nversion: 1.0.0\ntags: [deploy, "re lease"]\nsensitivity: low\nwhen_to_use:\n  - Before a release.\n  - |\n    When someone asks\n    [whether: it] is & was *ready*.\n',
  'type: agent\nname: triager\nversion: 2.10.3\ndescription: >-\n  Sorts incoming\n  incidents.\ndelegates_to: [ops/deploy/check@1.x]\nmcpServers:\n  - {name: wh, command: npx, args: ["-y", wh-mcp], env: {A: "1", B: \'2\'}}\n  - name: other\n    env: &e\n      TOKEN: ${secret:T}\nx-more:\n  env:\n    <<: *e\n    C: 3\n',
  '# a comment\ntype: hook # another\nversion: "1.0.0"\nhook_event: stop\nhook_action: \'bash "scripts/log.sh" # it\'\'s not a comment\'\nruntime_requirements: {python: 3.10, node: ">=20", system_packages: [jq]}\n',
  'name: check\ndescription: Verify a release before it ships.\nmetadata:\n  version: "1.0"\n  deep: {a: [1, 2, {b: c}]}\nallowed-tools: Bash(git:*) Read\n',
];

/** Attacks; those that need frontmatter create it with `fenced`. */
const ATTACKS: readonly (readonly [name: string, attack: Attack])[] = [
  ['alias bomb', (random) => fenced(aliasBomb(random))],
  [
    'alias ring',
    (random) => fenced(`a: &a\n  b: &b [*a, ${'*a, '.repeat(below(random, 40))}*a]\nc: *b\n`),
  ],
  ['merge bomb', (random) => fenced(mergeBomb(random))],
  ['many anchors', (random) => fenced(many(random, 2_000, (index) => `k${index}: &a${index} v\n`))],
  [
    'many aliases',
    (random) =>
      fenced(`k: &a ${pick(random, SCALARS)}\n${many(random, 500, (index) => `k${index}: *a\n`)}`),
  ],
  ['flow nesting', (random) => fenced(`a: ${nest(random, FLOW, 30_000)}`)],
  ['block nesting on one line', (random) => fenced(nest(random, BLOCK, 30_000))],
  ['block nesting by indentation', (random) => fenced(staircase(random))],
  [
    'question keys',
    (random) =>
      fenced(
        pick(random, ['? ', '?\n', '? ? ', '? [', '? {', '- ? ']).repeat(1 + below(random, 10_000)),
      ),
  ],
  [
    'huge key',
    (random) =>
      fenced(
        `${pick(random, ['', '"', "'", '? ', '{', '['])}${'k'.repeat(below(random, 70_000))}: v\n`,
      ),
  ],
  [
    'many keys',
    (random) => fenced(many(random, 8_000, (index) => `k${index}: ${pick(random, SCALARS)}\n`)),
  ],
  [
    'giant scalar',
    (random) =>
      fenced(
        `a: ${pick(random, ['', '"', "'", '|\n  ', '>\n  '])}${pick(random, ['x', 'x ', '\\n', "''", '\n  y', '\n\n', ' #', ' :', '😀']).repeat(below(random, 40_000))}`,
      ),
  ],
  [
    'giant body',
    (random) =>
      `---\ntype: context\n---\n${pick(random, ['x', '\n', '---\n', '<!-- ', '[a](', '😀']).repeat(below(random, 300_000))}`,
  ],
  ['giant frontmatter', (random) => fenced('# comment\n'.repeat(below(random, 20_000)))],
  [
    'forbidden key',
    (random) => fenced(inPlace(random, `${pick(random, FORBIDDEN_KEYS)}: {polluted: true}`)),
  ],
  [
    'duplicate key',
    (random) =>
      fenced(
        `${pick(random, VALID)}${pick(random, ['type: x', '"type": x', 'tags: []', '? version\n: 1', '<<: {}\n<<: {}'])}\n`,
      ),
  ],
  [
    'key that is not text',
    (random) =>
      fenced(
        inPlace(
          random,
          `${pick(random, ['1', 'true', 'null', '1.5', '[a]', '{a: b}', '~', '*a', ''])}: v`,
        ),
      ),
  ],
  [
    'odd scalar',
    (random) =>
      fenced(
        `version: ${pick(random, SCALARS)}\n${pick(random, ['type', 'name', 'tags', 'extends', 'deprecated'])}: ${pick(random, SCALARS)}\n`,
      ),
  ],
  ['hidden character', (random) => sprinkle(random, fenced(pick(random, VALID)), HIDDEN)],
  ['unusual character', (random) => sprinkle(random, fenced(pick(random, VALID)), NEARLY_HIDDEN)],
  [
    'escape',
    (random) => fenced(`type: "x${pick(random, ESCAPES)}"\n"k${pick(random, ESCAPES)}": v\n`),
  ],
  ['bytes that are not UTF-8', spoilBytes],
  [
    'random bytes',
    (random) => Uint8Array.from({ length: below(random, 5_000) }, () => below(random, 256)),
  ],
  ['random YAML signs', (random) => fenced(noise(random, 3_000))],
  [
    'fences',
    (random) =>
      `${pick(random, FENCES)}${pick(random, VALID)}${pick(random, ['', ...FENCES])}${pick(random, FENCES)}body\n`,
  ],
  [
    'mixed line ends',
    (random) =>
      fenced(pick(random, VALID)).replaceAll('\n', () =>
        pick(random, ['\n', '\r\n', '\r', '\n\r', '\r\r\n']),
      ),
  ],
  [
    'tabs',
    (random) =>
      fenced(pick(random, VALID)).replaceAll(' ', () =>
        pick(random, [' ', ' ', ' ', '\t', '\u00a0']),
      ),
  ],
  ['mutation', mutate],
  ['cut off', (random) => fenced(pick(random, VALID)).slice(0, below(random, 200))],
  ['nothing', () => ''],
];

function fenced(frontmatter: string): string {
  return `---\n${frontmatter}${frontmatter.endsWith('\n') ? '' : '\n'}---\nBody.\n`;
}

function aliasBomb(random: Random): string {
  const width = 1 + below(random, 12);
  const lines = ['a0: &a0 [lol]'];
  const levels = below(random, 40);
  for (let level = 1; level <= levels; level += 1) {
    lines.push(
      `a${level}: &a${level} [${Array(width)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function mergeBomb(random: Random): string {
  const lines = ['m0: &m0 {k: v}'];
  const levels = below(random, 60);
  for (let level = 1; level <= levels; level += 1) {
    lines.push(`m${level}: &m${level}\n  <<: [*m${level - 1}, *m${level - 1}]\n  k${level}: v`);
  }
  return `${lines.join('\n')}\n`;
}

function nest(random: Random, openings: readonly string[], max_length: number): string {
  const opening = pick(random, openings);
  const depth = below(random, 2) === 0 ? below(random, 100) : below(random, max_length);
  const closing = opening.replace(/[^[{]/g, '').replaceAll('[', ']').replaceAll('{', '}');
  const inside = opening.repeat(depth);
  return below(random, 2) === 0 ? inside : `${inside}${closing.repeat(depth)}`;
}

function staircase(random: Random): string {
  const step = pick(random, ['a:', '-', '? a', '- a:', '"a":', '? - a', '&a a:', '!!map a:']);
  const levels = below(random, 300);
  let text = '';
  for (let level = 0; level < levels; level += 1) text += `${' '.repeat(level)}${step}\n`;
  return text;
}

function inPlace(random: Random, entry: string): string {
  return pick(random, [
    `${entry}\n`,
    `a:\n  ${entry}\n`,
    `a: {${entry}}\n`,
    `a: [${entry}]\n`,
    `a: &m {${entry}}\nb:\n  <<: *m\n`,
  ]);
}

function many(random: Random, max_size: number, line: (index: number) => string): string {
  return Array.from({ length: below(random, max_size) }, (_, index) => line(index)).join('');
}

function sprinkle(random: Random, text: string, codePoints: readonly number[]): string {
  let result = text;
  for (let left = 1 + below(random, 3); left > 0; left -= 1) {
    const at = below(random, result.length + 1);
    result =
      result.slice(0, at) + String.fromCodePoint(pick(random, codePoints)) + result.slice(at);
  }
  return result;
}

function spoilBytes(random: Random): Uint8Array {
  const bytes = encoder.encode(fenced(pick(random, VALID)));
  for (let left = 1 + below(random, 4); left > 0; left -= 1) {
    bytes[below(random, bytes.length)] = 0x80 + below(random, 0x80);
  }
  return bytes;
}

function noise(random: Random, max_length: number): string {
  const signs = Array.from('[]{}?:-,&*!|>%@`"\'#\n \n  ab01.<~\\');
  return Array.from({ length: below(random, max_length) }, () => pick(random, signs)).join('');
}

function mutate(random: Random): string {
  let text = fenced(pick(random, VALID));
  for (let left = 1 + below(random, 6); left > 0; left -= 1) {
    const from = below(random, text.length);
    const piece = text.slice(from, from + below(random, 30));
    const at = below(random, text.length);
    const removed = below(random, 2) === 0 ? 0 : below(random, 20);
    const repeats = pick(random, [0, 1, 1, 2, 50]);
    text =
      text.slice(0, at) +
      piece.repeat(repeats) +
      pick(random, ['', '', '\n', '  ', pick(random, SCALARS)]) +
      text.slice(at + removed);
  }
  return text;
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

function pick<T>(random: Random, values: readonly [T, ...T[]] | readonly T[]): T {
  const value = values[below(random, values.length)];
  if (value === undefined) throw new RangeError('nothing to pick from');
  return value;
}
