import type { Finding } from './linter.ts';

const TITLE = /^# \d{4}\. .+\n\n/;
const STATUS =
  /^\*\*Status:\*\* (?:accepted|replaced by \[\d{4}\]\([^)]+\))(?:,\s+amended\s+by\s[^]+?)?\n\n(?=## )/;
const SECTIONS = ['Context', 'Decision', 'Consequences'];

/** Checks the form of a decision record: title, status and three sections. */
export function checkRecord(path: string, text: string): Finding[] {
  const title = TITLE.exec(text)?.[0] ?? '';
  const hasStatus = title !== '' && STATUS.test(text.slice(title.length));
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  if (hasStatus && sections.join() === SECTIONS.join()) return [];
  const message =
    'write "# 0000. Title", a "**Status:**" line, and the sections Context, Decision, Consequences.';
  return [{ rule: 'record-form', path, line: 1, column: 1, message, words: '' }];
}
