import type { ProseRule } from '../rule.ts';
import { excerpt, splitSentences } from '../sentences.ts';

/** "What cannot be understood stops the start": a clause in place of the noun it describes. */
const CLAUSE = /^["'(]*(?:What|Who|Whom|Whatever|Whichever)\b(?!'s\b)/;

/**
 * Reports a statement that starts with a clause instead of naming its subject. Questions, headings and
 * the labels of links, tables and programs may start that way.
 */
export const riddle: ProseRule = {
  id: 'riddle',
  check: ({ kind, text, linked }) => {
    if (kind === 'heading') return [];
    return splitSentences(text)
      .filter(({ text, start }) => {
        if (!CLAUSE.test(text) || /[?]["')]*$/.test(text) || linked[start] === true) return false;
        return kind === 'paragraph' || text.endsWith('.');
      })
      .map(({ text, start }) => ({
        start,
        end: start + text.length,
        message: `${excerpt(text)}: name the subject instead of describing it with a clause.`,
      }));
  },
};
