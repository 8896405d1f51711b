import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapters } from '@catalog/harness/registry';
import { describe, expect, test } from 'vitest';
import { HARNESS_PAGES } from '../docs/guide-pages.ts';
import { programs } from './programs/index.ts';
import { harnessSources } from './sources.ts';
import {
  checkedVersions,
  outdatedReasons,
  readNewestVersions,
  type CheckedVersion,
} from './versions.ts';

const ROOT = join(import.meta.dirname, '../..');
const products = [...adapters.keys()].filter((id) => id !== 'none' && !/^harness-[a-i]$/.test(id));

describe('sources of the harness pages', () => {
  test('exist for every product and only for products', () => {
    expect(Object.keys(harnessSources).toSorted()).toEqual(products.toSorted());
  });

  test.each(products)('%s has a date and a source, and its page shows both', (id) => {
    const { checked, sources } = harnessSources[id] ?? { checked: '', sources: '' };
    expect(new Date(checked).toISOString().slice(0, 10)).toBe(checked);
    expect(sources).toMatch(/https?:\/\/|\b[\w-]+\.(?:com|ai|dev|org|io)\b|\bversion \d|\d\.\d/);
    const page = readFileSync(join(ROOT, HARNESS_PAGES, `${id}.md`), 'utf8');
    expect(page).toContain(`Last checked on ${checked}`);
    expect(page).toContain(sources.slice(0, 40));
  });

  test('have the version of every program that a check starts', () => {
    const versions = checkedVersions();
    for (const { profile, version, installs, stands_in } of programs) {
      const isProduct = installs !== undefined && stands_in === undefined;
      if (!isProduct || profile === 'agents-md') continue;
      expect(versions).toContainEqual(expect.objectContaining({ harness: profile, version }));
    }
  });

  test('have a newest version for every package', () => {
    const names = checkedVersions().flatMap(({ package: published }) => published?.name ?? []);
    expect(Object.keys(readNewestVersions().versions).toSorted()).toEqual(names.toSorted());
  });
});

describe('outdatedReasons', () => {
  const one: CheckedVersion = {
    harness: 'codex',
    tool: 'Codex',
    version: '1.2.0',
    checked: '2026-01-01',
    package: { from: 'npm', name: 'codex' },
  };
  const newest = (version: string) => ({ seen: '2026-01-02', versions: { codex: version } });

  test.each([
    ['1.2.0', '2026-04-01', []],
    ['1.2.0-linux-x64', '2026-01-02', []],
    ['1.2.0-g7618fb', '2026-01-02', []],
    ['1.2.1', '2026-01-02', ['1.2.1 is published']],
    ['1.2.0-rc.1', '2026-01-02', ['1.2.0-rc.1 is published']],
    ['1.2.0', '2026-04-02', ['checked 91 days ago']],
  ])('compares with newest version %s on %s', (version, today, reasons) => {
    expect(outdatedReasons(one, newest(version), today)).toEqual(reasons);
  });

  test('reports a program without a package only because of its age', () => {
    const web = { ...one, version: undefined, package: undefined };
    expect(outdatedReasons(web, newest('9.0.0'), '2026-01-02')).toEqual([]);
    expect(outdatedReasons(web, newest('9.0.0'), '2026-12-01')).toHaveLength(1);
  });
});
