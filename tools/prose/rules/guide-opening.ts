import { toBlock } from '../block.ts';
import { splitSentences, wordsOf } from '../sentences.ts';
import type { TextlintRule } from '../textlint-types.ts';

const GUIDE_PAGE = /^docs\/guide\/(?!README)[\w-]+\.md$/;
const READER = /\byou(?:r|'ll|'ve)?\b/i;
const MAX_WORDS = 35;

/** The first paragraph must describe what the reader will have at the end of the page. */
export const guideOpening: TextlintRule = (context) => {
  const path = context.getFilePath() ?? '';
  if (!GUIDE_PAGE.test(path)) return {};
  let seen = false;
  return {
    Paragraph(node) {
      if (seen) return;
      seen = true;
      const [first] = splitSentences(toBlock(node, path).text);
      if (first === undefined) return;
      if (!READER.test(first.text)) {
        context.report(
          node,
          new context.RuleError('Open the page with what you, the reader, will have at the end.'),
        );
      } else if (wordsOf(first.text).length > MAX_WORDS) {
        context.report(
          node,
          new context.RuleError(`Shorten the first sentence to at most ${MAX_WORDS} words.`),
        );
      }
    },
  };
};
