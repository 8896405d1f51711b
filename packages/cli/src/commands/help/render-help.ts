import {
  GLOBAL_FLAGS,
  SECTIONS,
  type ArgumentDefinition,
  type CommandDefinition,
  type FlagDefinition,
} from '../../command/definition.ts';
import { alignColumns, styled, wrap, type Line } from '../../output/text.ts';

const WIDTH = 96;

/** What every exit code means; the codes themselves come from the error catalogue. */
export const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'done'],
  [1, 'failed, or found what it looked for (lint, --check, outdated)'],
  [2, 'the command line or the configuration is wrong'],
  [3, 'a passing failure: the same command may work later'],
  [4, 'authentication is needed or was refused'],
  [130, 'interrupted'],
];

/** Variables that no flag stands for. */
export const VARIABLES: readonly (readonly [string, string])[] = [
  ['NO_COLOR', 'no colour, whatever its value'],
  ['FORCE_COLOR', 'colour also where no terminal is'],
  ['CI', 'ask nothing'],
  ['CATALOG_CACHE_DIR', 'keep what servers sent there; default: ~/.catalog/cache'],
  ['CATALOG_CACHE_MODE', 'offline-first or offline-only: do without the registry'],
  ['CATALOG_TOKEN', 'a bearer token for the registry, sent as it is'],
  ['CATALOG_IDENTITY_PROVIDER', 'oauth-device-code, or injected-session-token in a runtime'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'the way to a server'],
  ['CATALOG_DEBUG=1', 'show where an error came from'],
];

/** `catalog --help`. */
export function renderRootHelp(definitions: readonly CommandDefinition[]): Line[] {
  const width = Math.max(...definitions.map((definition) => usageWords(definition).length));
  const rows = (section: string): string[][] =>
    definitions
      .filter((definition) => definition.section === section)
      .map((definition) => [usageWords(definition).padEnd(width), definition.summary]);
  return [
    [
      styled('bold', 'catalog'),
      ': write agent artifacts once, deliver them into every coding harness.',
    ],
    '',
    'An artifact is a skill, agent, rule, command, hook, context or MCP server. A registry is the',
    'folder they are written in, or a server that has read such folders; a harness is the coding',
    'agent they are delivered to.',
    '',
    'Usage: catalog <command> [arguments] [flags]',
    ...SECTIONS.flatMap((section): Line[] => [
      '',
      [styled('bold', section)],
      ...alignColumns(rows(section), '  '),
    ]),
    '',
    [styled('bold', 'Flags of every command')],
    ...flagLines(GLOBAL_FLAGS),
    '',
    [styled('bold', 'Variables')],
    ...alignColumns([...flagVariables(definitions), ...VARIABLES], '  '),
    '',
    [styled('bold', 'Exit codes')],
    ...alignColumns(
      EXIT_CODES.map(([code, meaning]) => [String(code), meaning]),
      '  ',
    ),
    '',
    [styled('bold', 'The first minute')],
    '  catalog init --registry ./registry --harness harness-a',
    '  catalog artifact new skill greetings/hello',
    '  catalog sync',
    '',
    '`catalog <command> --help` explains one command, with examples.',
  ];
}

/** `catalog <command> --help`. */
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

/** `catalog <group> --help`, where the word alone is no command. */
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
    `\`catalog ${group} <command> --help\` explains one command, with examples.`,
  ];
}

/** `sync enable <id>`. */
export function usageWords(definition: CommandDefinition): string {
  return [definition.name, ...definition.arguments.map(argumentWord)].join(' ');
}

/** `-n, --dry-run`, `--harness <name>`, `--config[=<file>]`. */
export function flagWord(name: string, flag: FlagDefinition): string {
  const word = `${flag.short === undefined ? '' : `-${flag.short}, `}--${name}`;
  if (flag.type === 'switch') return word;
  const value = `<${flag.values?.join('|') ?? flag.placeholder ?? 'value'}>`;
  if (flag.type === 'optional') return `${word}[=${value}]`;
  return `${word} ${isLong(flag.values) ? '<value>' : value}`;
}

/** The summary with what else there is to know: other spellings, the variable, the default. */
export function flagSummary(flag: FlagDefinition): string {
  return withNotes(flag.summary, [
    isLong(flag.values) ? oneOf(flag.values) : undefined,
    flag.alias === undefined ? undefined : `also --${flag.alias}`,
    flag.env === undefined ? undefined : `variable ${flag.env}`,
    flag.default === undefined ? undefined : `default: ${flag.default}`,
  ]);
}

/** Too long to stand in the first column; the summary names the values then. */
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
      if (env !== undefined) variables.set(env, `answers where --${name} is not given`);
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
