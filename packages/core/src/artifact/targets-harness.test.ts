import { expect, test } from 'vitest';
import { targetsHarness } from './targets-harness.ts';

const block = (more: string): string => `---\ntype: rule\n${more}---\n`;

test.each([
  ['target_harnesses: [codex, cursor]\n', true],
  ['target_harnesses:\n  - cursor\n', true],
  ['target_harnesses: [claude-code]\n', false],
  ['target_harnesses: []\n', true],
  ['', true],
  ['description: Set target_harnesses.\n', true],
])('an artifact with %j is for cursor: %s', (more, expected) => {
  expect(targetsHarness(block(more), 'cursor')).toBe(expected);
});

test('a block with Windows line ends is read', () => {
  const windows = block('target_harnesses: [codex]\n').replaceAll('\n', '\r\n');
  expect(targetsHarness(windows, 'cursor')).toBe(false);
  expect(targetsHarness(windows, 'codex')).toBe(true);
});

test('an artifact whose frontmatter is not shown is for every harness', () => {
  expect(targetsHarness(null, 'cursor')).toBe(true);
});
