import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';
import type { ArgumentDefinition, CommandDefinition, FlagDefinition } from './definition.ts';

interface UsageDetails {
  command?: string;
  argument?: string;
  did_you_mean?: string;
}

export function usageError(
  message: string,
  next: string,
  details: UsageDetails = {},
): CatalogError {
  return new CatalogError('config.usage', message, {
    suggested_action: next,
    details: { ...details },
  });
}

/** Returns the next step for a possible typo; `otherwise` if no name is similar. */
function suggestFix(
  meant: string | undefined,
  fallback: string,
  details: UsageDetails,
): [next: string, details: UsageDetails] {
  if (meant === undefined) return [fallback, details];
  return [`Did you mean \`${meant}\`?`, { ...details, did_you_mean: meant }];
}

export function unknownCommand(
  words: readonly string[],
  definitions: readonly CommandDefinition[],
): CatalogError {
  const typed = words.slice(0, 2).join(' ');
  const meant = findSimilarCommand(words, definitions);
  return usageError(
    `\`catalog ${typed}\` is not a command.`,
    ...suggestFix(
      meant === undefined ? undefined : `catalog ${meant}`,
      'To list all commands, run `catalog help --all`.',
      { command: typed },
    ),
  );
}

function findSimilarCommand(
  words: readonly string[],
  definitions: readonly CommandDefinition[],
): string | undefined {
  const [first = '', second] = words;
  for (const { known_as } of definitions) {
    if (known_as !== undefined && Object.hasOwn(known_as, first)) return known_as[first];
  }
  const names = definitions.map(({ name }) => name);
  const whole = second === undefined ? undefined : nearest(`${first} ${second}`, names);
  if (whole !== undefined) return whole;
  const word = nearest(first, new Set(names.map((name) => name.split(' ')[0] ?? name)));
  if (word === undefined) return names.find((name) => name.endsWith(` ${first}`));
  if (names.includes(word)) return word;
  const verbs = names.filter((name) => name.startsWith(`${word} `));
  return verbs.length === 1 ? verbs[0] : `help ${word}`;
}

export function unfinishedCommand(
  group: string,
  words: readonly string[],
  definitions: readonly CommandDefinition[],
): CatalogError {
  const names = definitions.map(({ name }) => name).filter((name) => name.startsWith(`${group} `));
  const verb = words[group.split(' ').length];
  if (verb === undefined) {
    const choices = names.map((name) => `\`catalog ${name}\``);
    const listed = names.length > 3 ? '' : `: ${choices.join(', ')}`;
    return usageError(
      `\`catalog ${group}\` needs a subcommand${listed}.`,
      `Run \`catalog ${group} --help\`.`,
      { command: group },
    );
  }
  const meant = nearest(`${group} ${verb}`, names) ?? (names.length === 1 ? names[0] : undefined);
  return usageError(
    `\`catalog ${group} ${verb}\` is not a command.`,
    ...suggestFix(
      meant === undefined ? undefined : `catalog ${meant}`,
      `Run \`catalog ${group} --help\`.`,
      { command: `${group} ${verb}` },
    ),
  );
}

export function unknownFlag(
  raw: string,
  known: Readonly<Record<string, FlagDefinition>>,
  definition: CommandDefinition | undefined,
): CatalogError {
  const spellings = Object.entries(known).flatMap(([name, { alias }]) =>
    alias === undefined ? [`--${name}`] : [`--${name}`, `--${alias}`],
  );
  const command = definition === undefined ? 'catalog' : `catalog ${definition.name}`;
  return usageError(
    `Unknown flag ${raw} for \`${command}\`.`,
    ...suggestFix(nearest(raw, spellings), `Run \`${command} --help\`.`, {
      ...commandOf(definition),
      argument: raw,
    }),
  );
}

export function missingValue(raw: string, flag: FlagDefinition): CatalogError {
  const shape = flag.values?.join('|') ?? flag.placeholder ?? 'value';
  return usageError(`${raw} needs a value.`, `Use \`${raw} <${shape}>\`.`, { argument: raw });
}

export function ambiguousValue(raw: string, value: string): CatalogError {
  return usageError(
    `${raw} needs a value, but ${value} looks like a flag.`,
    `If ${value} is the value, use \`${raw}=${value}\`.`,
    { argument: raw },
  );
}

export function unwantedValue(raw: string, value: string): CatalogError {
  return usageError(
    `${raw} does not take a value, but got ${value}.`,
    `Use \`${raw}\` without a value.`,
    {
      argument: raw,
    },
  );
}

interface Choices {
  allowed: readonly string[];
  value_slips: FlagDefinition['value_slips'] | undefined;
}

export function unknownValue(
  place: string,
  value: string,
  { allowed, value_slips = {} }: Choices,
  definition: CommandDefinition,
): CatalogError {
  const meant = Object.hasOwn(value_slips, value) ? value_slips[value] : nearest(value, allowed);
  return usageError(
    `Invalid value ${value} for ${place}. Accepted: ${allowed.join(', ')}.`,
    ...suggestFix(meant, `Run \`catalog ${definition.name} --help\`.`, {
      ...commandOf(definition),
      argument: place,
    }),
  );
}

export function exclusiveFlags(
  names: readonly string[],
  definition: CommandDefinition,
): CatalogError {
  const flags = names.map((name) => `--${name}`);
  return usageError(
    `${flags.join(' and ')} cannot be used together.`,
    `Use only one of them. For details, run \`catalog ${definition.name} --help\`.`,
    { ...commandOf(definition), argument: flags.join(' ') },
  );
}

export function missingArgument(
  argument: ArgumentDefinition,
  definition: CommandDefinition,
): CatalogError {
  const [example] = definition.examples;
  const choice = argument.values === undefined ? '' : ` One of ${argument.values.join(', ')}.`;
  return usageError(
    `\`catalog ${definition.name}\` needs <${argument.name}>. ${argument.summary}${choice}`,
    example === undefined
      ? `Run \`catalog ${definition.name} --help\`.`
      : `For example: ${example.command}`,
    { ...commandOf(definition), argument: argument.name },
  );
}

export function superfluousArgument(
  word: string,
  definition: CommandDefinition,
  definitions: readonly CommandDefinition[],
): CatalogError {
  const below = definitions
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${definition.name} `));
  const meant = nearest(`${definition.name} ${word}`, below);
  return usageError(
    `\`catalog ${definition.name}\` takes ${definition.arguments.length === 0 ? 'no arguments' : 'no more arguments'}, but got ${word}.`,
    ...suggestFix(
      meant === undefined ? undefined : `catalog ${meant}`,
      `Run \`catalog ${definition.name} --help\`.`,
      { ...commandOf(definition), argument: word },
    ),
  );
}

/** Creates the error for a word after an optional flag, which could also be an argument. */
export function detachedValue(
  word: string,
  flag: string,
  definition: CommandDefinition,
): CatalogError {
  return usageError(
    `\`catalog ${definition.name}\` takes no arguments, but got ${word}.`,
    `If ${word} is the value of ${flag}, use \`${flag}=${word}\`.`,
    { ...commandOf(definition), argument: word },
  );
}

export function missingWorkingFolder(): CatalogError {
  return usageError(
    'The current folder no longer exists.',
    'Change to another folder and run the command again.',
  );
}

function commandOf(definition: CommandDefinition | undefined): UsageDetails {
  return definition === undefined ? {} : { command: definition.name };
}
