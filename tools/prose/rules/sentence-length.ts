import { PLACEHOLDER } from '../block.ts';
import type { ProseRule } from '../rule.ts';
import { excerpt, splitSentences, wordsOf } from '../sentences.ts';

const MAX_WORDS = 40;

/** Each match counts as one word, for example a list of code names. */
const CODE_LIST = new RegExp(`${PLACEHOLDER}(?:,? (?:and |or )?${PLACEHOLDER})+`, 'g');
const SIGNATURE = /\([^()]*;[^()]*\)/g;

function countWords(sentence: string): number {
  const short = sentence.replaceAll(SIGNATURE, PLACEHOLDER).replaceAll(CODE_LIST, PLACEHOLDER);
  return wordsOf(short).length;
}

export const sentenceLength: ProseRule = {
  id: 'sentence-length',
  check: ({ text }) =>
    splitSentences(text).flatMap((sentence) => {
      const count = countWords(sentence.text);
      if (count <= MAX_WORDS) return [];
      const end = sentence.start + sentence.text.length;
      const message = `${excerpt(sentence.text)} has ${count} words; split it (maximum ${MAX_WORDS}).`;
      return [{ start: sentence.start, end, message }];
    }),
};
