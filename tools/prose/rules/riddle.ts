import type { ProseRule } from '../rule.ts';
import { excerpt, splitSentences } from '../sentences.ts';

/** "What cannot be understood stops the start": a clause in place of the noun it describes. */
const CLAUSE = /^["'(]*(?:What|Who|Whom|Whatever|Whichever)\b(?!'s\b)/;
/** A definition of this form: "Where a user's versions go". */
const DEFINITION = /^["'(]*(?:What|Who|Whom|Whatever|Whichever|Where|How)\b(?!'s\b)/;

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
        const clause = kind === 'comment' ? DEFINITION : CLAUSE;
        if (!clause.test(text) || /[?]["')]*$/.test(text) || linked[start] === true) return false;
        return kind === 'paragraph' || kind === 'comment' || text.endsWith('.');
      })
      .map(({ text, start }) => ({
        start,
        end: start + text.length,
        message: `${excerpt(text)}: name the subject instead of describing it with a clause.`,
      }));
  },
};
