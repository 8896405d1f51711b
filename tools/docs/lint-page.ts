import { lintRules, type LintRule } from '@catalog/core/lint/rules';
import { code, page, table } from './markdown.ts';

export function lintPage(): string {
  const rules = Object.entries<LintRule>(lintRules);
  return page('Lint rules', 'packages/core/src/lint/rules.ts', [
    'An artifact with an error is not delivered; a warning stops nothing. `lint_suppress` in a manifest ' +
      'silences the warnings marked suppressible; `catalog lint --fix` repairs what is marked fixable.',
    table(
      ['Rule', 'Severity', 'Suppressible', 'Fixable'],
      rules.map(([name, rule]) => [
        `[${code(name)}](#${anchorOf(name)})`,
        rule.severity,
        rule.suppressible ? 'yes' : 'no',
        rule.fixable ? 'yes' : 'no',
      ]),
    ),
    ...rules.flatMap(([name, rule]) => [`## ${name}`, describe(rule)]),
  ]);
}

function anchorOf(name: string): string {
  return name.replaceAll('.', '');
}

function describe(rule: LintRule): string {
  const warns = rule.warns === undefined ? [] : [`A warning only: ${rule.warns}`];
  return [`**${rule.title}.** ${rule.why}`, ...warns, `Fix: ${rule.fix}`].join('\n\n');
}
