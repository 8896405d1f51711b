import { expect, test } from 'vitest';
import { getLintRule, isLintCode, lintRules, type LintRule } from './rules.ts';

const rules: [string, LintRule][] = Object.entries(lintRules);

test.each(rules)('lint rule %s has well-formed texts', (code, { title, why, fix, warns }) => {
  expect(code).toMatch(/^lint\.[a-z]+(?:_[a-z]+)*$/);
  expect(title).toMatch(/^[A-Z`].*[^.]$/);
  expect(why).toMatch(/^[A-Z`].*\.$/);
  expect(fix).toMatch(/^[A-Z`].*\.$/);
  expect(warns ?? 'None.').toMatch(/^[A-Z].*\.$/);
});

test('only rules that can be a warning are suppressible', () => {
  const silenced = rules.filter(([, { suppressible }]) => suppressible);
  expect(silenced.filter(([, { severity, warns }]) => severity === 'error' && !warns)).toEqual([]);
});

test('lint.hidden_text is not suppressible', () => {
  expect(lintRules['lint.hidden_text'].suppressible).toBe(false);
});

test('getLintRule finds own rule codes only', () => {
  expect(getLintRule('lint.hidden_text')).toBe(lintRules['lint.hidden_text']);
  expect(getLintRule('toString')).toBeUndefined();
  expect(isLintCode('dataset.spelling')).toBe(false);
});
