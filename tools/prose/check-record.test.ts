import { expect, test } from 'vitest';
import { checkRecord } from './check-record.ts';

const SECTIONS = '## Context\n\nA.\n\n## Decision\n\nB.\n\n## Consequences\n\nC.\n';

const findings = (text: string): number => checkRecord('docs/decisions/0001-a.md', text).length;

test.each([
  '**Status:** accepted',
  '**Status:** replaced by [0002](0002-b.md)',
  '**Status:** accepted, amended by [0002](0002-b.md) (reads)',
])('accepts a record with %s and three sections', (status) => {
  expect(findings(`# 0001. A\n\n${status}\n\n${SECTIONS}`)).toBe(0);
});

test.each([
  ['without a status', `# 0001. A\n\n${SECTIONS}`],
  ['with an unknown status', `# 0001. A\n\n**Status:** done\n\n${SECTIONS}`],
  ['without a number', `# A\n\n**Status:** accepted\n\n${SECTIONS}`],
  ['with another section', `# 0001. A\n\n**Status:** accepted\n\n${SECTIONS}\n## Notes\n\nD.\n`],
  [
    'with sections in another order',
    '# 0001. A\n\n**Status:** accepted\n\n## Decision\n\n## Context\n',
  ],
])('rejects a record %s', (_reason, text) => {
  expect(findings(text)).toBe(1);
});
