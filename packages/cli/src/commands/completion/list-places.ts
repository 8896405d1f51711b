import {
  GLOBAL_FLAGS,
  type CommandDefinition,
  type Completion,
  type FlagDefinition,
} from '../../command/definition.ts';

interface OfferedWord {
  word: string;
  summary: string;
}

export interface Offer {
  kind: 'words' | 'files' | 'folders';
  words: readonly OfferedWord[];
}

export interface OfferedFlag {
  spellings: readonly string[];
  summary: string;
  /** Form of the value. `required`: the next word. `joined`: only after `=`. */
  value: 'none' | 'required' | 'joined';
  offer: Offer | undefined;
}

export interface Place {
  /** Path of words: `''`, then `artifact`, then `artifact new`. */
  path: string;
  flags: readonly OfferedFlag[];
  offers: readonly Offer[];
}

/** Completion values that the table of commands does not contain. */
export type KnownSets = Readonly<Record<Exclude<Completion, 'file' | 'folder'>, readonly string[]>>;

export function listPlaces(definitions: readonly CommandDefinition[], known: KnownSets): Place[] {
  const paths = new Set(['']);
  for (const { name } of definitions) {
    const words = name.split(' ');
    words.forEach((_, index) => paths.add(words.slice(0, index + 1).join(' ')));
  }
  return [...paths].map((path) => {
    const definition = definitions.find(({ name }) => name === path);
    const next = listNextWords(path, definitions);
    const [first, ...others] = (definition?.arguments ?? []).map(
      (argument) => toOffer(argument, known) ?? NOTHING,
    );
    return {
      path,
      flags: Object.entries({ ...definition?.flags, ...GLOBAL_FLAGS }).map(([name, flag]) =>
        toOfferedFlag(name, flag, known),
      ),
      offers: [...mergeNextWords(first, next), ...others],
    };
  });
}

const NOTHING: Offer = { kind: 'words', words: [] };

/** Adds the next words of longer commands to the completions of the first argument. */
function mergeNextWords(first: Offer | undefined, next: readonly OfferedWord[]): Offer[] {
  if (first === undefined && next.length === 0) return [];
  const { kind, words } = first ?? NOTHING;
  return [{ kind, words: [...next, ...words] }];
}

function listNextWords(path: string, definitions: readonly CommandDefinition[]): OfferedWord[] {
  const prefix = path === '' ? [] : path.split(' ');
  const found = new Map<string, string>();
  for (const { name, summary } of definitions) {
    const words = name.split(' ');
    const word = words[prefix.length];
    if (word === undefined || !prefix.every((part, index) => part === words[index])) continue;
    const complete = words.length === prefix.length + 1;
    if (complete || !found.has(word)) found.set(word, complete ? summary : '');
  }
  return [...found].map(([word, summary]) => ({
    word,
    summary: summary === '' ? `Commands: ${verbsOf(prefix, word, definitions)}.` : summary,
  }));
}

function verbsOf(
  prefix: readonly string[],
  word: string,
  definitions: readonly CommandDefinition[],
): string {
  const start = `${[...prefix, word].join(' ')} `;
  return definitions
    .filter(({ name }) => name.startsWith(start))
    .map(({ name }) => name.slice(start.length))
    .join(', ');
}

function toOfferedFlag(name: string, flag: FlagDefinition, known: KnownSets): OfferedFlag {
  const spellings = [`--${name}`];
  if (flag.alias !== undefined) spellings.push(`--${flag.alias}`);
  if (flag.short !== undefined) spellings.push(`-${flag.short}`);
  return {
    spellings,
    summary: flag.summary,
    value: flag.type === 'switch' ? 'none' : flag.type === 'optional' ? 'joined' : 'required',
    offer: toOffer(flag, known),
  };
}

function toOffer(
  from: { values?: readonly string[]; completion?: Completion },
  known: KnownSets,
): Offer | undefined {
  if (from.completion === 'file') return { kind: 'files', words: [] };
  if (from.completion === 'folder') return { kind: 'folders', words: [] };
  const values = from.completion === undefined ? from.values : known[from.completion];
  if (values === undefined) return undefined;
  return { kind: 'words', words: values.map((word) => ({ word, summary: '' })) };
}

/** Lists each flag once, because it is the same at every position. */
export function listValueFlags(places: readonly Place[]): OfferedFlag[] {
  const flags = new Map<string, OfferedFlag>();
  for (const flag of places.flatMap((place) => place.flags)) {
    if (flag.value !== 'none') flags.set(flag.spellings[0] ?? '', flag);
  }
  return [...flags.values()];
}

/** Lists the steps between commands: `['artifact', 'new']` leads from `artifact` to `artifact new`. */
export function listSteps(places: readonly Place[]): { from: string; word: string }[] {
  return places
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const words = path.split(' ');
      return { from: words.slice(0, -1).join(' '), word: words.at(-1) ?? '' };
    });
}
