import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSources } from '../tools/syntax/load-sources.ts';

const ROOT = join(import.meta.dirname, '..');

const sources = [
  ...loadSources(
    ROOT,
    ['cli', 'consumer', 'core', 'mcp'].map((name) => `packages/${name}/src`),
  ),
];
const programs = sources.filter(([path]) => !/\.test\.ts$|^packages\/core/.test(path));

/** Rows of the table in the security model: the files of a clone and the test. */
const rows = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
  .split('### What a clone can contain')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, files = '', , shown = '']) => ({ files, shown }));

function listPaths(): string[] {
  const found = programs.flatMap(([, text]) =>
    [...text.matchAll(/(?<!~\/|home\)\}\/)\.catalog\/([a-z][a-z.-]*[a-z])/g)].map(
      ([, name]) => `.catalog/${name}`,
    ),
  );
  return [...new Set(found)].filter((path) => !IN_HOME.has(path) && path !== '.catalog/state');
}

function listStateFiles(): string[] {
  const modules = programs.filter(([, text]) => /state-folder\.ts|local-state\.ts/.test(text));
  const named = modules.flatMap(([, text]) =>
    [...text.matchAll(/const (?:NAME|LAST|SAVES|UNDO_NEXT|TEMPORARY_PREFIX) = '([^']+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  const state = sources.find(([path]) => path.endsWith('lock/state-folder.ts'))?.[1] ?? '';
  const prefix = /TEMPORARY_PREFIX = '([^']+)'/.exec(state)?.[1] ?? '';
  const opened = [...(/OPENED_FILES = \[(.*)\]/.exec(state)?.[1] ?? '').matchAll(/'([^']+)'/g)];
  return [...new Set([...named, prefix, ...opened.map(([, name = '']) => name)])];
}

/** Files that catalog reads only in the user's home. */
const IN_HOME: ReadonlySet<string> = new Set(['.catalog/state.key']);

describe('the table of files that a clone can contain', () => {
  test('has a row for each path below .catalog in the programs', () => {
    const paths = listPaths();
    expect(paths).toEqual(expect.arrayContaining(['.catalog/sync.yaml', '.catalog/sync.lock']));
    expect(paths.filter((path) => !isListed(path))).toEqual([]);
  });

  test('has a row for each file of the state folder', () => {
    const names = listStateFiles();
    expect(names.length).toBeGreaterThan(10);
    expect(names).toEqual(expect.arrayContaining(['journal.json', 'taken-over.json', 'holder']));
    const missing = names.filter(
      (name) => name !== '.gitignore' && !isListed(`.catalog/state/${name}`),
    );
    expect(missing).toEqual([]);
  });

  test.each(rows ?? [])('lists a test that exists: $files', ({ shown }) => {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(shown) ?? [];
    const tests = [...sources, ...loadSources(ROOT, ['tests/e2e'])].filter(
      ([path]) => basename(path) === `${file}.test.ts`,
    );
    expect(tests).toHaveLength(1);
    expect(title).not.toBe('');
    expect(tests[0]?.[1].replaceAll('\\u2019', '\u2019')).toContain(`'${title}'`.slice(0, -1));
  });
});

function isListed(path: string): boolean {
  return (rows ?? []).some(
    ({ files }) => files.includes(`\`${path}\``) || files.includes(`\`${path}*\``),
  );
}
