import type { Problem, ProseRule } from '../rule.ts';
import { excerpt, splitSentences, type Sentence } from '../sentences.ts';

/** `neither … nor` is one negation, and so is a list such as "no key, no network and no download". */
const NEGATION =
  /(?<!\bno\b[^,;.]{1,30}(?:,|\band|\bor|, and|, or) )\b(?:not|no|never|none|nothing|nobody|neither|nowhere|without|cannot)\b|n't\b/gi;
const MAX_IN_SENTENCE = 2;
/** Maximum number of words between two negations of the same verb or noun. */
const MAX_APART = 3;
/** Words and signs at which counting restarts. */
const BOUNDARY = /[,;:()]|\b(?:and|or|but|so|because|if|when|unless|that|which|who|it)\b/i;

/** Reports sentences with three negations, and pairs of negations that cancel out. */
export const negations: ProseRule = {
  id: 'negations',
  check: ({ text }) => splitSentences(text).flatMap(checkSentence),
};

function checkSentence({ text, start }: Sentence): Problem[] {
  const found = [...text.matchAll(NEGATION)].filter(
    (match) => !/^(?:no (?:longer|more|later)|not only)\b/i.test(text.slice(match.index)),
  );
  const [first] = found;
  const last = found.at(-1);
  if (first === undefined || last === undefined) return [];
  const report = (from: RegExpExecArray, to: RegExpExecArray, message: string): Problem[] => [
    { start: start + from.index, end: start + to.index + to[0].length, message },
  ];
  if (found.length > MAX_IN_SENTENCE) {
    return report(
      first,
      last,
      `${excerpt(text)} has ${found.length} negations; write what happens instead.`,
    );
  }
  const [, second] = found;
  if (second === undefined || isOrdinary(first[0], second[0])) return [];
  const between = text.slice(first.index + first[0].length, second.index);
  if (BOUNDARY.test(between) || between.trim().split(/\s+/).length > MAX_APART) return [];
  return report(
    first,
    second,
    `${excerpt(text)} has two negations that cancel out; write it positively.`,
  );
}

function isOrdinary(first: string, second: string): boolean {
  const pair = `${first} ${second}`.toLowerCase();
  return pair === 'no no' || /\bwithout\b/.test(pair);
}
