import { parseArgs } from 'node:util';
import {
  GLOBAL_FLAGS,
  type CommandDefinition,
  type CommandInput,
  type FlagDefinition,
} from './definition.ts';
import {
  ambiguousValue,
  detachedValue,
  exclusiveFlags,
  missingArgument,
  missingValue,
  superfluousArgument,
  unknownCommand,
  unknownFlag,
  unknownValue,
  unwantedValue,
} from './usage-errors.ts';

type Values = Record<string, string | true | string[]>;

/** Parsed command line, before validation against a command definition. */
export interface CommandLine {
  kind: 'run' | 'help' | 'version';
  json: boolean;
  /** Command with the longest matching name; undefined without words. */
  definition: CommandDefinition | undefined;
  /** Prefix of several commands, such as `config`. It has help but cannot run. */
  group: string | undefined;
  words: readonly string[];
  values: Values;
}

const YAML_FILE = /\.ya?ml$/;

/**
 * Parses a command line. Flags may precede the command, so all definitions apply first and are checked afterwards. If
 * commands disagree on whether a flag has a value, the named command decides.
 */
export function parseCommandLine(
  argv: readonly string[],
  definitions: readonly CommandDefinition[],
): CommandLine {
  const decisive = findNamed(argv, definitions);
  const { words, given, named } = readTokens(argv, listSpellings(definitions, decisive));
  const definition = findCommand(words.slice(0, named), definitions);
  const group = definition === undefined ? findGroup(words, definitions) : undefined;
  if (words.length > 0 && definition === undefined && group === undefined) {
    throw unknownCommand(words, definitions);
  }
  const values: Values = Object.create(null);
  for (const flag of given) {
    if (group === undefined) refuseForeign(flag, definition);
    collect(values, flag);
  }
  return {
    kind: kindOf(values),
    json: values['json'] === true,
    definition,
    group,
    words: definition === undefined ? words : words.slice(definition.name.split(' ').length),
    values,
  };
}

function kindOf(values: Values): CommandLine['kind'] {
  if (values['version'] === true) return 'version';
  return values['help'] === true ? 'help' : 'run';
}

function refuseForeign({ name, raw }: GivenFlag, definition: CommandDefinition | undefined): void {
  const known = { ...GLOBAL_FLAGS, ...definition?.flags };
  if (!Object.hasOwn(known, name)) throw unknownFlag(raw, known, definition);
}

export function toInput<D extends CommandDefinition>(
  definition: D,
  { words, values }: CommandLine,
  definitions: readonly CommandDefinition[],
): CommandInput<D> {
  const input = {
    flags: Object.fromEntries(
      Object.entries<FlagDefinition>(definition.flags).map(([name, { type }]) => [
        name,
        type === 'switch' ? values[name] === true : values[name],
      ]),
    ),
    arguments: assignArguments(definition, words),
  };
  checkInput(definition, input, { words, values, definitions });
  return input;
}

interface LooseInput {
  flags: object;
  arguments: object;
}

function checkInput<D extends CommandDefinition>(
  definition: D,
  input: LooseInput,
  given: { words: readonly string[]; values: Values; definitions: readonly CommandDefinition[] },
): asserts input is CommandInput<D> {
  for (const [name, flag] of Object.entries<FlagDefinition>(definition.flags)) {
    checkValues(`--${name}`, given.values[name], flag, definition);
  }
  for (const set of definition.exclusive ?? []) {
    const both = set.filter((name) => given.values[name] !== undefined);
    if (both.length > 1) throw exclusiveFlags(both, definition);
  }
  const taken = Object.values<string | string[] | undefined>({ ...input.arguments });
  for (const [index, argument] of definition.arguments.entries()) {
    const words = [taken[index] ?? []].flat();
    if (argument.required && words.length === 0) throw missingArgument(argument, definition);
    checkValues(`<${argument.name}>`, words, argument, definition);
  }
  const extra = given.words[taken.flatMap((value) => value ?? []).length];
  if (extra === undefined) return;
  const withoutValue = Object.keys(definition.flags).find(
    (name) => given.values[name] === true && definition.flags[name]?.type === 'optional',
  );
  throw withoutValue === undefined
    ? superfluousArgument(extra, definition, given.definitions)
    : detachedValue(extra, `--${withoutValue}`, definition);
}

/** Assigns words to arguments by position. `checkInput` rejects extra words. */
function assignArguments(
  definition: CommandDefinition,
  words: readonly string[],
): Record<string, string | string[] | undefined> {
  return Object.fromEntries(
    definition.arguments.map(({ name, repeated }, index) => [
      name,
      repeated === true ? words.slice(index) : words[index],
    ]),
  );
}

interface GivenFlag {
  name: string;
  /** Spelling on the command line, such as `--agent` or `-h`. */
  raw: string;
  flag: FlagDefinition | undefined;
  value: string | undefined;
}

/** Flags by long spelling; `parseArgs` resolves short ones. */
type Spellings = ReadonlyMap<string, { name: string; flag: FlagDefinition }>;

/** Lists the spellings of all flags. If definitions disagree, the decisive command applies, otherwise the last one. */
function listSpellings(
  definitions: readonly CommandDefinition[],
  decisive?: CommandDefinition,
): Spellings {
  const spellings = new Map<string, { name: string; flag: FlagDefinition }>();
  const all = [...definitions, ...(decisive === undefined ? [] : [decisive])];
  for (const flags of [GLOBAL_FLAGS, ...all.map((definition) => definition.flags)]) {
    for (const [name, flag] of Object.entries<FlagDefinition>(flags)) {
      spellings.set(name, { name, flag });
      if (flag.alias !== undefined) spellings.set(flag.alias, { name, flag });
    }
  }
  return spellings;
}

