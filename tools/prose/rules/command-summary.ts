import type { Problem, ProseRule } from '../rule.ts';
import { wordsOf } from '../sentences.ts';

const MAX_WORDS = 10;
/** First words that cannot be an imperative, and imperatives that name no technical action. */
const NOT_IMPERATIVE =
  /^(?:the|a|an|what|who|where|how|which|whether|this|these|all|every|each|say|tell|look|take|bring)$/i;
/** Third person ("Lists"), past tense ("Listed") or a participle ("Listing"). */
const INFLECTED = /(?:[^s]s|ed|ing)$/i;
/** Imperatives that end like one. */
const EXCEPTIONS: ReadonlySet<string> = new Set(['focus', 'embed', 'feed', 'need', 'ping']);

/** Checks the one-line summary of a command: imperative, short, with a period. */
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
    if (
      NOT_IMPERATIVE.test(first) ||
      (INFLECTED.test(first) && !EXCEPTIONS.has(first.toLowerCase()))
    ) {
      report(first.length, `Start with an imperative verb, not "${first}".`);
    }
    if (words.length > MAX_WORDS) {
      report(text.length, `The summary has ${words.length} words (maximum ${MAX_WORDS}).`);
    }
    if (!text.endsWith('.')) report(text.length, 'End the summary with a period.');
    return problems;
  },
};
