import type { ProseRule } from '../rule.ts';
import { excerpt } from '../sentences.ts';

/** A noun phrase of more than 5 words contains its own clauses. */
const EXPLETIVE =
  /\bthere (?:is|are|was|were) (?!no\b|not\b|none\b|and\b|or\b)(?:[\w-]+\s+){1,5}?(?<!\b(?:of|in|for|with|by|at|on|to)\s+)(?:that|which|who)\b/gi;

/** Reports "There are settings that control X" in place of "Settings control X". */
export const thereIs: ProseRule = {
  id: 'there-is',
  check: ({ text }) =>
    [...text.matchAll(EXPLETIVE)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      message: `${excerpt(match[0])}: start with the noun and its verb.`,
    })),
};
