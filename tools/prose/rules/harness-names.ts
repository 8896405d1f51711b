import type { TextlintRule, TextNode } from '../textlint-types.ts';

const NEUTRAL_ID = /\bharness-[a-i]\b/g;

const ALLOWED =
  /^docs\/(?:reference\/harness(?:es|-keys)\.md|guide\/harnesses\/|decisions\/)|^packages\/harness\/src\/adapters\/harness-[a-i]\//;

/** Also reads code, unlike the rules for prose, because examples are code. */
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
