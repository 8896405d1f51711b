import type { TextlintFilterRule, TextlintRule } from './textlint-types.ts';

/**
 * `<!-- textlint-disable vocabulary: quotes the old text -->` … `<!-- textlint-enable -->` in Markdown,
 * `// textlint-disable-next-line vocabulary: reason` in TypeScript. Without a rule it covers all rules.
 */
const COMMENT =
  /<!--\s*textlint-(disable|enable)\b(.*?)-->|\/\/\s*textlint-(disable-next-line)\b(.*)$/gm;

interface AllowComment {
  action: string;
  /** Rules that are allowed; empty for all. */
  rules: readonly string[];
  reason: string;
  start: number;
  end: number;
}

function listComments(text: string): AllowComment[] {
  return [...text.matchAll(COMMENT)].map((match) => {
    const [whole, block, blockWords, line, lineWords] = match;
    const [rules = '', ...reason] = (blockWords ?? lineWords ?? '').split(':');
    return {
      action: block ?? line ?? '',
      rules: rules
        .split(',')
        .map((rule) => rule.trim())
        .filter((rule) => rule !== ''),
      reason: reason.join(':').trim(),
      start: match.index,
      end: match.index + whole.length,
    };
  });
}

export const allowComments: TextlintFilterRule = (context) => ({
  Document() {
    const text = context.getSource();
    const comments = listComments(text);
    for (const [index, { action, rules, reason, end }] of comments.entries()) {
      if (reason === '' || action === 'enable') continue;
      const close = comments.slice(index + 1).find((comment) => comment.action === 'enable');
      const until = action === 'disable' ? (close?.start ?? text.length) : endOfNextLine(text, end);
      for (const ruleId of rules.length === 0 ? ['*'] : rules) {
        context.shouldIgnore([end, until], { ruleId });
      }
    }
  },
});

function endOfNextLine(text: string, start: number): number {
  const next = text.indexOf('\n', start);
  const end = text.indexOf('\n', next + 1);
  return end === -1 ? text.length : end;
}

/** An allow comment without a reason has no effect. */
export const reasonedAllowComments: TextlintRule = (context) => ({
  Document(node) {
    for (const { action, reason, start, end } of listComments(context.getSource())) {
      if (action === 'enable' || reason !== '') continue;
      context.report(
        node,
        new context.RuleError('Give a reason: `textlint-disable rule-name: reason`.', {
          padding: context.locator.range([start, end]),
        }),
      );
    }
  },
});
