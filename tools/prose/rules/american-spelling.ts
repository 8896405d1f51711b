import type { ProseRule } from '../rule.ts';

/** British spellings; a trailing `*` matches any ending. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'catalogue*': 'catalog',
  'behaviour*': 'behavior',
  'colour*': 'color',
  'favour*': 'favor',
  'flavour*': 'flavor',
  'honour*': 'honor',
  'neighbour*': 'neighbor',
  cancelled: 'canceled',
  cancelling: 'canceling',
  labelled: 'labeled',
  labelling: 'labeling',
  modelled: 'modeled',
  modelling: 'modeling',
  signalled: 'signaled',
  signalling: 'signaling',
  travelled: 'traveled',
  'centre*': 'center',
  'licence*': 'license',
  'defence*': 'defense',
  'artefact*': 'artifact',
  judgement: 'judgment',
  acknowledgement: 'acknowledgment',
  whilst: 'while',
  amongst: 'among',
  learnt: 'learned',
  spelt: 'spelled',
  grey: 'gray',
  programme: 'program',
  fulfil: 'fulfill',
  enrol: 'enroll',
  analyse: 'analyze',
  analysed: 'analyzed',
  ...Object.fromEntries(
    [
      'author',
      'canonical',
      'custom',
      'final',
      'general',
      'initial',
      'local',
      'material',
      'maxim',
      'minim',
      'normal',
      'optim',
      'organ',
      'prior',
      'random',
      'recogn',
      'serial',
      'special',
      'standard',
      'summar',
      'synchron',
      'token',
      'util',
      'visual',
    ].map((stem) => [`${stem}is*`, `${stem}iz…`]),
  ),
};

const EXCEPTIONS: ReadonlySet<string> = new Set(['organism', 'optimism', 'optimistic', 'minimis']);

const WORD = /\p{L}+/gu;

export const americanSpelling: ProseRule = {
  id: 'american-spelling',
  check: ({ text }) =>
    [...text.matchAll(WORD)].flatMap((match) => {
      const spelling = spellingOf(match[0].toLowerCase());
      if (spelling === undefined) return [];
      const start = match.index;
      const message = `"${match[0]}": spell it the American way, "${spelling}".`;
      return [{ start, end: start + match[0].length, message }];
    }),
};

function spellingOf(word: string): string | undefined {
  if (EXCEPTIONS.has(word)) return undefined;
  const exact = SPELLINGS[word];
  if (exact !== undefined) return exact;
  return Object.entries(SPELLINGS).find(
    ([british]) => british.endsWith('*') && matchesStem(word, british.slice(0, -1)),
  )?.[1];
}

/** A stem in `-is` matches only with the ending of a verb or its noun: `specialise`, but not `specialist`. */
function matchesStem(word: string, stem: string): boolean {
  if (!word.startsWith(stem)) return false;
  return !stem.endsWith('is') || /^(?:e|ed|es|er|ers|ing|ations?)$/.test(word.slice(stem.length));
}
