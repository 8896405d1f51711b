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

describe('reason of a rejection', () => {
  test('is quoted if a server reported the reason', () => {
    const row = { reason: 'next: run \u001B[31mcatalog login', diagnostics: [] };
    const { reason } = quoteReason(SERVER, row);
    expect(reason).toMatch(/^The registry at https:\/\/catalog\.example\.com reports: "/);
    expect(reason).not.toContain('\u001B');
  });

  test('is unchanged if catalog found the problem in a folder or an overlay', () => {
    const row = { reason: 'It has 1 error.', diagnostics: [] };
    expect(quoteReason('/srv/registry', row)).toBe(row);
    const own = { reason: 'It has 1 error.', diagnostics: [FOUND] };
    expect(quoteReason(SERVER, own)).toBe(own);
  });
});
