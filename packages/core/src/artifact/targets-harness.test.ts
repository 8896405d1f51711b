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
])('targetsHarness for cursor with %j returns %s', (more, expected) => {
  expect(targetsHarness(block(more), 'cursor')).toBe(expected);
});

test('targetsHarness reads a block with Windows line endings', () => {
  const windows = block('target_harnesses: [codex]\n').replaceAll('\n', '\r\n');
  expect(targetsHarness(windows, 'cursor')).toBe(false);
  expect(targetsHarness(windows, 'codex')).toBe(true);
});

test('targetsHarness returns true if the frontmatter is not available', () => {
  expect(targetsHarness(null, 'cursor')).toBe(true);
});
