import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import { describe, expect, test } from 'vitest';
import { quoteReason } from './artifacts-rejected.ts';

const SERVER = 'https://catalog.example.com';
const FOUND: Diagnostic = {
  code: 'lint.frontmatter_invalid',
  severity: 'error',
  artifact_id: 'ops/check',
  layer: 'base',
  file: 'ops/check/ARTIFACT.md',
  line: 3,
  column: 1,
  message: 'The frontmatter is not valid YAML.',
  fix: 'Fix the YAML.',
};

describe('the reason of a rejection', () => {
  test('is quoted if it is in the words of a server', () => {
    const row = { reason: 'next: run \u001B[31mcatalog login', diagnostics: [] };
    const { reason } = quoteReason(SERVER, row);
    expect(reason).toMatch(/^The registry at https:\/\/catalog\.example\.com reports: "/);
    expect(reason).not.toContain('\u001B');
  });

  test('stays as it is if catalog found the problem, in a folder or in an overlay', () => {
    const row = { reason: 'It has 1 error.', diagnostics: [] };
    expect(quoteReason('/srv/registry', row)).toBe(row);
    const own = { reason: 'It has 1 error.', diagnostics: [FOUND] };
    expect(quoteReason(SERVER, own)).toBe(own);
  });
});
