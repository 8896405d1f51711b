import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRecords, listTexts, readText } from './list-texts.ts';

const root = mkdtempSync(join(tmpdir(), 'catalog-prose-'));

beforeAll(() => {
  const files: Record<string, string> = {
    'README.md': '# catalog\n',
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0\n\n- old\n',
    'docs/guide/sync.md': '# Sync\n',
    'docs/specification/rows.md': '# Rows\n',
    'docs/decisions/README.md': '# Decisions\n',
    'docs/decisions/0001-a-record.md': '# 0001. A record\n',
    'examples/team/README.md': '# Team\n',
    'examples/team/ops/SKILL.md': '# Skill\n',
    'packages/cli/README.md': '# cli\n',
    'packages/cli/src/a.ts': '',
    'packages/cli/src/a.test.ts': '',
    'packages/cli/dist/a.ts': '',
    'packages/core/src/fixtures/a.ts': '',
    'packages/core/src/a.conformance.ts': '',
    'packages/testkit/src/a.ts': '',
    'tools/docs/page.ts': '',
    'tools/other.ts': '',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

test('listTexts returns the pages and sources with text for users', () => {
  expect(listTexts(root).sort()).toEqual([
    'CHANGELOG.md',
    'README.md',
    'docs/decisions/0001-a-record.md',
    'docs/decisions/README.md',
    'docs/guide/sync.md',
    'examples/team/README.md',
    'packages/cli/README.md',
    'packages/cli/src/a.ts',
    'tools/docs/page.ts',
  ]);
});

test('readText reads only the unreleased part of the changelog', () => {
  expect(readText(root, 'CHANGELOG.md')).toBe('# Changelog\n\n## Unreleased\n\n- new\n\n');
});

test('listRecords returns the decision records without their README', () => {
  expect(listRecords(root)).toEqual(['docs/decisions/0001-a-record.md']);
});
