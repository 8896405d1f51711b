import {
  GLOBAL_FLAGS,
  SECTIONS,
  type ArgumentDefinition,
  type CommandDefinition,
  type FlagDefinition,
} from '../../command/definition.ts';
import { alignColumns, styled, wrap, type Line } from '../../output/text.ts';

const WIDTH = 96;

export const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'success'],
  [1, 'failure, or a check found something (lint, --check, outdated)'],
  [2, 'invalid command line or configuration'],
  [3, 'temporary failure; retrying may help'],
  [4, 'authentication required or rejected'],
  [130, 'interrupted'],
];

export const VARIABLES: readonly (readonly [string, string])[] = [
  ['NO_COLOR', 'Disable color'],
  ['FORCE_COLOR', 'Print color even if the output is not a terminal'],
  ['CI', 'Disable prompts'],
  ['CATALOG_CACHE_DIR', 'Cache folder; default: ~/.catalog/cache'],
  ['CATALOG_CACHE_MODE', 'offline-first or offline-only: use the cache instead of the registry'],
  ['CATALOG_TOKEN', 'Bearer token for the registry'],
  ['CATALOG_IDENTITY_PROVIDER', 'oauth-device-code, or injected-session-token in a runtime'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'Proxy settings'],
  ['CATALOG_DEBUG=1', 'Print stack traces'],
];

const COMMON_COMMANDS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Get started', ['init', 'adopt', 'artifact new']],
  [
    'Everyday commands',
    ['sync', 'status', 'outdated', 'update', 'undo', 'search', 'show', 'lint', 'warnings'],
  ],
  ['Share with a team', ['serve', 'login', 'mcp config']],
];

const TAGLINE: Line = [
  styled('bold', 'catalog'),
  ': write skills, rules and other agent artifacts once, use them in every harness.',
];

/** Renders the common commands, in at most 30 lines. */
export function renderShortHelp(definitions: readonly CommandDefinition[]): Line[] {
  const groups = COMMON_COMMANDS.map(([title, names]) => ({
    title,
    members: names.flatMap((name) => definitions.filter((one) => one.name === name)),
  }));
  const width = columnWidth(groups.flatMap(({ members }) => members));
  return [
    TAGLINE,
    '',
    'Usage: catalog <command> [arguments] [flags]',
    ...groups.flatMap(({ title, members }) => section(title, commandLines(members, width))),
    '',
    [styled('bold', 'Example')],
    '  catalog init --registry ./registry --harness claude-code',
    '  catalog sync',
    '',
    '`catalog help <command>` explains a command; `catalog help --all` lists all commands.',
  ];
}

export function renderRootHelp(definitions: readonly CommandDefinition[]): Line[] {
  const width = columnWidth(definitions);
  return [
    TAGLINE,
    '',
    ...wrap(
      'An artifact is a skill, agent, rule, command, hook, context or MCP server. A registry is a folder of artifacts, or a server. A harness is a coding agent, such as Claude Code, that loads artifacts.',
      WIDTH,
    ),
    '',
    'Usage: catalog <command> [arguments] [flags]',
    ...SECTIONS.flatMap((title) =>
      section(
        title,
        commandLines(
          definitions.filter((definition) => definition.section === title),
          width,
        ),
      ),
    ),
    ...section('Global flags', flagLines(GLOBAL_FLAGS)),
    ...section(
      'Environment variables',
      alignColumns([...flagVariables(definitions), ...VARIABLES], '  '),
    ),
    ...section(
      'Exit codes',
      alignColumns(
        EXIT_CODES.map(([code, meaning]) => [String(code), meaning]),
        '  ',
      ),
    ),
    '',
    '`catalog help <command>` explains a command, with examples.',
  ];
}

function columnWidth(definitions: readonly CommandDefinition[]): number {
  return Math.max(...definitions.map((definition) => usageWords(definition).length));
}

function commandLines(definitions: readonly CommandDefinition[], width: number): Line[] {
  return alignColumns(
    definitions.map((definition) => [usageWords(definition).padEnd(width), definition.summary]),
    '  ',
  );
}

