import type { CommandDefinition } from '../../../packages/cli/src/command/definition.ts';
import { definitions } from '../../../packages/cli/src/command/table.ts';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

/** Command without any flag of consent, or start of an MCP server. */
export type Invocation =
  | { kind: 'cli'; words: readonly string[] }
  | { kind: 'mcp'; calls: readonly object[] };

/** Flags that give consent, or name a path outside the workspace on behalf of the user. */
const CONSENT_FLAGS = new Set([
  'trust',
  'yes',
  'approve',
  'trust-lock',
  'global',
  'issuer',
  'token-url',
]);

/** Commands that read content of a clone or a registry. The random selection picks these more often. */
const EXPOSED = [
  'sync',
  'sync',
  'sync',
  'update',
  'outdated',
  'status',
  'undo',
  'mcp doctor',
  'mcp doctor',
  'mcp config',
  'adopt',
  'budget',
  'harness show',
  'show',
  'why',
  'test',
  'login',
  'whoami',
];

const VALUES: Readonly<Record<string, readonly string[]>> = {
  harness: ['claude-code', 'cursor', 'codex', 'gemini-cli', 'none', 'claude-code,cursor'],
  target: ['.', './inside', 'sub'],
  bind: ['127.0.0.1:0'],
  shell: ['bash', 'zsh', 'fish'],
  id: ['x/skill', 'x/hook', 'x/agent', 'x/**'],
  'take-over': ['**', '.claude/**'],
  include: ['x/*', '**'],
  exclude: ['x/rule'],
  type: ['skill', 'hook'],
  artifact: ['x/skill', 'x/server'],
  path: ['.', '.claude/settings.json', '.mcp.json', 'artifacts', 'artifacts/x/skill', 'CLAUDE.md'],
  file: ['.catalog/sync.yaml', 'x.yaml', '.mcp.json'],
  folder: ['sub', 'artifacts', '.'],
  from: ['.', 'artifacts'],
  into: ['artifacts', 'adopted'],
  overlay: ['.catalog/overlay', 'artifacts'],
  scope: ['workspace'],
  words: ['release'],
  command: ['sync'],
  days: ['30'],
  context: ['100000'],
};

const OTHER_VALUES = ['x', '1', 'sub/x'];

export function drawInvocation(random: SeededRandom, real: string): Invocation {
  if (random.next() < 0.2) return { kind: 'mcp', calls: drawCalls(random) };
  const name = random.next() < 0.6 ? random.pick(EXPOSED) : undefined;
  const definition = definitions.find((one) => one.name === name) ?? random.pick(definitions);
  return { kind: 'cli', words: drawWords(definition, random, real) };
}

function drawWords(definition: CommandDefinition, random: SeededRandom, real: string): string[] {
  const words = definition.name.split(' ');
  for (const argument of definition.arguments ?? []) {
    if (argument.required || random.next() < 0.4) {
      words.push(random.pick(argument.values ?? VALUES[argument.name] ?? OTHER_VALUES));
    }
  }
  const flags = Object.entries(definition.flags ?? {}).filter(([name]) => !CONSENT_FLAGS.has(name));
  // Adds few flags, since many exclude each other and a rejected command tests nothing.
  for (const [name, flag] of random.shuffle(flags).slice(0, random.pick([0, 0, 1, 1, 2, 3]))) {
    const value =
      name === 'registry'
        ? random.pick([real, './artifacts'])
        : random.pick(VALUES[name] ?? flag.values ?? OTHER_VALUES);
    if (flag.type === 'switch') words.push(`--${name}`);
    else if (flag.type === 'optional') words.push(`--${name}`);
    else words.push(`--${name}`, value);
  }
  if (random.next() < 0.3) words.push('--json');
  return words;
}

function drawCalls(random: SeededRandom): object[] {
  const calls = [
    { name: 'load_artifact', arguments: { id: 'x/skill' } },
    { name: 'load_artifact', arguments: { id: 'x/hook' } },
    { name: 'load_artifact', arguments: { id: 'x/server', destination: '../outside' } },
    { name: 'load_artifact', arguments: { id: 'x/agent', destination: 'way-out' } },
    { name: 'search_artifacts', arguments: { query: 'release' } },
    { name: 'load_domain', arguments: {} },
    { name: 'search_domains', arguments: { query: 'x' } },
  ];
  return random.shuffle(calls).slice(0, 1 + random.int(3));
}
