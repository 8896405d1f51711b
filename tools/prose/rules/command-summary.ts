import { canBeImperative } from '../imperative.ts';
import type { Problem, ProseRule } from '../rule.ts';
import { wordsOf } from '../sentences.ts';

const MAX_WORDS = 10;
/** Imperatives without a technical meaning. */
const VAGUE = /^(?:say|tell|look|take|bring)$/i;

/** Requires an imperative, short summary with a period. */
export const commandSummary: ProseRule = {
  id: 'command-summary',
  check: ({ kind, text }) => {
    if (kind !== 'command-summary') return [];
    const words = wordsOf(text);
    const [first = ''] = words;
    const problems: Problem[] = [];
    const report = (end: number, message: string): void => {
      problems.push({ start: 0, end, message });
    };
    if (!canBeImperative(first) || VAGUE.test(first)) {
      report(first.length, `Start with an imperative verb, not "${first}".`);
    }
    if (words.length > MAX_WORDS) {
      report(text.length, `The summary has ${words.length} words (maximum ${MAX_WORDS}).`);
    }
    if (!text.endsWith('.')) report(text.length, 'End the summary with a period.');
    return problems;
  },
};
