import type { TextlintRule, TextNode } from '../textlint-types.ts';

const NEUTRAL_ID = /\bharness-[a-i]\b/g;

/** The pages and messages about the specification's neutral harnesses themselves. */
const ALLOWED =
  /^docs\/(?:reference\/harness(?:es|-keys)\.md|guide\/harnesses\/|decisions\/)|^packages\/harness\/src\/adapters\/harness-[a-i]\//;

/**
 * Reports a neutral harness id of the specification in an example. Unlike the rules about prose it
 * also reads code, because examples are code.
 */
export const harnessNames: TextlintRule = (context) => {
  if (ALLOWED.test(context.getFilePath() ?? '')) return {};
  const check = (node: TextNode): void => {
    for (const match of context.getSource(node).matchAll(NEUTRAL_ID)) {
      const message = `"${match[0]}": use a real harness such as claude-code, cursor or codex.`;
      const padding = context.locator.range([match.index, match.index + match[0].length]);
      context.report(node, new context.RuleError(message, { padding }));
    }
  };
  return { Str: check, Code: check, CodeBlock: check };
};
