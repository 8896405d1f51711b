import { columnAt, lineAt, type SourceFile } from '../syntax/source-file.ts';
import { listCodeTexts } from './code-texts.ts';
import type { Finding } from './linter.ts';
import type { ProseRule } from './rule.ts';
import { americanSpelling } from './rules/american-spelling.ts';
import { negations } from './rules/negations.ts';
import { riddle } from './rules/riddle.ts';
import { sentenceLength } from './rules/sentence-length.ts';
import { vocabulary } from './rules/vocabulary.ts';

const CODE_RULES: readonly ProseRule[] = [
  vocabulary,
  americanSpelling,
  sentenceLength,
  negations,
  riddle,
];

export function checkCode(source: SourceFile): Finding[] {
  const { path, text } = source;
  return listCodeTexts(source).flatMap(({ block, words }) =>
    CODE_RULES.flatMap(({ id, check }) =>
      check(block).map(({ start, message }) => {
        const offset = block.offsets[start] ?? 0;
        const column = columnAt(text, offset);
        return { rule: id, path, line: lineAt(text, offset), column, message, words };
      }),
    ),
  );
}
