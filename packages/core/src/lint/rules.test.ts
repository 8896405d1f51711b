import { expect, test } from 'vitest';
import { getLintRule, isLintCode, lintRules, type LintRule } from './rules.ts';

const rules: [string, LintRule][] = Object.entries(lintRules);

test.each(rules)('%s reads well', (code, { title, why, fix, warns }) => {
  expect(code).toMatch(/^lint\.[a-z]+(?:_[a-z]+)*$/);
  expect(title).toMatch(/^[A-Z`].*[^.]$/);
  expect(why).toMatch(/^[A-Z`].*\.$/);
  expect(fix).toMatch(/^[A-Z`].*\.$/);
  expect(warns ?? 'None.').toMatch(/^[A-Z].*\.$/);
});

test('only a rule that can be a warning can be silenced', () => {
  const silenced = rules.filter(([, { suppressible }]) => suppressible);
  expect(silenced.filter(([, { severity, warns }]) => severity === 'error' && !warns)).toEqual([]);
});

test('what hides text cannot hide that it does', () => {
  expect(lintRules['lint.hidden_text'].suppressible).toBe(false);
});

test('a code is looked up by its own name only', () => {
  expect(getLintRule('lint.hidden_text')).toBe(lintRules['lint.hidden_text']);
  expect(getLintRule('toString')).toBeUndefined();
  expect(isLintCode('dataset.spelling')).toBe(false);
});
