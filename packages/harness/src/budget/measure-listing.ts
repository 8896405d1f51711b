import type { ListedName, ListingBudget, ListingLimit } from './listing-budget.ts';

export interface ListedEntry extends ListedName {
  artifact_id: string;
  description: string;
}

export interface LongDescription {
  artifact_id: string;
  characters: number;
  over: number;
}

export interface ListingUse {
  entries: number;
  /** Size of the listing; absent if the product publishes no limit. */
  listing?: {
    unit: ListingLimit['unit'];
    /** Limit without the part for built-in entries. */
    limit: number;
    used: number;
    /** Number of entries whose descriptions are dropped or cut. */
    lost: number;
    beyond: ListingLimit['beyond'];
    /** Length at which all descriptions fit, in characters, or in bytes for a limit of tokens. */
    fitting: number;
  };
  /** Longest descriptions, at most `LISTED_DESCRIPTIONS`. */
  shorten: LongDescription[];
  to_shorten: number;
}

export const LISTED_DESCRIPTIONS = 50;

const BYTES_PER_TOKEN = 4;

export function estimateTokens(text: string): number {
  return bytesOf(text) / BYTES_PER_TOKEN;
}

/** Measures the skill listing. Other skills of the user share the limit but are unknown here. */
export function measureListing(
  { listing, description }: ListingBudget,
  entries: readonly ListedEntry[],
): ListingUse {
  const cap = description?.limit ?? Number.POSITIVE_INFINITY;
  const size = listing?.unit === 'tokens' ? bytesOf : lengthOf;
  const measured = listing === undefined ? undefined : measure(listing, entries, cap, size);
  const room = measured === undefined || measured.lost === 0 ? Infinity : measured.fitting;
  const long = entries
    .map(({ artifact_id, description: text }) => {
      const characters = lengthOf(text);
      return { artifact_id, characters, over: characters - lengthOf(cutTo(text, cap, room, size)) };
    })
    .filter(({ over }) => over > 0)
    .toSorted((one, other) => other.characters - one.characters);
  return {
    entries: entries.length,
    ...(measured === undefined ? {} : { listing: measured }),
    shorten: long.slice(0, LISTED_DESCRIPTIONS),
    to_shorten: long.length,
  };
}

interface Sized {
  around: number;
  name_only: number;
  description: number;
}

function measure(
  limit: ListingLimit,
  entries: readonly ListedEntry[],
  cap: number,
  size: Size,
): NonNullable<ListingUse['listing']> {
  const { unit, beyond, around, name_only = around, built_in = 0 } = limit;
  const scale = unit === 'tokens' ? BYTES_PER_TOKEN : 1;
  const given = Math.max(0, limit.limit - built_in);
  const room = given * scale;
  const sized = entries.map((entry): Sized => ({
    around: size(around(entry)),
    name_only: size(name_only(entry)),
    description: size(cutTo(entry.description, cap, Infinity, size)),
  }));
  const used = sum(sized.map(sizeOf));
  const fits = used <= room;
  const left = room - sum(sized.map((one) => one.around));
  const lengths = sized.map(({ description }) => description);
  const fitting = fits ? cap : fittingLength(lengths, left);
  return {
    unit,
    limit: given,
    used: Math.ceil(used / scale),
    lost: fits ? 0 : LOST[beyond](sized, room, fitting),
    beyond,
    // Infinity means that all descriptions fit; JSON has no such number.
    fitting: Number.isFinite(fitting) ? fitting : Math.max(0, ...lengths),
  };
}

function sizeOf({ around, description }: Sized): number {
  return around + description;
}

const LOST: Readonly<
  Record<
    ListingLimit['beyond'],
    (entries: readonly Sized[], room: number, fitting: number) => number
  >
> = {
  dropped: droppedOf,
  omitted: omittedOf,
  shortened: (entries, _room, fitting) =>
    entries.filter(({ description }) => description > fitting).length,
};

function droppedOf(entries: readonly Sized[], room: number): number {
  let left = room - sum(entries.map(({ name_only }) => name_only));
  let dropped = 0;
  for (const entry of entries) {
    const more = sizeOf(entry) - entry.name_only;
    if (more <= left) left -= more;
    else dropped += 1;
  }
  return dropped;
}

function omittedOf(entries: readonly Sized[], room: number): number {
  let left = room;
  const first = entries.findIndex((entry) => (left -= sizeOf(entry)) < 0);
  return first === -1 ? 0 : entries.length - first;
}

function fittingLength(lengths: readonly number[], room: number): number {
  let left = Math.max(0, room);
  const ascending = lengths.toSorted((one, other) => one - other);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return ascending.at(-1) ?? 0;
}

type Size = (text: string) => number;

function cutTo(text: string, characters: number, room: number, size: Size): string {
  if (text.length <= characters && size(text) <= room) return text;
  let kept = '';
  let left = room;
  for (const character of Array.from(text).slice(0, characters)) {
    left -= size(character);
    if (left < 0) break;
    kept += character;
  }
  return kept;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
