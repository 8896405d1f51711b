import type { loadTextlintrc } from 'textlint';

/**
 * Derived from exported functions, because the packages that declare these types are not dependencies
 * of this repository.
 */
export type Descriptor = Awaited<ReturnType<typeof loadTextlintrc>>;
type Parts = Required<Parameters<Descriptor['shallowMerge']>[0]>;

type Callable<T> = Extract<T, (...values: never[]) => unknown>;

export type TextlintRule = Callable<Parts['rules'][number]['rule']>;
export type TextlintFilterRule = Callable<Parts['filterRules'][number]['rule']>;
export type TextlintPlugin = Parts['plugins'][number]['plugin'];
export type RuleContext = Parameters<TextlintRule>[0];
export type TextNode = Parameters<RuleContext['report']>[0];
