// Words to which the Porter2 stemmer applies: lowercase ASCII. A consonant `y` becomes `Y` while it runs.

const ENGLISH = /^[a-z]{3,}$/;
const AFTER_FIRST_SYLLABLE = /[aeiouy][^aeiouy]/;
/** Beginnings after which suffixes may be removed, regardless of syllables. */
const WHOLE_BEGINNING = /^(?:gener|commun|arsen|univers|later|emerg|organ|inter)/;
const SHORT_SYLLABLE_END = /(?:^|[^aeiouy])[aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$/;
/** Doubled consonant at the end, after more than one vowel. */
const DOUBLED_END = /(?<!^[aeo])(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

/** Words that the rules would confuse with unrelated ones. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
  }),
);
const UNCHANGED = new Set(
  `sky news howe atlas cosmos bias andes inning outing canning herring earring evening proceed
  exceed succeed`.split(/\s+/),
);

type Replacements = readonly (readonly [ending: string, by: string])[];

const STEP_2: Replacements = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['ogist', 'og'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
];
const STEP_3: Replacements = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const STEP_4 =
  /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|(?<=[st])ion)$/;
const AFTER_LETTER = /(?<=[cdeghkmnrt])li$|(?<=log)i$/;

export function stem(word: string): string {
  if (!ENGLISH.test(word) || UNCHANGED.has(word)) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  const marked = word.includes('y') ? word.replace(/(^|[aeiouy])y/g, '$1Y') : word;
  const first = firstRegion(marked);
  const second = regionAfter(marked, first);
  let stemmed = dropPlural(marked);
  if (UNCHANGED.has(stemmed)) return stemmed;
  stemmed = dropTense(stemmed, first);
  stemmed = stemmed.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  stemmed = replaceEnding(stemmed, STEP_2, first, AFTER_LETTER, first);
  stemmed = replaceEnding(stemmed, STEP_3, first, /ative$/, second);
  return dropFinal(dropEnding(stemmed, STEP_4, second), first, second).toLowerCase();
}

function firstRegion(word: string): number {
  const beginning = WHOLE_BEGINNING.exec(word);
  return beginning === null ? regionAfter(word, 0) : beginning[0].length;
}

function regionAfter(word: string, start: number): number {
  const found = word.slice(start).search(AFTER_FIRST_SYLLABLE);
  return found === -1 ? word.length : start + found + 2;
}

function dropPlural(word: string): string {
  if (!word.endsWith('s')) return word.endsWith('ied') ? shortenIe(word) : word;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return shortenIe(word);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

/** Shortens `ie` at the end: `ties` keeps it, `cries` does not. */
function shortenIe(word: string): string {
  return word.slice(0, word.length > 4 ? -2 : -1);
}

function dropTense(word: string, first: number): string {
  const present = /eed(?:ly)?$/.exec(word);
  if (present !== null) return present.index >= first ? `${word.slice(0, present.index)}ee` : word;
  const past = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (past === null || !/[aeiouy]/.test(word.slice(0, past.index))) return word;
  const rest = word.slice(0, past.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (DOUBLED_END.test(rest)) return rest.slice(0, -1);
  return rest.length <= first && SHORT_SYLLABLE_END.test(rest) ? `${rest}e` : rest;
}

/** Replaces the longest matching suffix. If it starts too early, no shorter one is tried. */
function replaceEnding(
  word: string,
  endings: Replacements,
  first: number,
  dropped: RegExp,
  from: number,
): string {
  for (const [ending, by] of endings) {
    if (!word.endsWith(ending)) continue;
    const start = word.length - ending.length;
    return start >= first ? word.slice(0, start) + by : word;
  }
  return dropEnding(word, dropped, from);
}

function dropEnding(word: string, ending: RegExp, from: number): string {
  const start = word.search(ending);
  return start >= from ? word.slice(0, start) : word;
}

function dropFinal(word: string, first: number, second: number): string {
  const last = word.length - 1;
  if (word.endsWith('e')) {
    const drops = last >= second || (last >= first && !SHORT_SYLLABLE_END.test(word.slice(0, -1)));
    return drops ? word.slice(0, -1) : word;
  }
  return word.endsWith('ll') && last >= second ? word.slice(0, -1) : word;
}
