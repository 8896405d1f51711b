import { toBlock, type Block } from './block.ts';
import type { TextlintRule, TextNode } from './textlint-types.ts';

export interface Problem {
  start: number;
  end: number;
  message: string;
}

export interface ProseRule {
  id: string;
  check: (block: Block) => Problem[];
}

export function toTextlintRule(rule: ProseRule): TextlintRule {
  return (context) => {
    const check = (node: TextNode): void => {
      const block = toBlock(node, context.getFilePath() ?? '');
      for (const { start, end, message } of rule.check(block)) {
        const from = (block.offsets[start] ?? node.range[0]) - node.range[0];
        const to = (block.offsets[end - 1] ?? node.range[0]) - node.range[0] + 1;
        context.report(
          node,
          new context.RuleError(message, { padding: context.locator.range([from, to]) }),
        );
      }
    };
    return { Paragraph: check, Header: check, TableCell: check };
  };
}