export function renderCommandHelp(
  definition: CommandDefinition,
  definitions: readonly CommandDefinition[],
): Line[] {
  const below = definitions.filter(({ name }) => name.startsWith(`${definition.name} `));
  return [
    definition.summary,
    '',
    `Usage: catalog ${usageWords(definition)} [flags]`,
    ...below.map((command): Line => `       catalog ${usageWords(command)} [flags]`),
    ...definition.description.flatMap((paragraph): Line[] => ['', ...wrap(paragraph, WIDTH)]),
    ...section(
      'Arguments',
      alignColumns(
        definition.arguments.map((argument) => [
          argumentWord(argument),
          withNotes(argument.summary, [oneOf(argument.values)]),
        ]),
        '  ',
      ),
    ),
    ...section('Flags', flagLines({ ...definition.flags, ...GLOBAL_FLAGS })),
    ...section(
      'Examples',
      definition.examples.flatMap(({ command, summary }): Line[] => [
        [styled('dim', `  # ${summary}`)],
        `  ${command}`,
      ]),
    ),
    ...(definition.exit_one === undefined ? [] : ['', `Exit 1: ${definition.exit_one}.`]),
  ];
}

export function renderGroupHelp(group: string, definitions: readonly CommandDefinition[]): Line[] {
  const members = definitions.filter(({ name }) => name.startsWith(`${group} `));
  return [
    `Usage: catalog ${group} <command> [flags]`,
    '',
    ...alignColumns(
      members.map((definition) => [usageWords(definition), definition.summary]),
      '  ',
    ),
    '',
    `\`catalog ${group} <command> --help\` explains a command, with examples.`,
  ];
}

export function usageWords(definition: CommandDefinition): string {
  return [definition.name, ...definition.arguments.map(argumentWord)].join(' ');
}

export function flagWord(name: string, flag: FlagDefinition): string {
  const word = `${flag.short === undefined ? '' : `-${flag.short}, `}--${name}`;
  if (flag.type === 'switch') return word;
  const value = `<${flag.values?.join('|') ?? flag.placeholder ?? 'value'}>`;
  if (flag.type === 'optional') return `${word}[=${value}]`;
  return `${word} ${isLong(flag.values) ? '<value>' : value}`;
}

export function flagSummary(flag: FlagDefinition): string {
  return withNotes(flag.summary, [
    isLong(flag.values) ? oneOf(flag.values) : undefined,
    flag.alias === undefined ? undefined : `also --${flag.alias}`,
    defaultNote(flag),
  ]);
}

function defaultNote({ env, default: value }: FlagDefinition): string | undefined {
  const sources = [
    ...(env === undefined ? [] : [`$${env}`]),
    ...(value === undefined ? [] : [value]),
  ];
  return sources.length === 0 ? undefined : `default: ${sources.join(' or ')}`;
}

function isLong(values: readonly string[] | undefined): boolean {
  return values !== undefined && values.join('|').length > 24;
}

function flagLines(flags: Readonly<Record<string, FlagDefinition>>): Line[] {
  const words = Object.entries(flags).map(([name, flag]) => flagWord(name, flag));
  const column = Math.max(...words.map((word) => word.length)) + 4;
  return Object.values(flags).flatMap((flag, index): Line[] => {
    const [first = '', ...rest] = wrap(flagSummary(flag), WIDTH, ' '.repeat(column));
    return [`  ${(words[index] ?? '').padEnd(column - 2)}${first.slice(column)}`, ...rest];
  });
}

function flagVariables(definitions: readonly CommandDefinition[]): [string, string][] {
  const variables = new Map<string, string>();
  for (const { flags } of definitions) {
    for (const [name, { env }] of Object.entries<FlagDefinition>(flags)) {
      if (env !== undefined) variables.set(env, `Default for --${name}`);
    }
  }
  return [...variables];
}

function section(title: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : ['', [styled('bold', title)], ...lines];
}

function argumentWord({ name, required, repeated }: ArgumentDefinition): string {
  const word = repeated === true ? `<${name}>...` : `<${name}>`;
  return required ? word : `[${word}]`;
}

function withNotes(summary: string, notes: readonly (string | undefined)[]): string {
  const present = notes.filter((note) => note !== undefined);
  return present.length === 0 ? summary : `${summary} (${present.join('; ')})`;
}

function oneOf(values: readonly string[] | undefined): string | undefined {
  return values === undefined ? undefined : `one of ${values.join(', ')}`;
}
