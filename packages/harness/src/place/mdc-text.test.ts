import { artifactOf } from '@catalog/testkit/authored-package';
import { expect, test } from 'vitest';
import { mdcText } from './mdc-text.ts';

function render(keys: string, prose: string = 'Prose.\n'): string {
  const manifest = `---\ntype: rule\nversion: 1.0.0\ndescription: What it is.\n${keys}---\n${prose}`;
  return mdcText(artifactOf('ops/rule', { 'ARTIFACT.md': manifest }));
}

test.each([
  ['', 'alwaysApply: true\n'],
  ['rule_mode: always\n', 'alwaysApply: true\n'],
  ['rule_mode: glob\nrule_globs: "a/**, b/*.{ts,tsx}"\n', 'globs: "a/**, b/*.{ts,tsx}"\n'],
  ['rule_mode: glob\n', 'globs: ""\n'],
  ['rule_mode: auto\nrule_description: "When: \\"so\\""\n', 'description: "When: \\"so\\""\n'],
  ['rule_mode: auto\n', 'description: "What it is."\n'],
  ['rule_mode: explicit\n', ''],
])('mdcText renders %j with the attributes %j', (keys, attributes) => {
  expect(render(keys)).toBe(`---\n${attributes}---\nProse.\n`);
});

test('imported prose is marked in an mdc rule', () => {
  expect(render('source: wiki\n')).toContain('<untrusted-data source="wiki">\nProse.\n');
});
