import { estimateTokens } from '@catalog/harness/budget/measure-listing';
import { contentFixture } from './content-fixture.ts';

/** Counted in the first request of a session, before the model calls a tool. */
export interface PromptTokens {
  /** Counts each authored string once. */
  authored: number;
  /** Includes repetitions and authored strings that do not belong in the request. */
  reached: number;
  marks: number;
}

/** Maximum of `reached` and `marks` together, as a multiple of `authored`. */
export const MAX_TOKEN_RATIO = 1.15;

const { agents, commands, context, hidden_command, rules, skills } = contentFixture;
const OUT_OF_SCOPE = new Set(['rules/for-docs']);

const EXPECTED: readonly string[] = [
  ...[...skills, ...agents, ...commands, context].map(({ description }) => description),
  ...rules.filter(({ id }) => !OUT_OF_SCOPE.has(id)).map(({ body }) => body),
  context.body,
  'HOOK-BRIEFING. The release branch is frozen.',
];

const UNEXPECTED: readonly string[] = [
  hidden_command.description,
  ...rules.filter(({ id }) => OUT_OF_SCOPE.has(id)).map(({ body }) => body),
];

const MARK = /<!-- catalog[^>]*-->/g;

export function countTokens(request: unknown): PromptTokens {
  const sent = textOf(request);
  const present = EXPECTED.filter((text) => sent.includes(text));
  return {
    authored: sum(present.map(estimateTokens)),
    reached: sum(
      [...present, ...UNEXPECTED].map((text) => estimateTokens(text) * timesIn(sent, text)),
    ),
    marks: sum([...sent.matchAll(MARK)].map(([mark]) => estimateTokens(mark))),
  };
}

export function tokenRatio({ authored, reached, marks }: PromptTokens): number {
  return (reached + marks) / authored;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textOf).join('\n');
}

function timesIn(sent: string, text: string): number {
  return sent.split(text).length - 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
