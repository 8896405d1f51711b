import { createLinter, loadTextlintrc } from 'textlint';
import { allowComments, reasonedAllowComments } from './allow-comments.ts';
import { toTextlintRule, type ProseRule } from './rule.ts';
import { americanSpelling } from './rules/american-spelling.ts';
import { commandSummary } from './rules/command-summary.ts';
import { guideOpening } from './rules/guide-opening.ts';
import { harnessNames } from './rules/harness-names.ts';
import { negations } from './rules/negations.ts';
import { riddle } from './rules/riddle.ts';
import { sentenceLength } from './rules/sentence-length.ts';
import { thereIs } from './rules/there-is.ts';
import { vocabulary } from './rules/vocabulary.ts';
import type { TextlintRule } from './textlint-types.ts';
import { typescriptPlugin } from './typescript-plugin.ts';

const blockRules: readonly ProseRule[] = [
  vocabulary,
  americanSpelling,
  sentenceLength,
  thereIs,
  negations,
  riddle,
  commandSummary,
];

const rules: Readonly<Record<string, TextlintRule>> = {
  ...Object.fromEntries(blockRules.map((rule) => [rule.id, toTextlintRule(rule)])),
  'harness-names': harnessNames,
  'guide-opening': guideOpening,
  'allow-reason': reasonedAllowComments,
};

export const RULE_IDS: readonly string[] = Object.keys(rules);

export interface Finding {
  rule: string;
  path: string;
  /** 1-based. */
  line: number;
  /** 1-based. */
  column: number;
  message: string;
  words: string;
}

export interface ProseLinter {
  /** `path` is relative to the repository, with `/`. */
  lint: (path: string, text: string) => Promise<Finding[]>;
}

export async function createProseLinter(): Promise<ProseLinter> {
  // The file does not exist, so textlint uses only the built-in Markdown plugin.
  const builtIn = await loadTextlintrc({ configFilePath: `${import.meta.dirname}/.textlintrc` });
  const own = builtIn.shallowMerge({
    rules: Object.entries(rules).map(([ruleId, rule]) => ({ ruleId, rule })),
    filterRules: [{ ruleId: 'allow-comments', rule: allowComments }],
    plugins: [{ pluginId: 'typescript', plugin: typescriptPlugin }],
  });
  const linter = createLinter({ descriptor: builtIn.concat(own) });
  return {
    lint: async (path, text) => {
      const { messages } = await linter.lintText(text, path);
      const lines = text.split('\n');
      return messages.map(({ ruleId, message, loc }) => ({
        rule: ruleId,
        path,
        line: loc.start.line,
        column: loc.start.column,
        message,
        words: lines[loc.start.line - 1]?.trim() ?? '',
      }));
    },
  };
}
