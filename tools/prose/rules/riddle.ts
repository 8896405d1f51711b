import type { ProseRule } from '../rule.ts';
import { excerpt, splitSentences } from '../sentences.ts';

/** Matches a clause in place of a noun: "What cannot be understood stops the start". */
const CLAUSE = /^["'(]*(?:What|Who|Whom|Whatever|Whichever)\b(?!'s\b)/;
/** Matches a definition of this form: "Where a user's versions go". */
const DEFINITION = /^["'(]*(?:What|Who|Whom|Whatever|Whichever|Where|How)\b(?!'s\b)/;

/** Allows such clauses in questions, headings, and labels of links, tables and programs. */
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