/** Finds the command from the words. Flags whose definitions disagree are parsed both ways. */
function findNamed(
  argv: readonly string[],
  definitions: readonly CommandDefinition[],
): CommandDefinition | undefined {
  for (const order of [definitions, definitions.toReversed()]) {
    const tokens = tokenize(argv, listSpellings(order));
    const end = tokens.findIndex(({ kind }) => kind === 'option-terminator');
    const words = (end > 0 ? tokens.slice(0, end) : tokens).flatMap((token) =>
      token.kind === 'positional' ? [token.value] : [],
    );
    const found = findCommand(words, definitions);
    if (found !== undefined) return found;
  }
  return undefined;
}

function tokenize(argv: readonly string[], spellings: Spellings) {
  const options = toOptions(spellings);
  return parseArgs({ args: [...argv], options, strict: false, tokens: true }).tokens;
}

function readTokens(
  argv: readonly string[],
  spellings: Spellings,
): { words: string[]; given: GivenFlag[]; named: number | undefined } {
  const words: string[] = [];
  const given: GivenFlag[] = [];
  // Words after `--` are arguments, even if they form the name of a command: `catalog why -- search`.
  let named: number | undefined;
  for (const token of tokenize(argv, spellings)) {
    if (token.kind === 'positional') {
      const last = given.at(-1);
      // An optional flag accepts only such a value as a separate word: `--config sync.yaml`.
      if (
        last?.flag?.type === 'optional' &&
        isNext(argv, token, last) &&
        YAML_FILE.test(token.value)
      ) {
        last.value = token.value;
      } else {
        words.push(token.value);
      }
    } else if (token.kind === 'option') {
      const spelled = spellings.get(token.name);
      // Without a command, following words may be values of the unknown flag, so the flag is reported.
      if (spelled === undefined && words.length === 0) {
        throw unknownFlag(token.rawName, GLOBAL_FLAGS, undefined);
      }
      const { name, flag } = spelled ?? { name: token.rawName, flag: undefined };
      const value = flag === undefined ? undefined : readValue(token, flag);
      given.push({ name, flag, raw: token.rawName, value });
    } else if (words.length > 0) {
      named = words.length;
    }
  }
  return { words, given, named };
}

function isNext(argv: readonly string[], token: { index: number }, flag: GivenFlag): boolean {
  return flag.value === undefined && argv[token.index - 1] === flag.raw;
}

function toOptions(
  spellings: Spellings,
): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {};
  for (const [spelling, { flag }] of spellings) {
    const type = flag.type === 'text' || flag.type === 'list' ? 'string' : 'boolean';
    options[spelling] = {
      type,
      ...(flag.short === undefined || spelling === flag.alias ? {} : { short: flag.short }),
    };
  }
  return options;
}

function readValue(
  token: { rawName: string; value: string | undefined; inlineValue: boolean | undefined },
  flag: FlagDefinition,
): string | undefined {
  const { rawName, value, inlineValue } = token;
  if (flag.type === 'switch') {
    if (value !== undefined) throw unwantedValue(rawName, value);
    return undefined;
  }
  const needed = flag.type !== 'optional';
  if (value === '' || (needed && value === undefined)) throw missingValue(rawName, flag);
  if (inlineValue === false && value?.startsWith('-') === true && value !== '-') {
    throw ambiguousValue(rawName, value);
  }
  return value;
}

function collect(values: Values, { name, flag, value }: GivenFlag): void {
  switch (flag?.type) {
    case undefined:
      break;
    case 'switch':
      values[name] = true;
      break;
    case 'optional':
      values[name] = value ?? true;
      break;
    case 'text':
      values[name] = value ?? '';
      break;
    case 'list': {
      const list = values[name];
      values[name] = [...(Array.isArray(list) ? list : []), value ?? ''];
    }
  }
}

function findGroup(
  words: readonly string[],
  definitions: readonly CommandDefinition[],
): string | undefined {
  return listNamePrefixes(words).find((group) =>
    definitions.some(({ name }) => name.startsWith(`${group} `)),
  );
}

function findCommand(
  words: readonly string[],
  definitions: readonly CommandDefinition[],
): CommandDefinition | undefined {
  const [found] = listNamePrefixes(words).flatMap((beginning) =>
    definitions.filter(({ name }) => name === beginning),
  );
  return found;
}

const MAX_NAME_WORDS = 3;

function listNamePrefixes(words: readonly string[]): string[] {
  const first = words.slice(0, MAX_NAME_WORDS);
  return first.map((_, index) => first.slice(0, first.length - index).join(' '));
}

function checkValues(
  place: string,
  value: string | true | string[] | undefined,
  {
    values: allowed,
    hidden_values = [],
    value_slips,
  }: Pick<FlagDefinition, 'values' | 'hidden_values' | 'value_slips'>,
  definition: CommandDefinition,
): void {
  if (allowed === undefined || value === undefined || value === true) return;
  for (const one of typeof value === 'string' ? [value] : value) {
    if (!allowed.includes(one) && !hidden_values.includes(one))
      throw unknownValue(place, one, { allowed, value_slips }, definition);
  }
}
