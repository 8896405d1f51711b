import type { ListedName, ListingBudget, ListingLimit } from './listing-budget.ts';

/** One entry of a product's list of skills. */
export interface ListedEntry extends ListedName {
  artifact_id: string;
  description: string;
}

/** A description that wants to be shorter. */
export interface LongDescription {
  artifact_id: string;
  /** As it is. */
  characters: number;
  /** How many of them are too many. */
  over: number;
}

/** What a list of skills takes of what its product gives. */
export interface ListingUse {
  entries: number;
  /** Absent where the product publishes no limit for the whole list. */
  listing?: {
    unit: ListingLimit['unit'];
    /** Without what the product's own entries take. */
    limit: number;
    used: number;
    /** Entries whose description nobody would see, or would see the beginning of. */
    lost: number;
    beyond: ListingLimit['beyond'];
    /** The length at which all descriptions would fit: characters, or bytes where tokens count. */
    fitting: number;
  };
  /** Descriptions to shorten so that all fit, longest first; at most `LISTED_DESCRIPTIONS`. */
  shorten: LongDescription[];
  /** How many there are. */
  to_shorten: number;
}

/** Descriptions that are named; the rest is counted. */
export const LISTED_DESCRIPTIONS = 50;

const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a string, as the products that count in tokens do. */
export function estimateTokens(text: string): number {
  return bytesOf(text) / BYTES_PER_TOKEN;
}

/**
 * Holds a list of skills against a budget. What else a person has installed counts against the same
 * budget and is not known here: this is what these entries take by themselves.
 */
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

/** An entry as the limit counts it. */
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
    // A number beyond all others means that there is no need; a document has no such number.
    fitting: Number.isFinite(fitting) ? fitting : Math.max(0, ...lengths),
  };
}

function sizeOf({ around, description }: Sized): number {
  return around + description;
}

/** How many entries lose something in a list that does not fit. */
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

/** Entries get their description in order as long as there is room; one too long is passed over. */
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

/** The list ends before the first entry that does not fit. */
function omittedOf(entries: readonly Sized[], room: number): number {
  let left = room;
  const first = entries.findIndex((entry) => (left -= sizeOf(entry)) < 0);
  return first === -1 ? 0 : entries.length - first;
}

/** The greatest length to which all could be cut so that together they fit. */
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

/** How long a text is, as a limit counts it. */
type Size = (text: string) => number;

/** The beginning of a text that is within a number of characters and within a size. */
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

/** Characters, as people count them. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
